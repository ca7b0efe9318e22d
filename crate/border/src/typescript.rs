//! TypeScript of the Rust types that cross the border: the text of `types.d.ts`. Not part of the wasm build.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

/// Declarations of types and of the types in them, by name.
#[derive(Default)]
pub struct Declarations {
    config: Config,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only derived types have a file to go to, and a name.
        if T::output_path().is_none() || self.by_name.contains_key(&T::ident(&self.config)) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let declaration = format!("{docs}export {}", T::decl(&self.config));
        self.by_name.insert(T::ident(&self.config), declaration);
        T::visit_dependencies(self);
    }
}

impl Declarations {
    /// Adds a type.
    #[must_use]
    pub fn with<T: TS + 'static>(mut self) -> Self {
        self.visit::<T>();
        self
    }

    /// The text of `types.d.ts`.
    pub fn text(&self) -> String {
        let declarations: Vec<String> = self.by_name.values().map(|text| laid_out(text)).collect();
        let text = declarations.join("\n\n");
        let long = if text.lines().count() > 600 { "// More than 600 lines: generated.\n" } else { "" };
        format!(
            "// Generated from the Rust types: UPDATE_TYPES=1 cargo test --workspace --test typescript\n{long}\n{text}\n"
        )
    }
}

/// A declaration with a line per field, comments on one line before it.
fn laid_out(declaration: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut comment: Option<Vec<&str>> = None;
    let mut depth = 0_usize;
    for line in declaration.lines().map(str::trim) {
        match &mut comment {
            None if line == "/**" => comment = Some(Vec::new()),
            None => {
                let indent = "  ".repeat(usize::from(depth > 0));
                match line.strip_suffix(" };") {
                    Some(last) if depth > 0 => lines.extend([format!("{indent}{last}"), "};".to_owned()]),
                    _ => lines.push(format!("{indent}{line}")),
                }
                depth = (depth + line.matches('{').count()).saturating_sub(line.matches('}').count());
            }
            Some(words) if line == "*/" => {
                lines.push(format!("{}/** {} */", "  ".repeat(usize::from(depth > 0)), words.join(" ")));
                comment = None;
            }
            Some(words) => words.push(line.trim_start_matches("* ")),
        }
    }
    lines.join("\n")
}
