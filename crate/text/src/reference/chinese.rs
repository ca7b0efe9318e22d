//! References in Chinese: 第六条第二款第三项, 第六条至第九条, 《公司法》第二十条, 前款, 本条第一款.
//!
//! 第 or a word of position opens one; 编章节条款项目 take its numbers; the instrument stands directly before
//! it, in 《》 or as a word that ends in 法, 条例 and the like. Cost: linear; looking back for the instrument
//! is bounded.

use super::line::printed;
use super::provision_reference::{ProvisionReference, Scope};
use crate::numerals::{chinese, is_han_ordinal};
use crate::provision::{self, ProvisionUnit};
use crate::steps;

/// Most parts of one reference.
const MAX_PARTS: usize = 8;
/// Most characters between 《 and 》, and of a title without them.
const MAX_TITLE: usize = 60;
/// Most characters of a title without marks.
const MAX_BARE_TITLE: usize = 14;

/// Adds the references of a line that begins at byte `base` of the text.
pub(super) fn scan(line: &str, base: usize, found: &mut Vec<ProvisionReference>) {
    let mut at = 0;
    let mut floor = 0;
    let mut previous: Option<(usize, ProvisionReference)> = None;
    while let Some(c) = line.get(at..).and_then(|rest| rest.chars().next()) {
        steps::count(1);
        let read = match c {
            '第' => ordinal_path(line, at).map(|(path, end)| (path, Scope::Document, end)),
            '前' | '上' | '本' | '该' | '同' | '下' => relative_path(line, at),
            '附' => attachment_path(line, at),
            _ => None,
        };
        let Some((mut path, mut scope, end)) = read else {
            at += c.len_utf8();
            continue;
        };
        let mut start = at;
        let mut instrument = None;
        // 第六条至第九条, 第六条、第七条: the second has what the first has.
        let joint = previous.as_ref().and_then(|(end, _)| line.get(*end..at));
        let joined = matches!(joint, Some("、" | "和" | "及" | "或" | "或者" | "以及" | "与" | "至" | "到"));
        if let (true, Some((_, before))) = (joined, &previous) {
            instrument.clone_from(&before.instrument);
            if scope == Scope::Document {
                scope = before.scope;
                complete_path(&mut path, &before.path);
            }
        } else if scope == Scope::Document {
            match instrument_before(line, floor, at) {
                Some((Some(name), from)) => (instrument, start) = (Some(name), from),
                Some((None, from)) => (scope, start) = (Scope::Own, from),
                None => {}
            }
            // 款 or 项 without its 条 is one of the provision at hand.
            if instrument.is_none()
                && scope == Scope::Document
                && path
                    .first()
                    .is_some_and(|part| ["款", "项", "目", "段"].iter().any(|u| part.starts_with(u)))
            {
                scope = Scope::Here;
            }
        }
        let reference =
            ProvisionReference { range: base + start..base + end, instrument, path, scope, through: false };
        if matches!(joint, Some("至" | "到"))
            && let Some(first) = found.last_mut()
        {
            first.through = true;
        }
        previous = Some((end, reference.clone()));
        found.push(reference);
        (at, floor) = (end, end);
    }
}

/// 第六条第二款第三项 at `at`: its parts and its end.
fn ordinal_path(line: &str, at: usize) -> Option<(Vec<String>, usize)> {
    let mut parts = Vec::new();
    let mut end = at;
    while parts.len() < MAX_PARTS {
        let Some((part, next)) = ordinal(line, end) else { break };
        parts.push(part);
        end = next;
    }
    (!parts.is_empty()).then_some((parts, end))
}

/// 第六条, 第一百二十条之一, 第（三）项, （三）项.
fn ordinal(line: &str, at: usize) -> Option<(String, usize)> {
    let rest = line.get(at..)?;
    let after = rest.strip_prefix('第');
    let (body, mut end) = match after {
        Some(after) => (after, at + '第'.len_utf8()),
        None => (rest.starts_with(['（', '(']).then_some(rest)?, at),
    };
    let open = body.chars().next().filter(|&c| matches!(c, '（' | '('));
    let body = open.map_or(Some(body), |open| body.get(open.len_utf8()..))?;
    end += open.map_or(0, char::len_utf8);
    let n = body.char_indices().take(11).find(|&(_, c)| !is_digit(c)).map_or(body.len(), |(n, _)| n);
    let value = chinese(body.get(..n)?.trim())?;
    let mut unit = body.get(n..)?;
    end += n;
    if open.is_some() {
        let close = unit.chars().next().filter(|&c| matches!(c, '）' | ')'))?;
        unit = unit.get(close.len_utf8()..)?;
        end += close.len_utf8();
    }
    let ProvisionUnit { unit: name, key, .. } = provision::unit(unit)?;
    if after.is_none() && !matches!(key, "项" | "目") {
        return None;
    }
    // 条件, 款项, 项目, 节能: words, not units.
    let tail = unit.get(name.len()..)?;
    if tail.starts_with(match key {
        "条" => ['件', '款', '例'],
        "款" => ['项', '式', '物'],
        "项" => ['目', '下', '链'],
        _ => ['\0', '\0', '\0'],
    }) {
        return None;
    }
    end += name.len();
    let mut part = format!("{key} {value}");
    if let Some(after) = tail.strip_prefix('之') {
        let n = after.char_indices().take(5).find(|&(_, c)| !is_digit(c)).map_or(after.len(), |(n, _)| n);
        if let Some(sub) = after.get(..n).and_then(chinese) {
            part.push_str(&format!("-{sub}"));
            end += '之'.len_utf8() + n;
        }
    }
    Some((part, end))
}

