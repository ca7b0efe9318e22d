//! Levels of headings: classes of headings, put in one order for the whole document.
//!
//! Headings that are numbered or set alike form a class, and a class has one place in the order of
//! enclosure. The order is built while reading: a class seen for the first time is put below the innermost
//! open heading that does not yield to it. What yields to what is decided by the outline where the file has
//! one, then by the numbering (a Part encloses a Chapter, 3.2 encloses 3.2.1), then by type (larger, capitals,
//! centred, bold). Classes that none of these tell apart keep the order of their first appearance, which is
//! right for ARTICLE VII / Section 7.1 as well as for SECTION 1 / Article 4. What stands in a schedule is
//! classed apart, so that its Parts do not meet the Parts of the main text.
//!
//! Cost: linear in headings; classes and depth are capped, so each step is bounded.

use std::collections::HashMap;

use document::{BlockStyle, OrNever as _};

use crate::flat;
use crate::heading::Heading;
use crate::heading_class::{ANNOUNCES, ClassKey, HeadingPosition, TypeStyle};
use crate::numbering::Kind;

/// Deepest nesting; deeper headings stay on this level.
pub(crate) const MAX_LEVEL: usize = 32;
/// Most classes; further ones share the last place.
const MAX_CLASSES: usize = 64;
/// The weight of upright type without bold, capitals or centring.
const PLAIN: i32 = 1;

#[derive(Clone, Copy)]
struct Class {
    key: ClassKey,
    look: TypeStyle,
    /// True if its first heading begins a sequence: "1.", "A.", or no number at all.
    starts: bool,
}

/// Places all headings.
pub(crate) fn place(headings: &[Heading]) -> Vec<HeadingPosition> {
    let keys = keys(headings);
    let mut flat = flat::find(headings, &keys);
    let mut places = nest(headings, &keys, &flat);
    for _ in 0..flat::MAX_COVER {
        let Some(title) = flat::title(headings, &keys, &places) else { break };
        if let Some(slot) = flat.get_mut(title) {
            *slot = true;
        }
        places = nest(headings, &keys, &flat);
    }
    places
}

fn nest(headings: &[Heading], keys: &[ClassKey], flat: &[bool]) -> Vec<HeadingPosition> {
    let mut classes: Vec<Class> = Vec::new();
    let mut ids: HashMap<ClassKey, usize> = HashMap::new();
    // `order[class]` is the place of a class in the order of enclosure.
    let mut order: Vec<usize> = Vec::new();
    let mut stack: Vec<usize> = Vec::new();
    let mut places: Vec<HeadingPosition> = Vec::with_capacity(headings.len());
    for (at, ((heading, &key), is_flat)) in headings.iter().zip(keys).zip(flat).enumerate() {
        let class = *ids.entry(key).or_insert_with(|| {
            if classes.len() >= MAX_CLASSES {
                return order
                    .iter()
                    .enumerate()
                    .max_by_key(|(_, place)| **place)
                    .map_or(0, |(class, _)| class);
            }
            let starts = heading.number.as_ref().is_none_or(|number| number.last() <= 1);
            let class = Class { key, look: look(&heading.style), starts };
            let open: Vec<usize> = stack
                .iter()
                .filter_map(|&open| places.get(open).map(|place: &HeadingPosition| place.class))
                .collect();
            insert(class, &open, &mut classes, &mut order)
        });
        let rank = |class: usize| order.get(class).copied().or_never("the place of a class");
        while let Some(&open) = stack.last()
            && places.get(open).is_some_and(|place| rank(place.class) >= rank(class))
        {
            stack.pop();
        }
        let parent = stack.last().copied();
        places.push(HeadingPosition { level: 0, parent, class });
        if stack.len() < MAX_LEVEL - 1 && !is_flat {
            stack.push(at);
        }
    }
    let is_named = |class: &Class| matches!(class.key, ClassKey::Numbered { kind, .. } if kind.is_named());
    let named: Vec<bool> = classes.iter().map(is_named).collect();
    set_levels(&mut places, &named);
    places
}

