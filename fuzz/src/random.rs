//! A small random sequence (splitmix64), the same for the same seed.

/// The generator.
pub struct Random {
    state: u64,
}

impl Random {
    /// Starts from a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit` (which is not 0).
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).expect("a length fits");
        usize::try_from(self.number() % limit).expect("below a length")
    }

    /// A byte, often one that means something in JSON and patterns.
    pub fn byte(&mut self) -> u8 {
        const TELLING: &[u8] = b"{}[]\",:\\/^$.*+?|()<=!-0129bBeEiu \n\x00\x80\xC3\xF0\xFF";
        if self.below(2) == 0 { TELLING[self.below(TELLING.len())] } else { self.number().to_le_bytes()[0] }
    }
}