fn is_digit(c: char) -> bool {
    steps::count(1);
    c.is_ascii_digit() || is_han_ordinal(c)
}

/// 前款, 前两款, 本条第一款, 上一条, 该款, 同条.
fn relative_path(line: &str, at: usize) -> Option<(Vec<String>, Scope, usize)> {
    let rest = line.get(at..)?;
    let c = rest.chars().next()?;
    let scope = match c {
        '前' | '上' => Scope::Previous,
        '下' => Scope::Next,
        '本' => Scope::Here,
        _ => Scope::That,
    };
    let mut body = rest.get(c.len_utf8()..)?;
    let mut end = at + c.len_utf8();
    if let Some(number) = body.chars().next().filter(|&n| "一两二三四".contains(n)) {
        if matches!(scope, Scope::Here | Scope::That) {
            return None;
        }
        body = body.get(number.len_utf8()..)?;
        end += number.len_utf8();
    }
    let ProvisionUnit { unit: name, key, .. } = provision::unit(body)?;
    let tail = body.get(name.len()..)?;
    // 上款 and 该项 are units; 前段时间, 本章程, 本条例, 该款项, 前项目, 上编号 are not.
    let word = match key {
        "条" => tail.starts_with(['例', '件', '款']),
        "章" => tail.starts_with('程'),
        "项" => tail.starts_with('目'),
        "款" => tail.starts_with(['项', '式']),
        "段" | "目" | "部分" | "分编" => true,
        "节" => tail.starts_with(['能', '点', '约']),
        "编" => tail.starts_with(['号', '制', '辑']),
        _ => false,
    };
    if word || (scope == Scope::Next && !matches!(key, "条" | "款")) {
        return None;
    }
    end += name.len();
    let mut path = vec![key.to_owned()];
    if let Some((parts, next)) = ordinal_path(line, end) {
        path.extend(parts);
        end = next;
    }
    Some((path, scope, end))
}

/// 附件1, 附录二, 附表三.
fn attachment_path(line: &str, at: usize) -> Option<(Vec<String>, Scope, usize)> {
    let rest = line.get(at..)?;
    let name = provision::attachment(rest)?;
    let body = rest.get(name.len()..)?;
    let n = body.char_indices().take(6).find(|&(_, c)| !is_digit(c)).map_or(body.len(), |(n, _)| n);
    let value = chinese(body.get(..n)?)?;
    Some((vec![format!("{name} {value}")], Scope::Document, at + name.len() + n))
}

/// Puts in front of `path` what it leaves out of the one before: 第六条第一款、第二款.
fn complete_path(path: &mut Vec<String>, before: &[String]) {
    let unit = |part: &String| part.split(' ').next().unwrap_or_default().to_owned();
    let Some(first) = path.first().map(unit) else { return };
    if let Some(place) = before.iter().position(|part| unit(part) == first)
        && let Some(kept) = before.get(..place)
    {
        path.splice(0..0, kept.iter().cloned());
    }
}

/// The instrument directly before `at`: its name (`None` for 本法) and where it begins.
fn instrument_before(line: &str, floor: usize, at: usize) -> Option<(Option<String>, usize)> {
    const INSTRUMENT_NOUNS: [&str; 14] = [
        "条例", "规定", "办法", "规则", "细则", "章程", "解释", "决定", "准则", "指引", "法典", "宪法",
        "通知", "法",
    ];
    let before = line.get(floor..at)?.trim_end_matches([' ', '\u{3000}', '的', '中', '之']);
    steps::count(at - floor - before.len());
    let mut body = before;
    if body.ends_with(['）', ')']) {
        // 《…》（以下简称…）第二十条.
        let open = body.char_indices().rev().take(MAX_TITLE).find(|&(_, c)| matches!(c, '（' | '('))?.0;
        body = body.get(..open)?;
    }
    if let Some(inner) = body.strip_suffix('》') {
        let open = inner.char_indices().rev().take(MAX_TITLE).find(|&(_, c)| c == '《')?.0;
        let name = printed(inner.get(open + '《'.len_utf8()..)?);
        return (!name.is_empty()).then_some((Some(name), floor + open));
    }
    let head = INSTRUMENT_NOUNS.iter().find(|head| body.ends_with(*head))?;
    let stem = body.strip_suffix(head)?;
    let start = stem
        .char_indices()
        .rev()
        .take(MAX_BARE_TITLE)
        .take_while(|&(_, c)| crate::chars::is_cjk(c) && !NOT_IN_TITLE.contains(c))
        .last()
        .map_or(stem.len(), |(n, _)| n);
    let name = body.get(start..)?;
    match name.chars().next()? {
        '本' => Some((None, floor + start)),
        _ if start == stem.len() || name.starts_with(['该', '此', '同', '上']) => None,
        _ => Some((Some(name.to_owned()), floor + start)),
    }
}

/// Characters that end a title before it begins: particles, verbs and marks of a sentence.
const NOT_IN_TITLE: &str =
    "照据反合于由在对和与及或按依适用违的了是以被向从，。；：、（）《》〈〉“”其将把并且因为至到第";