/// A class has one level where it stands inside another, so that a heading directly under a Part is set as deep as
/// its fellows under a Chapter: a class of a named kind the deepest that a fifth of its headings need, another the
/// one that most need. Outermost headings have 1.
fn set_levels(places: &mut [HeadingPosition], named: &[bool]) {
    let n_classes = named.len();
    let mut depths: Vec<usize> = Vec::with_capacity(places.len());
    let mut counts = vec![[0u32; MAX_LEVEL + 1]; n_classes];
    // The same of headings that stand in named ones: what else stands between may be no section.
    let mut in_named = counts.clone();
    for place in places.iter() {
        let own =
            place.parent.and_then(|parent| depths.get(parent)).map_or(1, |above| above + 1).min(MAX_LEVEL);
        depths.push(own);
        let above = place.parent.and_then(|parent| places.get(parent));
        let is_in_named =
            above.is_none_or(|above| named.get(above.class).copied().or_never("the class of a heading"));
        if let Some(count) = in_named.get_mut(place.class).and_then(|counts| counts.get_mut(own))
            && is_in_named
        {
            *count += 1;
        }
        if let Some(count) = counts.get_mut(place.class).and_then(|counts| counts.get_mut(own)) {
            *count += 1;
        }
    }
    // The shallower of two that are as frequent.
    let usual: Vec<usize> = counts
        .iter()
        .zip(named.iter().zip(&in_named))
        .map(|(counts, (is_named, in_named))| {
            let all: u32 = in_named.iter().sum();
            let deepest = || in_named.iter().rposition(|&count| count > 0 && count * 5 >= all);
            if let Some(deepest) = is_named.then(deepest).flatten() {
                return deepest;
            }
            counts.iter().enumerate().rev().max_by_key(|(_, count)| **count).map_or(1, |(depth, _)| depth)
        })
        .collect();
    for at in 0..places.len() {
        let Some(&HeadingPosition { parent, class, .. }) = places.get(at) else { continue };
        let above = parent.and_then(|parent| places.get(parent)).map(|place| place.level);
        let level = match above {
            None => 1,
            Some(above) => {
                usual.get(class).copied().or_never("the level of a class").max(usize::from(above) + 1)
            }
        };
        if let Some(place) = places.get_mut(at) {
            place.level = u8::try_from(level).unwrap_or(u8::MAX);
        }
    }
}

/// The class of each heading.
fn keys(headings: &[Heading]) -> Vec<ClassKey> {
    let mut in_schedule = false;
    let mut base: Vec<ClassKey> = headings
        .iter()
        .map(|heading| {
            let look = look(&heading.style);
            match &heading.number {
                Some(number) => {
                    in_schedule |= number.kind == Kind::Schedule;
                    let loose = !number.kind.is_named() && number.kind != Kind::Decimal;
                    let counted =
                        matches!(number.kind, Kind::Decimal | Kind::Section | Kind::Rule | Kind::Sign);
                    ClassKey::Numbered {
                        kind: number.kind,
                        depth: if counted { number.values.len() } else { 1 },
                        type_size: if loose { look.type_size } else { 0 },
                        bold: loose && heading.style.bold,
                        in_schedule: in_schedule && number.kind != Kind::Schedule,
                    }
                }
                None => ClassKey::Styled { look, in_schedule },
            }
        })
        .collect();
    for announcer in announcers(headings, &base) {
        if let Some(ClassKey::Styled { look, .. }) = base.get_mut(announcer) {
            look.weight += ANNOUNCES;
        }
    }
    // A class whose members the outline puts on one level is that level's class.
    let mut levels: HashMap<ClassKey, Option<u8>> = HashMap::new();
    for (heading, &key) in headings.iter().zip(&base) {
        if let Some(level) = heading.outline {
            levels
                .entry(key)
                .and_modify(|seen| *seen = seen.filter(|&seen| seen == level))
                .or_insert(Some(level));
        }
    }
    headings
        .iter()
        .zip(base)
        .map(|(heading, key)| match (heading.outline, levels.get(&key)) {
            (Some(level), _) | (None, Some(&Some(level))) => ClassKey::Outline(level),
            _ => key,
        })
        .collect()
}

/// Headings whose words hold two later headings that are set like them: "MEMORANDUM FINDINGS OF FACT AND OPINION"
/// above "FINDINGS OF FACT" and "OPINION". Only the first headings of a document announce.
fn announcers(headings: &[Heading], keys: &[ClassKey]) -> Vec<usize> {
    let words = |title: &str| -> Vec<String> {
        let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let unnumbered = |at: &usize| keys.get(*at).is_some_and(|key| key.is_styled());
    (0..headings.len().min(flat::MAX_COVER))
        .filter(unnumbered)
        .filter(|&at| {
            let Some(own) = headings.get(at).map(|heading| words(&heading.title)) else { return false };
            let is_within = |title: &str| {
                let other = words(title);
                !other.is_empty()
                    && other.len() < own.len()
                    && own.windows(other.len()).any(|part| part == other)
            };
            let later = headings.iter().zip(keys).skip(at + 1);
            own.len() >= 3
                && later
                    .filter(|(heading, key)| keys.get(at) == Some(*key) && is_within(&heading.title))
                    .nth(1)
                    .is_some()
        })
        .collect()
}

fn look(style: &BlockStyle) -> TypeStyle {
    let quarters = (style.size.0 * 4.0).round().clamp(0.0, 4_000.0);
    let flags = [(style.caps, 4), (style.centered, 3), (style.bold, 2), (!style.italic, 1)];
    let weight = flags.iter().filter(|(set, _)| *set).map(|(_, weight)| weight).sum();
    TypeStyle { type_size: quarters as i32, weight }
}

/// Gives a new class its place in the order and returns its id. `open` are the classes of the open headings,
/// outermost first. Classes may share a place.
fn insert(class: Class, open: &[usize], classes: &mut Vec<Class>, order: &mut Vec<usize>) -> usize {
    let rank = |id: usize| order.get(id).copied().or_never("the place of a class");
    let is_like =
        |id: usize| classes.get(id).is_some_and(|other| is_numbered(other) && other.look == class.look);
    let like = match class.key {
        ClassKey::Styled { look, .. } if look.weight > PLAIN => open.iter().find(|&&id| is_like(id)),
        _ => None,
    };
    let place = match like {
        // Set like a numbered heading, as "Signatures" after "11. Miscellaneous": its equal.
        Some(&like) => rank(like),
        None => {
            let above =
                |id: usize| classes.get(id).map_or(Enclosure::Unknown, |other| enclosure(other, &class));
            // Below the innermost open class that does not yield to it...
            let mut place =
                open.iter().rev().find(|&&id| above(id) != Enclosure::Inside).map_or(0, |&id| rank(id) + 1);
            // ...and below the classes seen earlier that certainly enclose it.
            let all_enclose = |place: usize| {
                let mut at_place = (0..classes.len()).filter(|&id| rank(id) == place).peekable();
                at_place.peek().is_some() && at_place.all(|id| above(id) == Enclosure::Encloses)
            };
            while all_enclose(place) {
                place += 1;
            }
            for slot in order.iter_mut().filter(|slot| **slot >= place) {
                *slot += 1;
            }
            place
        }
    };
    classes.push(class);
    order.push(place);
    classes.len() - 1
}

fn is_numbered(class: &Class) -> bool {
    matches!(class.key, ClassKey::Numbered { .. })
}

/// Relation of one class to another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enclosure {
    Encloses,
    Inside,
    Unknown,
}

