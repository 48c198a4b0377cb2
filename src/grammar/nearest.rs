//! The name that a misspelt one is probably meant to be.

/// Most letters that differ.
const DISTANCE_MAX: usize = 3;

/// Longer names are not compared.
const NAME_BYTES_MAX: usize = 64;

/// The nearest of the names, the first of several: at most three letters differ, and at most a third of them.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let most = (name.len() / 3).min(DISTANCE_MAX);
    if name.len() > NAME_BYTES_MAX {
        return None;
    }
    let near = names.filter(|known| known.len().abs_diff(name.len()) <= most);
    let distances = near.map(|known| (distance(name.as_bytes(), known.as_bytes()), known));
    distances
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// Bytes inserted, removed or replaced to make one of the other, but for letters' case. O(a · b).
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn misspelt_names_are_recognised_and_others_are_not() {
        let names = ["date-time", "date", "hostname", "uri"];
        for (name, expected) in [
            ("datetime", Some("date-time")),
            ("Date", Some("date")),
            ("host-name", Some("hostname")),
            ("url", Some("uri")),
            ("data", Some("date")),
            ("color", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(nearest(name, names.into_iter()), expected, "{name}");
        }
    }
}
