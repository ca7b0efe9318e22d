//! Modules of a crate form no circle of imports: nouns lie below the algorithms that read them, so every file can be
//! understood from what it imports downwards.
//!
//! A module is a file. It imports another one when its code, tests apart, names something that is defined there: in a
//! `use`, in a path, or inside a macro call. A re-export is looked through, to the file that defines the name, and is
//! no import itself: a parent may list what its children offer. What is not looked at: method calls and fields, whose
//! types the compiler alone knows. Linear in the size of the crate but for the search of one shortest circle from each
//! module that lies on one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};

use super::problem::Problem;
use super::tests_only::{attributes, is_test};

/// The modules of a crate by their path (`""` is the root, `tables::ruled` a file two levels down).
#[derive(Default)]
struct Modules(BTreeMap<String, Module>);

#[derive(Default)]
struct Module {
    /// The file, relative to the repository.
    file: String,
    /// Modules declared in this file, tests apart.
    children: BTreeSet<String>,
    /// Names of the items that this file defines.
    items: BTreeSet<String>,
    /// Names brought in by `use`, with the path behind them, resolved from this module.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths that end in `*`, without it.
    globs: Vec<Vec<String>>,
    /// Paths that the code names, `use` declarations that are not re-exports included.
    named: BTreeSet<Vec<String>>,
}

/// Circles among the files of each crate. `sources` are the Rust files under `crate/*/src` and `tests/src`, by path,
/// with their text.
pub fn check(sources: &BTreeMap<String, String>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let roots = sources.keys().filter(|path| path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs"));
    for root in roots {
        let Some((folder, _)) = root.rsplit_once('/') else { continue };
        let mut modules = Modules::default();
        match modules.read(sources, root, folder, String::new()) {
            Ok(()) => problems.extend(circles(&modules)),
            Err(message) => problems.push(Problem::new(root, 0, message)),
        }
    }
    problems
}

fn circles(modules: &Modules) -> Vec<Problem> {
    let edges = modules.edges();
    let mut found: BTreeMap<BTreeSet<&str>, Vec<&str>> = BTreeMap::new();
    for start in edges.keys() {
        if let Some(circle) = shortest_circle(&edges, start) {
            found.entry(circle.iter().copied().collect()).or_insert(circle);
        }
    }
    let file = |module: &str| modules.0.get(module).map_or("", |module| module.file.as_str());
    found
        .into_values()
        .map(|circle| {
            let steps: Vec<String> = circle
                .iter()
                .zip(circle.iter().cycle().skip(1))
                .map(|(from, to)| {
                    let names = edges.get(from).and_then(|edges| edges.get(to));
                    let names: Vec<&str> = names.into_iter().flatten().take(3).map(String::as_str).collect();
                    format!("{} takes {} from {}", file(from), names.join(", "), file(to))
                })
                .collect();
            let message =
                format!("a circle of imports: {}; move what is shared below both", steps.join("; "));
            Problem::new(circle.first().map_or("", |module| file(module)), 0, message)
        })
        .collect()
}

type Edges<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>;

/// The shortest way from a module back to itself.
fn shortest_circle<'a>(edges: &Edges<'a>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(module) = queue.pop_front() {
        for &next in edges.get(module)?.keys() {
            if next == start {
                let mut circle = vec![module];
                while let Some(&earlier) = circle.last().and_then(|last| before.get(last)) {
                    circle.push(earlier);
                }
                circle.reverse();
                return Some(circle);
            }
            if !before.contains_key(next) {
                before.insert(next, module);
                queue.push_back(next);
            }
        }
    }
    None
}

impl Modules {
    /// Reads the file of a module and those of its children.
    fn read(
        &mut self,
        sources: &BTreeMap<String, String>,
        file: &str,
        folder: &str,
        name: String,
    ) -> Result<(), String> {
        let text = sources.get(file).ok_or_else(|| format!("{file} is missing"))?;
        let syntax = syn::parse_file(text).map_err(|error| format!("{file} cannot be parsed: {error}"))?;
        let mut reader = Reader { module: Module { file: file.to_owned(), ..Module::default() } };
        reader.visit_file(&syntax);
        let children = reader.module.children.clone();
        self.0.insert(name.clone(), reader.module);
        for child in children {
            let path = [format!("{folder}/{child}.rs"), format!("{folder}/{child}/mod.rs")]
                .into_iter()
                .find(|path| sources.contains_key(path))
                .ok_or_else(|| format!("{file} declares `{child}`, which has no file"))?;
            self.read(sources, &path, &format!("{folder}/{child}"), join(&name, &child))?;
        }
        Ok(())
    }

