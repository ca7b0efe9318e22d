//! The outline of a document of ready-made passages, from the paths of labels by which they are known.

use std::collections::BTreeMap;

use document::Slice as _;

/// A tree of labels; passages hang on its nodes.
pub(crate) struct Outline {
    /// The first is the root.
    branches: Vec<Branch>,
}

#[derive(Default)]
struct Branch {
    children: BTreeMap<String, usize>,
    order: Vec<(String, usize)>,
    passages: Vec<usize>,
}

/// A node of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutlineNode {
    /// The node above; `None` for the root.
    pub(crate) parent: Option<usize>,
    /// Its label as [`document::Label::key`] spells it; empty for the root.
    pub(crate) key: String,
    /// The passages that bear it.
    pub(crate) passages: Vec<usize>,
}

impl Default for Outline {
    fn default() -> Self {
        Self { branches: vec![Branch::default()] }
    }
}

impl Outline {
    /// Hangs a passage at the end of a path, which grows where it is not there.
    pub(crate) fn insert(&mut self, path: Vec<String>, passage: usize) {
        let mut at = 0;
        for key in path {
            let known = self.branches.get(at).and_then(|branch| branch.children.get(&key).copied());
            at = known.unwrap_or_else(|| {
                let new = self.branches.len();
                self.branches.push(Branch::default());
                if let Some(parent) = self.branches.get_mut(at) {
                    parent.children.insert(key.clone(), new);
                    parent.order.push((key, new));
                }
                new
            });
        }
        if let Some(branch) = self.branches.get_mut(at) {
            branch.passages.push(passage);
        }
    }

    /// The nodes, the root first, parents before what lies in them, branches by their first passage.
    pub(crate) fn nodes(&self) -> Vec<OutlineNode> {
        let mut nodes = Vec::with_capacity(self.branches.len());
        let mut stack = vec![(None, String::new(), 0)];
        while let Some((parent, key, at)) = stack.pop() {
            let Some(branch) = self.branches.get(at) else { continue };
            let node = nodes.len();
            nodes.push(OutlineNode { parent, key, passages: branch.passages.clone() });
            stack.extend(branch.order.iter().rev().map(|(key, at)| (Some(node), key.clone(), *at)));
        }
        nodes
    }
}

/// The path of labels of a passage's id: "PART 5.12.13.1.(1)" is Part 5, 12, 12.13, 12.13.1, (1).
pub(super) fn path_of(pid: &str) -> Vec<String> {
    let mut path: Vec<String> = Vec::new();
    // Whether the last part is a number that a further figure goes on with.
    let mut open = false;
    for piece in pid.split('.').map(|piece| piece.trim().trim_end_matches([')', ':'])) {
        let piece = piece.to_lowercase();
        if piece.is_empty() {
            open = false;
            continue;
        }
        if piece.starts_with('(') {
            path.push(format!("{piece})"));
            open = false;
            continue;
        }
        let bytes = piece.as_bytes();
        let figure = piece.starts_with(|c: char| c.is_ascii_digit());
        let lettered = bytes.len() > 1
            && bytes.first().is_some_and(u8::is_ascii_lowercase)
            && bytes.iter().skip(1).all(u8::is_ascii_digit);
        if figure || (open && piece.len() == 1) {
            match path.last().filter(|_| open) {
                Some(last) => path.push(format!("{last}.{piece}")),
                None => path.push(piece),
            }
            open = true;
        } else {
            let word = piece.trim_end_matches(|c: char| c.is_ascii_digit());
            let number = piece.slice(word.len()..);
            open = lettered;
            path.push(match word.trim() {
                "app" | "appendix" if !number.is_empty() => format!("appendix {number}"),
                _ => piece,
            });
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_paths_of_labels() {
        let cases = [
            ("4.7.14", "4|4.7|4.7.14"),
            ("9.3.1B.Guidance.5.", "9|9.3|9.3.1b|guidance|5"),
            ("APP11.A11.2.Guidance.9.", "appendix 11|a11|a11.2|guidance|9"),
            ("92)", "92"),
            ("9).a)", "9|9.a"),
            ("Part 6.Chapter 2.76.", "part 6|chapter 2|76"),
            ("Part 16.199.(1)", "part 16|199|(1)"),
            ("PART 5.12.13.1.(1)", "part 5|12|12.13|12.13.1|(1)"),
            ("3.6A.2", "3|3.6a|3.6a.2"),
        ];
        for (pid, path) in cases {
            assert_eq!(path_of(pid).join("|"), path, "{pid}");
        }
    }
}
