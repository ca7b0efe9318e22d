#!/usr/bin/env bash
# The steps of `./build.sh audit`, which reads this file: what only servers know of the libraries we use. A server that
# cannot be reached is said and gives status 75; what it finds is a failure.

readonly ADVISORIES=https://github.com/RustSec/advisory-db
readonly NPM_LOCKS=(www tests/bench tests/engines tests/portal)
unchecked=()

# advisories: of every Cargo.lock, by RustSec's database; an earlier copy is used where GitHub cannot be reached.
advisories() {
  local folder fetch=()
  if [[ -n ${PINCITE_ADVISORIES:-} ]]; then
    export GIT_CONFIG_COUNT=1 GIT_CONFIG_VALUE_0=$ADVISORIES
    export GIT_CONFIG_KEY_0=url.$PINCITE_ADVISORIES.insteadOf
  fi
  cargo_deny
  if ! git ls-remote --quiet "$ADVISORIES" HEAD >/dev/null 2>&1; then
    unchecked+=("new advisories for Rust: $ADVISORIES cannot be reached")
    compgen -G 'target/advisories/advisory-db-*' >/dev/null || return 0
    fetch=(--disable-fetch)
  fi
  for folder in . crate/bind tests/fuzz; do
    deny "$folder" "${fetch[@]}" advisories
  done
  deny tests/fuzz licenses sources
  say "by the advisories up to $(git -C target/advisories/advisory-db-* log -1 --format=%cs)"
}

# npm_asked SUBJECT ARGUMENT...: asks the registry about a lock; a finding is a failure, silence is not.
npm_asked() {
  local subject=$1 reply
  shift
  if reply=$(npm "$@" --json 2>/dev/null); then
    say "$subject: nothing found"
  elif grep --quiet '^ *"error":' <<<"$reply"; then
    unchecked+=("$subject: npm's registry does not answer")
  else
    printf '%s\n' "$reply"
    die "$subject: see above"
  fi
}

npm_advisories() {
  local folder
  for folder in "${NPM_LOCKS[@]}"; do
    npm_asked "advisories of $folder" audit --prefix "$folder" --package-lock-only
  done
}

npm_signatures() {
  local folder
  for folder in "${NPM_LOCKS[@]}"; do
    locked_packages "$folder"
    npm_asked "signatures of $folder" audit signatures --prefix "$folder"
  done
}

# Status 75, as of the real server: what it needs is not to be had, which is said last.
say_unchecked() {
  ((${#unchecked[@]} > 0)) || return 0
  report
  trap - EXIT
  printf '\nnot checked:\n'
  printf '  %s\n' "${unchecked[@]}"
  exit 75
}
