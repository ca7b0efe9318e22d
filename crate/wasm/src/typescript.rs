//! TypeScript of the Rust types that cross the border: the text of `types.d.ts`. Not part of the wasm build.

use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use crate::types;

/// Declarations by name.
#[derive(Default)]
struct Declarations {
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

/// The declarations of all types that the API names, and of the types in them, by name.
pub fn typescript() -> String {
    let mut declarations = Declarations::default();
    declarations.visit::<engine::Answer>();
    declarations.visit::<engine::Code>();
    declarations.visit::<engine::DocumentInfo>();
    declarations.visit::<engine::ProfileInfo>();
    declarations.visit::<engine::Program>();
    declarations.visit::<engine::Stage>();
    declarations.visit::<engine::TextBlock>();
    declarations.visit::<types::AskOptions>();
    declarations.visit::<types::AskingOptions>();
    declarations.visit::<types::EmbeddedQuery>();
    declarations.visit::<types::ModelFault>();
    declarations.visit::<types::ModelReply>();
    declarations.visit::<types::Need>();
    declarations.visit::<types::ParseOptions>();
    declarations.visit::<types::Parsed>();
    declarations.visit::<types::SearchOptions>();
    declarations.visit::<types::SearchReply>();
    declarations.visit::<types::StoredVectors>();
    declarations.visit::<types::TokenMatches>();
    declarations.visit::<types::Tokens>();
    declarations.visit::<types::WantedPassage>();
    let declarations: Vec<String> = declarations.by_name.values().map(|text| laid_out(text)).collect();
    format!(
        "// Generated from the Rust types: UPDATE_TYPES=1 cargo test --workspace --test typescript\n\
         // More than 600 lines: generated.\n\n{}\n",
        declarations.join("\n\n")
    )
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
