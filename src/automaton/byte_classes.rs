//! Bytes that a state does not tell apart, as a map that states share.

use crate::vocab::ByteSet;

/// See the module.
#[derive(Debug)]
pub(crate) struct ByteClasses {
    of: [u8; 256],
    /// The bytes of each class.
    sets: Box<[ByteSet]>,
}

impl ByteClasses {
    /// From each byte's class; classes are numbered from 0 in the order of their first bytes.
    pub(crate) fn new(of: [u8; 256]) -> Self {
        let mut sets: Vec<ByteSet> = Vec::new();
        for (byte, &class) in (0..=u8::MAX).zip(&of) {
            let class = usize::from(class);
            if class == sets.len() {
                sets.push(ByteSet::default());
            }
            sets[class].insert(byte);
        }
        Self { of, sets: sets.into() }
    }

    #[inline]
    pub(crate) fn class(&self, byte: u8) -> usize {
        usize::from(self.of[usize::from(byte)])
    }

    /// The classes' bytes, by class.
    pub(crate) fn sets(&self) -> &[ByteSet] {
        &self.sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_is_in_the_set_of_its_class_alone() {
        let mut of = [0; 256];
        of[3] = 1;
        of[200] = 2;
        of[255] = 1;
        let classes = ByteClasses::new(of);
        assert_eq!(classes.sets().len(), 3);
        for byte in 0..=u8::MAX {
            let with: Vec<usize> = (0..3).filter(|&class| classes.sets()[class].contains(byte)).collect();
            assert_eq!(with, [classes.class(byte)], "byte {byte}");
        }
    }
}
