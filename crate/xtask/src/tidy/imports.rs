//! What the modules of the page may import. `engine/` runs in workers and knows nothing of the page; `viewer/` is the
//! only home of pdf.js; nothing else comes from outside. Tests and build scripts are free.

use super::Problem;

const PDFJS: &str = "pdfjs-dist/";

/// Static and dynamic imports of one module; other files give nothing.
pub fn check(path: &str, text: &str) -> Vec<Problem> {
    let Some(module) = path.strip_prefix("www/") else { return Vec::new() };
    if !module.ends_with(".js") || module.ends_with(".test.js") {
        return Vec::new();
    }
    let folder = module.split_once('/').map_or("", |(folder, _)| folder);
    let mut problems = Vec::new();
    for (line_idx, line) in text.lines().enumerate() {
        let Some(from) = imported(line) else { continue };
        let message = if from.starts_with(PDFJS) {
            (folder != "viewer").then(|| format!("`{from}` is at home in viewer/ only"))
        } else if !from.starts_with("./") && !from.starts_with("../") {
            Some(format!("`{from}` comes from outside: the page is made of its own modules and pdf.js"))
        } else if !from.ends_with(".js") && !from.ends_with(".mjs") {
            Some(format!("`{from}` has no extension: browsers do not guess it"))
        } else if folder == "engine" && from.starts_with("../") {
            Some(format!("`{from}`: engine/ must not know the page"))
        } else {
            None
        };
        problems.extend(message.map(|message| Problem::new(path, line_idx + 1, message)));
    }
    problems
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
            ("www/viewer/pdf.js", "import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.min.mjs';"),
            ("www/engine/protocol.js", "/** @typedef {import('pincite-wasm').Answer} Answer */"),
            ("www/engine/pool.test.js", "import test from 'node:test';"),
            ("www/build.mjs", "import * as esbuild from 'esbuild';"),
            ("www/page.js", "import './widget/pincite-widget.js';"),
        ];
        for (path, line) in cases {
            assert_eq!(check(path, line), [], "{path}: {line}");
        }
    }

    #[test]
    fn imports_across_a_border_are_named() {
        let cases = [
            (
                "www/engine/owner.js",
                "import { el } from '../widget/dom.js';",
                "engine/ must not know the page",
            ),
            ("www/widget/parts/answer.js", "} from 'pdfjs-dist/build/pdf.mjs';", "viewer/ only"),
            ("www/widget/dom.js", "import { html } from 'lit';", "comes from outside"),
            ("www/widget/dom.js", "export { text } from './strings';", "no extension"),
        ];
        for (path, line, expected) in cases {
            let found = check(path, &format!("/** Doc. */\n{line}\n"));
            assert_eq!(found.len(), 1, "{line}");
            assert!(found[0].line == 2 && found[0].message.contains(expected), "{found:?}");
        }
    }
}
