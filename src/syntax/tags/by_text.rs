//! A choice of texts, each with something behind it, as a tree of common beginnings: hundreds of tools are told apart letter by
//! letter, and no position has all of them before it.

use crate::grammar::rules::Builder;
use crate::index::ExprId;

/// Some items with a common beginning.
struct Branch {
    from: usize,
    to: usize,
    /// Where the common beginning starts and ends.
    start: usize,
    end: usize,
    children: Vec<usize>,
}

/// One of the texts and what belongs behind it.
pub(super) fn choice_by_text(builder: &mut Builder, mut items: Vec<(&str, ExprId)>) -> ExprId {
    items.sort_by(|a, b| a.0.cmp(b.0));
    let whole = Branch { from: 0, to: items.len(), start: 0, end: 0, children: Vec::new() };
    let mut branches = if items.is_empty() { Vec::new() } else { vec![whole] };
    let mut next = 0;
    while next < branches.len() {
        let Branch { from, to, start, .. } = branches[next];
        let end = common(items[from].0, items[to - 1].0);
        branches[next].end = end;
        let mut at = from + items[from..to].partition_point(|(text, _)| text.len() == end);
        while at < to {
            let letter = items[at].0[end..].chars().next();
            let same = items[at..to].partition_point(|(text, _)| text[end..].chars().next() == letter);
            let child = Branch { from: at, to: at + same, start: end, end, children: Vec::new() };
            branches.push(child);
            let number = branches.len() - 1;
            branches[next].children.push(number);
            at += same;
        }
        debug_assert!(start <= end, "a branch has a common beginning");
        next += 1;
    }
    let mut built: Vec<Option<ExprId>> = vec![None; branches.len()];
    for (at, branch) in branches.iter().enumerate().rev() {
        let (first, end) = (items[branch.from].0, branch.end);
        let here = items[branch.from..branch.to].iter().take_while(|(text, _)| text.len() == end);
        let mut ways: Vec<ExprId> = here.map(|(_, behind)| *behind).collect();
        ways.extend(branch.children.iter().filter_map(|child| built[*child]));
        let behind = builder.choice(ways);
        built[at] = Some(if branch.start == end {
            behind
        } else {
            let text = builder.text(&first[branch.start..end]);
            builder.sequence([text, behind])
        });
    }
    match built.first().copied().flatten() {
        Some(all) => all,
        None => builder.choice([]),
    }
}

/// Bytes of the common beginning, whole characters.
fn common(a: &str, b: &str) -> usize {
    let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y);
    same.map(|(x, _)| x.len_utf8()).sum()
}
