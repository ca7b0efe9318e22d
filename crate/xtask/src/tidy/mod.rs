//! The rules, and what they are applied to: the workspace as cargo describes it, and the files as git lists them.
//!
//! Every rule is a function from plain data to problems; only this file reads the disk and starts programs. Files that
//! git does not track yet are checked too, ignored ones never.

mod circles;
mod features;
mod files;
mod graph;
mod homes;
mod imports;
mod locks;
mod problem;
mod snapshots;
mod tests_only;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, MetadataCommand};

use self::graph::{Dependency, Package};
use self::problem::Problem;

/// The result of a run: counts and problems.
pub struct Report {
    /// Files that git lists.
    pub n_files: usize,
    /// Members of the workspace.
    pub n_packages: usize,
    /// In order of place and line.
    pub problems: Vec<Problem>,
}

/// Applies every rule to the repository at `root`.
pub fn check(root: &Path) -> Result<Report> {
    let mut problems = Vec::new();
    let packages = packages(root)?;
    let manifest = read(root, "Cargo.toml")?;
    let (homes, mut unclear) = homes::parse("Cargo.toml", &manifest);
    problems.append(&mut unclear);
    problems.extend(graph::check(&packages, &homes));
    problems.extend(graph::check_unused("Cargo.toml", &packages, &homes));
    problems.extend(graph::check_listed("crate/README.md", &read(root, "crate/README.md")?, &packages));

    // As `build.sh` builds them, and as `wasm-pack test` does.
    let modules = ["pincite-wasm", "pincite-wasm-ingest", "pincite-wasm-encoder", "pincite-wasm-lab"];
    let product = cargo_tree(root, &modules, "no-dev")?;
    let tests = cargo_tree(root, &["pincite-wasm"], "normal,build,dev")?;
    problems.extend(features::check("crate/wasm/Cargo.toml", &product, &tests));

    let paths = listed_files(root)?;
    let mut sources = BTreeMap::new();
    for path in &paths {
        let bytes = std::fs::read(root.join(path)).with_context(|| format!("reading {path}"))?;
        problems.extend(files::check_bytes(path, bytes.len()));
        if let Ok(text) = std::str::from_utf8(&bytes) {
            problems.extend(files::check_text(path, text));
            problems.extend(imports::check(path, text));
            problems.extend(locks::check(path, text));
            if path.ends_with(".rs") {
                sources.insert(path.clone(), text.to_owned());
            }
        }
    }
    problems.extend(circles::check(&sources));
    problems.extend(snapshots::check(&paths));

    problems.sort();
    Ok(Report { n_files: paths.len(), n_packages: packages.len(), problems })
}

fn read(root: &Path, path: &str) -> Result<String> {
    std::fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))
}

/// The members of the workspace with what their manifests ask for.
fn packages(root: &Path) -> Result<Vec<Package>> {
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec()?;
    let base = metadata.workspace_root.clone();
    let mut packages = Vec::new();
    for package in &metadata.packages {
        let place = package.manifest_path.strip_prefix(&base).unwrap_or(&package.manifest_path).to_string();
        let folder = package.manifest_path.parent().and_then(|folder| folder.file_name()).unwrap_or_default();
        let dependencies = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == DependencyKind::Normal)
            .map(|dependency| Dependency {
                key: key(dependency),
                ours: dependency.path.as_ref().and_then(|path| path.file_name()).map(str::to_owned),
            })
            .collect();
        let dev =
            package.dependencies.iter().filter(|dependency| dependency.kind == DependencyKind::Development);
        let dev = dev.map(key).collect();
        packages.push(Package { folder: folder.to_owned(), place, dependencies, dev });
    }
    Ok(packages)
}

fn key(dependency: &cargo_metadata::Dependency) -> String {
    dependency.rename.clone().unwrap_or_else(|| dependency.name.to_string())
}

/// One line for each package that these are built from for wasm, with its features.
fn cargo_tree(root: &Path, packages: &[&str], edges: &str) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(root)
        .args(["tree", "--target", "wasm32-unknown-unknown"])
        .args(packages.iter().flat_map(|package| ["--package", package]))
        .args(["--prefix", "none", "--format", "{p} [{f}]", "--edges", edges]);
    output(command)
}

/// Tracked files and those that could be, without deleted ones.
fn listed_files(root: &Path) -> Result<Vec<String>> {
    let mut command = Command::new("git");
    command.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let mut paths: Vec<String> = output(command)?
        .split('\0')
        .filter(|path| !path.is_empty() && root.join(path).is_file())
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn output(mut command: Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("starting {name}"))?;
    if !output.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?)
}