    /// Who imports from whom, with the names.
    fn edges(&self) -> Edges<'_> {
        let mut edges: Edges<'_> = BTreeMap::new();
        for (from, module) in &self.0 {
            let row = edges.entry(from).or_default();
            for path in module.named.iter().chain(&module.globs) {
                let Some(to) = self.resolve(from, path, 0) else { continue };
                let is_type = |name: &&String| name.starts_with(char::is_uppercase);
                if to != from
                    && let Some(name) = path.iter().find(is_type).or(path.last())
                {
                    row.entry(to).or_default().insert(format!("`{name}`"));
                }
            }
        }
        edges
    }

    /// The module in which what `path` names is defined; `None` for what is not of this crate.
    fn resolve(&self, from: &str, path: &[String], depth: usize) -> Option<&str> {
        /// Re-exports of re-exports: more than any crate has, and an end for two that name each other.
        const MAX_DEPTH: usize = 16;
        if depth > MAX_DEPTH {
            return None;
        }
        let mut rest = path;
        let mut at = match rest.first()?.as_str() {
            "crate" => {
                rest = &rest[1..];
                String::new()
            }
            "self" | "super" => {
                let mut at = from.to_owned();
                while let Some(first) = rest.first() {
                    match first.as_str() {
                        "self" => {}
                        "super" => at = at.rsplit_once("::").map_or("", |(parent, _)| parent).to_owned(),
                        _ => break,
                    }
                    rest = &rest[1..];
                }
                at
            }
            first if self.0.get(from)?.children.contains(first) => from.to_owned(),
            first => {
                let behind = self.0.get(from)?.imports.get(first)?;
                let path: Vec<String> = behind.iter().chain(&path[1..]).cloned().collect();
                return self.resolve(from, &path, depth + 1);
            }
        };
        while let Some((first, after)) = rest.split_first() {
            let module = self.0.get(&at)?;
            if module.children.contains(first) {
                at = join(&at, first);
            } else if module.items.contains(first) {
                break;
            } else if let Some(behind) = module.imports.get(first) {
                let path: Vec<String> = behind.iter().chain(after).cloned().collect();
                return self.resolve(&at, &path, depth + 1);
            } else {
                let through = module.globs.iter().find_map(|glob| {
                    let inside = self.resolve(&at, glob, depth + 1)?;
                    self.0.get(inside)?.items.contains(first).then_some(inside)
                });
                return through.or_else(|| self.0.get_key_value(&at).map(|(name, _)| name.as_str()));
            }
            rest = after;
        }
        self.0.get_key_value(&at).map(|(name, _)| name.as_str())
    }
}

fn join(module: &str, child: &str) -> String {
    if module.is_empty() { child.to_owned() } else { format!("{module}::{child}") }
}

/// Collects what one file declares and names.
struct Reader {
    module: Module,
}