impl Enclosure {
    fn by<T: Ord>(a: T, b: T) -> Self {
        match a.cmp(&b) {
            std::cmp::Ordering::Less => Self::Encloses,
            std::cmp::Ordering::Greater => Self::Inside,
            std::cmp::Ordering::Equal => Self::Unknown,
        }
    }
}

fn enclosure(a: &Class, b: &Class) -> Enclosure {
    match (a.key, b.key) {
        (ClassKey::Outline(a), ClassKey::Outline(b)) => Enclosure::by(a, b),
        (
            ClassKey::Numbered { kind: ka, depth: da, in_schedule: sa, .. },
            ClassKey::Numbered { kind: kb, depth: db, in_schedule: sb, .. },
        ) => {
            if sa != sb && (ka == Kind::Schedule || kb == Kind::Schedule) {
                return Enclosure::by(ka, kb);
            }
            let order = by_number((ka, da), (kb, db)).unwrap_or_else(|| by_look(a.look, b.look));
            // "II." after "A." and "1.": its "I." was missed, it is not inside them.
            if order == Enclosure::Unknown && !b.starts { Enclosure::by(ka, kb) } else { order }
        }
        // A Part or Chapter stands inside nothing but its like.
        (ClassKey::Styled { .. }, ClassKey::Numbered { kind, .. }) if kind.is_container() => {
            Enclosure::Inside
        }
        (ClassKey::Numbered { kind, .. }, ClassKey::Styled { .. }) if kind.is_container() => {
            Enclosure::Encloses
        }
        _ => by_look(a.look, b.look),
    }
}

/// The relation of two kinds of numbering, if they decide it.
fn by_number((a, depth_a): (Kind, usize), (b, depth_b): (Kind, usize)) -> Option<Enclosure> {
    let paren = |kind: Kind| kind >= Kind::ParenDigit;
    if a.is_container() && b.is_container() {
        return Some(Enclosure::by(a, b));
    }
    if a.is_container() || b.is_container() {
        return Some(if a.is_container() { Enclosure::Encloses } else { Enclosure::Inside });
    }
    if paren(a) != paren(b) {
        return Some(if paren(a) { Enclosure::Inside } else { Enclosure::Encloses });
    }
    let decimal = |kind: Kind| matches!(kind, Kind::Decimal | Kind::Arabic);
    if a == b || decimal(a) && decimal(b) {
        return Some(Enclosure::by(depth_a, depth_b)).filter(|&order| order != Enclosure::Unknown);
    }
    let word =
        |kind: Kind| matches!(kind, Kind::Section | Kind::Article | Kind::Rule | Kind::Sign | Kind::Tiao);
    if word(a) && b == Kind::Decimal || a == Kind::Decimal && word(b) {
        // "Article 7" encloses "7.1"; "7.1" is no deeper than "Section 7.1".
        return (depth_a != depth_b).then(|| Enclosure::by(depth_a, depth_b));
    }
    None
}

fn by_look(a: TypeStyle, b: TypeStyle) -> Enclosure {
    // Half a point of type is a difference that somebody chose.
    if (a.type_size - b.type_size).abs() >= 2 {
        return Enclosure::by(b.type_size, a.type_size);
    }
    if (a.weight - b.weight).abs() >= 2 {
        return Enclosure::by(b.weight, a.weight);
    }
    Enclosure::Unknown
}
