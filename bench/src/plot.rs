//! The distribution of mask times as an SVG: for each engine, which part of the masks took longer than a time.
//!
//! Both axes are logarithmic, so the tail that stalls batches is as wide as the bulk. Text and axes take the colour of the page around
//! the picture where that is known, and a grey that is readable on light and on dark ones where it is not.

use std::fmt::Write;

use crate::stats::Samples;

/// Times shown, as powers of ten of nanoseconds: 100 ns to 1 s.
const TIMES: (u32, u32) = (2, 9);
/// Parts shown: all masks to one of ten million.
const DECADES_OF_PARTS: u32 = 7;
/// Points of a line for each decade of time.
const POINTS_PER_DECADE: u32 = 40;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// Around the lines: left, top, right, bottom.
const MARGINS: [f64; 4] = [76.0, 24.0, 24.0, 56.0];
/// Of the lines, in the order of the engines: told apart by the colour-blind as well.
const COLOURS: [&str; 4] = ["#1f77d0", "#e08214", "#2a9d62", "#b5489a"];

/// The picture of engines by name.
pub(crate) fn svg(engines: &mut [(&str, &mut Samples)]) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" role="img">"##
    ));
    line("<title>Masks that took longer than a time, by engine</title>".to_owned());
    line(
        "<style>text{fill:#808080}.grid{stroke:#80808040}.axis{stroke:#808080}@media(prefers-color-scheme:dark){text{fill:#b0b0b0}}</style>"
            .to_owned(),
    );
    let bottom = HEIGHT - MARGINS[3];
    for decade in TIMES.0..=TIMES.1 {
        let x = x_of(10f64.powi(decade.cast_signed()));
        line(format!(r#"<path class="grid" d="M{x:.1} {:.1}V{bottom:.1}"/>"#, MARGINS[1]));
        let label = match decade {
            0..=5 => format!("{} µs", 10f64.powi(decade.cast_signed() - 3)),
            6..=8 => format!("{} ms", 10u32.pow(decade - 6)),
            _ => format!("{} s", 10u32.pow(decade - 9)),
        };
        line(format!(r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#, bottom + 18.0));
    }
    for decade in 0..=DECADES_OF_PARTS {
        let y = y_of(10f64.powi(-decade.cast_signed()));
        line(format!(r#"<path class="grid" d="M{:.1} {y:.1}H{:.1}"/>"#, MARGINS[0], WIDTH - MARGINS[2]));
        let label = if decade == 0 { "all".to_owned() } else { format!("1 in 10{}", raised(decade)) };
        line(format!(
            r#"<text x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
            MARGINS[0] - 8.0,
            y + 4.0
        ));
    }
    line(format!(
        r#"<path class="axis" fill="none" d="M{:.1} {:.1}V{bottom:.1}H{:.1}"/>"#,
        MARGINS[0],
        MARGINS[1],
        WIDTH - MARGINS[2]
    ));
    line(format!(
        r#"<text x="{:.1}" y="{:.1}" text-anchor="middle">time to fill a mask, and the part of masks that took longer</text>"#,
        (MARGINS[0] + WIDTH - MARGINS[2]) / 2.0,
        HEIGHT - 14.0
    ));
    for (place, (name, samples)) in engines.iter_mut().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let mut path = String::new();
        for (ns, part) in curve(samples) {
            let verb = if path.is_empty() { 'M' } else { 'L' };
            write!(path, "{verb}{:.1} {:.1}", x_of(ns), y_of(part)).expect("a string takes any text");
        }
        line(format!(r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>"#));
        let y = MARGINS[1] + 20.0 + 20.0 * f64::from(u8::try_from(place).unwrap_or(u8::MAX));
        let x = WIDTH - MARGINS[2] - 130.0;
        line(format!(r#"<path d="M{x:.1} {:.1}h24" stroke="{colour}" stroke-width="2"/>"#, y - 4.0));
        line(format!(r#"<text x="{:.1}" y="{y:.1}">{name}</text>"#, x + 32.0));
    }
    line("</svg>".to_owned());
    out
}

/// Times in nanoseconds, ascending, and which part of the samples took longer, as long as some did.
fn curve(samples: &mut Samples) -> Vec<(f64, f64)> {
    let steps = (TIMES.1 - TIMES.0) * POINTS_PER_DECADE;
    let mut points = Vec::new();
    for step in 0..=steps {
        let ns = 10f64.powf(f64::from(TIMES.0) + f64::from(step) / f64::from(POINTS_PER_DECADE));
        let part = samples.part_above(ns);
        if part == 0.0 {
            break;
        }
        points.push((ns, part));
    }
    points
}

fn x_of(ns: f64) -> f64 {
    let share = (ns.log10() - f64::from(TIMES.0)) / f64::from(TIMES.1 - TIMES.0);
    MARGINS[0] + share * (WIDTH - MARGINS[0] - MARGINS[2])
}

fn y_of(part: f64) -> f64 {
    let share = (-part.log10() / f64::from(DECADES_OF_PARTS)).clamp(0.0, 1.0);
    MARGINS[1] + share * (HEIGHT - MARGINS[1] - MARGINS[3])
}

/// A number of one digit as an exponent.
fn raised(number: u32) -> char {
    ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'].into_iter().nth(number as usize).unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(all: &[u64]) -> Samples {
        let mut samples = Samples::default();
        all.iter().for_each(|&ns| samples.push(ns));
        samples
    }

    #[test]
    fn a_line_falls_from_all_to_the_slowest() {
        let mut few = samples(&[1_000, 1_000, 1_000, 50_000, 2_000_000, 150, 150, 150, 150, 150]);
        let points = curve(&mut few);
        assert_eq!(points[0], (100.0, 1.0));
        assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 >= pair[1].1));
        let part_at = |ns: f64| points.iter().rev().find(|point| point.0 <= ns).map(|point| point.1);
        assert_eq!((part_at(500.0), part_at(10_000.0), part_at(1e6)), (Some(0.5), Some(0.2), Some(0.1)));
        assert!(points.last().is_some_and(|last| last.0 < 2e6 && last.1 == 0.1));
        assert!(curve(&mut samples(&[])).is_empty());
    }

    #[test]
    fn decades_are_equally_wide_and_stay_inside() {
        let xs: Vec<f64> = (TIMES.0..=TIMES.1).map(|decade| x_of(10f64.powi(decade.cast_signed()))).collect();
        let width = xs[1] - xs[0];
        assert!(xs.windows(2).all(|pair| (pair[1] - pair[0] - width).abs() < 1e-9));
        assert!(xs[0] == MARGINS[0] && (xs[xs.len() - 1] - (WIDTH - MARGINS[2])).abs() < 1e-9);
        assert!(y_of(1.0) < y_of(0.1) && (y_of(1e-12) - (HEIGHT - MARGINS[3])).abs() < 1e-9);
    }

    #[test]
    fn every_engine_has_a_line_and_a_name() {
        let (mut one, mut other) = (samples(&[300, 4_000]), samples(&[900]));
        let picture = svg(&mut [("one", &mut one), ("other", &mut other)]);
        assert_eq!(picture.matches(r#"stroke-width="2""#).count(), 4);
        assert!(picture.contains(">one<") && picture.contains(">other<") && picture.ends_with("</svg>\n"));
    }
}