impl Reader {
    fn import(&mut self, tree: &syn::UseTree, before: &[String], re_export: bool) {
        let with = |name: &syn::Ident| {
            let mut path = before.to_vec();
            path.push(name.to_string());
            path
        };
        match tree {
            syn::UseTree::Path(path) => self.import(&path.tree, &with(&path.ident), re_export),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, re_export);
                }
            }
            syn::UseTree::Glob(_) => self.module.globs.push(before.to_vec()),
            syn::UseTree::Name(name) if name.ident == "self" => {
                let Some(last) = before.last().cloned() else { return };
                self.bring_in(last, before.to_vec(), re_export);
            }
            syn::UseTree::Name(name) => self.bring_in(name.ident.to_string(), with(&name.ident), re_export),
            syn::UseTree::Rename(rename) => {
                self.bring_in(rename.rename.to_string(), with(&rename.ident), re_export);
            }
        }
    }

    fn bring_in(&mut self, name: String, path: Vec<String>, re_export: bool) {
        if !re_export {
            self.module.named.insert(path.clone());
        }
        self.module.imports.insert(name, path);
    }

    /// Paths in the arguments of a macro, which syn does not parse.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut joined = false;
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if !joined {
                        self.named_path(std::mem::take(&mut path));
                    }
                    path.push(ident.to_string());
                    joined = false;
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    joined = colons == 2;
                }
                other => {
                    self.named_path(std::mem::take(&mut path));
                    joined = false;
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.tokens(group.stream());
                    }
                }
            }
        }
        self.named_path(path);
    }

    fn named_path(&mut self, path: Vec<String>) {
        if path.len() > 1 {
            self.module.named.insert(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if is_test(attributes(item)) {
            return;
        }
        match item {
            syn::Item::Mod(module) if module.content.is_none() => {
                self.module.children.insert(module.ident.to_string());
                return;
            }
            syn::Item::Use(item) => {
                let re_export = !matches!(item.vis, syn::Visibility::Inherited);
                self.import(&item.tree, &[], re_export);
                return;
            }
            _ => {}
        }
        if let Some(name) = defined(item) {
            self.module.items.insert(name);
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.named_path(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }
}

fn defined(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(ident.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let sources =
            files.iter().map(|(path, text)| (format!("crate/a/src/{path}"), (*text).to_owned())).collect();
        check(&sources).into_iter().map(|problem| problem.to_string()).collect()
    }

    #[test]
    fn steps_over_shared_nouns_form_no_circle() {
        let files = [
            (
                "lib.rs",
                "mod line;\nmod lines;\nmod page;\npub use line::Line;\npub fn run() { lines::join() }",
            ),
            ("line.rs", "pub struct Line;"),
            ("lines.rs", "use crate::Line;\npub fn join() -> Line { Line }"),
            ("page.rs", "use crate::line::Line;\n#[cfg(test)]\nuse crate::run;\nstruct Page(Line);"),
        ];
        assert_eq!(problems(&files), Vec::<String>::new());
    }

    #[test]
    fn a_circle_is_named_with_what_ties_it() {
        let cases: &[&[(&str, &str)]] = &[
            &[
                ("lib.rs", "mod words;\nmod lines;"),
                ("words.rs", "use crate::lines::Line;\npub struct Word;"),
                ("lines.rs", "use super::words::Word;\npub struct Line;"),
            ],
            // Through a re-export of the root, a path in an expression, a macro.
            &[
                ("lib.rs", "mod words;\nmod lines;\npub use words::Word;"),
                ("words.rs", "pub struct Word;\nfn f() { let _ = crate::lines::Line; }"),
                ("lines.rs", "pub struct Line;\nfn f() { assert!(matches!(w, crate::Word)) }"),
            ],
            // A child that reads what its parent defines, while the parent calls it.
            &[
                ("lib.rs", "mod tables;"),
                ("tables.rs", "mod ruled;\npub struct Grid;\nfn all() { ruled::find() }"),
                ("tables/ruled.rs", "use super::Grid;\npub fn find() -> Grid { Grid }"),
            ],
        ];
        for files in cases {
            let found = problems(files);
            assert_eq!(found.len(), 1, "{files:?}: {found:?}");
            assert!(found[0].contains("a circle of imports: crate/a/src/"), "{found:?}");
        }
    }

    #[test]
    fn a_circle_of_three_is_named_once() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;"),
            ("a.rs", "use crate::b::B;\npub struct A;"),
            ("b.rs", "use crate::c::C;\npub struct B;"),
            ("c.rs", "use crate::a::A;\npub struct C;"),
        ];
        assert_eq!(
            problems(&files),
            ["crate/a/src/a.rs: a circle of imports: crate/a/src/a.rs takes `B` from crate/a/src/b.rs; \
              crate/a/src/b.rs takes `C` from crate/a/src/c.rs; crate/a/src/c.rs takes `A` from crate/a/src/a.rs; \
              move what is shared below both"]
        );
    }
}
