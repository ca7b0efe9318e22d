//! Optional content (ISO 32000-1, 8.11): the groups that are off when the file is opened.
//!
//! Content of a group that is off is not painted, and its text is hidden. The default configuration applies, and what the
//! usage of a group says of viewing, as in pdf.js; usage by zoom, language or printing is ignored.

use std::collections::BTreeSet;

use lopdf::{Dictionary, Object, ObjectId};

use crate::objects::{Objects, as_dict, reference};

/// Maximum groups of a file.
const MAX_GROUPS_OF_FILE: usize = 100_000;
/// Maximum nesting of visibility expressions.
const MAX_DEPTH: usize = 8;
/// Maximum groups of one membership dictionary, or operands of one expression.
const MAX_GROUPS: usize = 256;
/// Steps of looking up a group.
const GROUP: usize = 20;

/// Optional content groups that are off.
#[derive(Default)]
pub(crate) struct OptionalContent {
    off: BTreeSet<ObjectId>,
}

impl OptionalContent {
    /// Reads the default configuration of the catalog.
    pub(crate) fn read<'a>(objects: &Objects<'a>, catalog: &'a Dictionary) -> Self {
        let Some(properties) = objects.dict(catalog, b"OCProperties") else { return Self::default() };
        let Some(config) = objects.dict(properties, b"D") else { return Self::default() };
        let ids = |dict: &'a Dictionary, key: &[u8]| {
            let groups = objects.array(dict, key).unwrap_or_default();
            groups.iter().take(MAX_GROUPS_OF_FILE).filter_map(reference).collect::<BTreeSet<_>>()
        };
        let mut off = match objects.name(config, b"BaseState") {
            Some(b"OFF") => ids(properties, b"OCGs"),
            _ => BTreeSet::new(),
        };
        off.extend(ids(config, b"OFF"));
        for on in ids(config, b"ON") {
            off.remove(&on);
        }
        // Groups that their own usage keeps from being viewed.
        off.extend(ids(properties, b"OCGs").into_iter().filter(|id| {
            let group = objects.document.objects.get(id).and_then(as_dict);
            let usage = group.and_then(|group| objects.dict(group, b"Usage"));
            let view = usage.and_then(|usage| objects.dict(usage, b"View"));
            view.and_then(|view| objects.name(view, b"ViewState")) == Some(b"OFF")
        }));
        Self { off }
    }

    /// True if `content`, a group or membership dictionary or a reference to one, is off.
    pub(crate) fn hides<'a>(&self, objects: &Objects<'a>, content: &'a Object) -> bool {
        if self.off.is_empty() {
            return false;
        }
        if reference(content).is_some_and(|id| self.off.contains(&id)) {
            return true;
        }
        let Some(dict) = as_dict(objects.resolve(content)) else { return false };
        if !dict.has_type(b"OCMD") {
            return false;
        }
        if let Some(expression) = objects.array(dict, b"VE") {
            return !self.is_visible(objects, expression, 0);
        }
        let groups = match dict.get(b"OCGs").map(|groups| (groups, objects.resolve(groups))) {
            Ok((_, Object::Array(groups))) => groups.as_slice(),
            Ok((group, _)) => std::slice::from_ref(group),
            Err(_) => return false,
        };
        objects.meter.steps(groups.len().min(MAX_GROUPS) * GROUP);
        let mut states =
            groups.iter().take(MAX_GROUPS).filter_map(reference).map(|id| !self.off.contains(&id)).peekable();
        if states.peek().is_none() {
            return false;
        }
        !match objects.name(dict, b"P") {
            Some(b"AllOn") => states.all(|on| on),
            Some(b"AnyOff") => states.any(|on| !on),
            Some(b"AllOff") => states.all(|on| !on),
            _ => states.any(|on| on),
        }
    }

    /// Value of a visibility expression.
    fn is_visible<'a>(&self, objects: &Objects<'a>, expression: &'a [Object], depth: usize) -> bool {
        let Some((operator, operands)) = expression.split_first() else { return true };
        // An expression that names itself many times has more values than there are steps.
        objects.meter.steps(operands.len().min(MAX_GROUPS) * GROUP);
        if objects.meter.spent().is_some() {
            return true;
        }
        let mut values = operands.iter().take(MAX_GROUPS).map(|operand| match objects.resolve(operand) {
            Object::Array(inner) if depth < MAX_DEPTH => self.is_visible(objects, inner, depth + 1),
            _ => reference(operand).is_none_or(|id| !self.off.contains(&id)),
        });
        match objects.resolve(operator).as_name() {
            Ok(b"Not") => !values.next().unwrap_or(false),
            Ok(b"Or") => values.any(|value| value),
            _ => values.all(|value| value),
        }
    }
}
