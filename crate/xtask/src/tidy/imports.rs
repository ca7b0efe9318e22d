//! Imports between the folders of the page, each a zone that knows only those below it. `engine/` runs in workers and
//! `llm/` in any JavaScript, so neither knows the page; `viewer/` is the only home of pdf.js, and `single/`, for the page in
//! one file, of the bindings of wasm; nothing else comes from outside. Tests and build scripts are exempt.

use super::problem::Problem;

const PDFJS: &str = "pdfjs-dist/";
const BINDINGS: &[&str] = &["pincite-wasm", "pincite-ingest", "pincite-encoder", "pincite-lab"];
/// Reads CSV; no other library than pdf.js comes from outside besides.
const CSV: &str = "papaparse";

/// A folder of `www/` and the folders that it may import, besides itself. The table has no circle: each row names only
/// rows above it. A folder that is not in it imports what it likes.
const ZONES: &[(&str, &[&str])] = &[
    ("dom", &[]),
    ("strings", &[]),
    ("engine", &[]),
    ("llm", &[]),
    ("single", &["engine"]),
    ("offline", &["engine"]),
    ("viewer", &["dom", "strings", "engine"]),
    ("agents", &[]),
    ("device", &["dom", "strings", "engine", "llm"]),
    ("widget", &["dom", "strings", "engine", "llm", "viewer", "agents", "device"]),
    ("lab", &["dom", "strings", "engine", "viewer", "widget"]),
    ("evidence", &["dom", "strings", "engine", "single", "viewer", "widget"]),
    ("remote", &["dom", "strings", "engine", "viewer", "evidence"]),
    ("", &["offline", "widget", "evidence"]),
];

/// Static and dynamic imports of one module; other files give nothing.
pub fn check(path: &str, text: &str) -> Vec<Problem> {
    let Some(module) = path.strip_prefix("www/") else { return Vec::new() };
    let is_of_tests = [".test.js", ".fixture.js"].iter().any(|ending| module.ends_with(ending));
    if !module.ends_with(".js") || is_of_tests {
        return Vec::new();
    }
    let folder = folder_of(module);
    let mut problems = Vec::new();
    for (line_idx, line) in text.lines().enumerate() {
        let Some(from) = imported(line) else { continue };
        let message = if from.starts_with(PDFJS) {
            (folder != "viewer").then(|| format!("`{from}` is at home in viewer/ only"))
        } else if from == CSV {
            (folder != "lab").then(|| format!("`{from}` is at home in lab/ only"))
        } else if BINDINGS.contains(&from) {
            (folder != "single")
                .then(|| format!("`{from}` is at home in single/ only: workers load it by address"))
        } else if !from.starts_with("./") && !from.starts_with("../") {
            Some(format!(
                "`{from}` comes from outside: the page is made of its own modules, pdf.js and papaparse"
            ))
        } else if !from.ends_with(".js") && !from.ends_with(".mjs") {
            Some(format!("`{from}` has no extension: browsers do not guess it"))
        } else {
            crossed(folder, &resolve(module, from))
        };
        problems.extend(message.map(|message| Problem::new(path, line_idx + 1, message)));
    }
    problems
}

/// First folder of a path below `www/`; empty for a file that lies in `www/` itself.
fn folder_of(module: &str) -> &str {
    module.split_once('/').map_or("", |(folder, _)| folder)
}

/// Path below `www/` of the module that `module` imports as `from`.
fn resolve(module: &str, from: &str) -> String {
    let mut path: Vec<&str> = module.split('/').collect();
    path.pop();
    for part in from.split('/') {
        match part {
            "." => {}
            ".." => drop(path.pop()),
            part => path.push(part),
        }
    }
    path.join("/")
}

/// The problem of an import from `folder` that its zone does not allow.
fn crossed(folder: &str, target: &str) -> Option<String> {
    let (_, allowed) = ZONES.iter().find(|(zone, _)| *zone == folder)?;
    let other = folder_of(target);
    let is_allowed = other == folder || allowed.contains(&other);
    (!is_allowed).then(|| format!("`{target}`: {folder}/ must not import {other}/"))
}

/// The address of an import or re-export that starts or ends on this line; types in comments do not count.
fn imported(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.starts_with('*') || line.starts_with("//") || line.starts_with("/*") {
        return None;
    }
    let rest = if let Some(rest) = line.strip_prefix("import '") {
        rest
    } else if line.starts_with("import ") || line.starts_with("export ") || line.starts_with('}') {
        line.split_once(" from '")?.1
    } else {
        return None;
    };
    rest.split_once('\'').map(|(from, _)| from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowed_imports_pass() {
        let cases = [
            ("www/engine/client.js", "import { Pool } from './pool.js';"),
            ("www/widget/pincite-widget.js", "import { Client } from '../engine/client.js';"),
            ("www/widget/parts/answer.js", "import { el } from '../../dom/elements.js';"),
            ("www/viewer/viewer.js", "import { el } from '../dom/elements.js';"),
            ("www/viewer/pdf.js", "import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.min.mjs';"),
            ("www/engine/protocol.js", "/** @typedef {import('pincite-wasm').Answer} Answer */"),
            ("www/engine/pool.test.js", "import test from 'node:test';"),
            ("www/engine/packed.fixture.js", "import { createHash } from 'node:crypto';"),
            ("www/build.mjs", "import * as esbuild from 'esbuild';"),
            ("www/page.js", "import './widget/pincite-widget.js';"),
            ("www/lab/questions.js", "import Papa from 'papaparse';"),
            ("www/single/glue.js", "import * as wasm from 'pincite-wasm';"),
        ];
        for (path, line) in cases {
            assert_eq!(check(path, line), [], "{path}: {line}");
        }
    }

    #[test]
    fn zones_form_no_circle() {
        for (row, (zone, allowed)) in ZONES.iter().enumerate() {
            let above: Vec<&str> = ZONES[..row].iter().map(|(zone, _)| *zone).collect();
            assert!(allowed.iter().all(|other| above.contains(other)), "{zone}: {allowed:?}");
        }
    }

    #[test]
    fn imports_across_a_border_are_named() {
        let cases = [
            (
                "www/engine/owner.js",
                "import { el } from '../dom/elements.js';",
                "engine/ must not import dom/",
            ),
            (
                "www/viewer/text.js",
                "import { Conversation } from '../widget/conversation.js';",
                "viewer/ must not import widget/",
            ),
            (
                "www/dom/elements.js",
                "import { Viewer } from '../viewer/viewer.js';",
                "dom/ must not import viewer/",
            ),
            ("www/page.js", "import { Engine } from './engine/client.js';", "/ must not import engine/"),
            ("www/widget/parts/answer.js", "} from 'pdfjs-dist/build/pdf.mjs';", "viewer/ only"),
            ("www/widget/view.js", "import Papa from 'papaparse';", "lab/ only"),
            ("www/dom/elements.js", "import { html } from 'lit';", "comes from outside"),
            ("www/engine/worker.js", "import * as wasm from 'pincite-wasm';", "single/ only"),
            ("www/dom/elements.js", "export { icon } from './icons';", "no extension"),
        ];
        for (path, line, expected) in cases {
            let found = check(path, &format!("/** Doc. */\n{line}\n"));
            assert_eq!(found.len(), 1, "{line}");
            assert!(found[0].line == 2 && found[0].message.contains(expected), "{found:?}");
        }
    }
}
