# SPDX-License-Identifier: GPL-2.0-only
# lib/mcp.sh - sourced by cases, which set `lib` (this directory) before.
#
#   mcp_modules    puts a link `node_modules` to the real MCP parts into the working directory
#
# The parts are those that package.json and package-lock.json name with exact versions. They are taken from $MCP_MODULES
# (a node_modules directory) if that is set, else from a cache, $MCP_CACHE or /var/cache/sandfault/mcp, which is filled
# with `npm ci` where need be: by scripts/run-cases before the first case, so that no case does it inside its own task.
# A place that holds other versions is passed over. Where the parts cannot be had the case ends with status 77 (skipped).

_mcp_skip() { echo "mcp.sh: $*" >&2; exit 77; }

_mcp_fits() { # $1: a node_modules directory
    sed -n 's|^ *"\([@a-z/-]*\)": *"\([0-9.]*\)",*$|\1 \2|p' "$lib/package.json" | while read -r _mcp_part _mcp_version; do
        grep -qs "^ *\"version\": *\"$_mcp_version\"" "$1/$_mcp_part/package.json" || exit 1
    done
}

_mcp_install() { # $1: the directory to make, with node_modules in it
    command -v npm >/dev/null || _mcp_skip "npm is not installed"
    command -v flock >/dev/null || _mcp_skip "flock is not installed"
    mkdir -p "${1%/*}" || _mcp_skip "cannot make ${1%/*}"
    (
        umask 022
        flock 9 && ! _mcp_fits "$1/node_modules" || exit 0
        new=$(mktemp -d "$1.XXXXXX") && trap 'rm -rf "$new"' EXIT && chmod 755 "$new" || exit 1
        cp "$lib/package.json" "$lib/package-lock.json" "$new" && cd "$new" || exit 1
        npm ci --ignore-scripts --omit=dev --no-audit --no-fund --no-update-notifier --logs-max=0 --loglevel=error \
            --fetch-retries=1 --cache "$new/cache" >&2 || exit 1
        rm -rf "$new/cache" "$1" && mv "$new" "$1"
    ) 9>"$1.lock" || _mcp_skip "npm ci did not succeed"
}

mcp_modules() {
    command -v node >/dev/null || _mcp_skip "node is not installed"
    _mcp_store=${MCP_CACHE:-/var/cache/sandfault/mcp}/$(sha256sum <"$lib/package-lock.json" | cut -c 1-16)
    _mcp_dir=${MCP_MODULES:-}
    if [ -z "$_mcp_dir" ] || ! _mcp_fits "$_mcp_dir"; then
        _mcp_dir=$_mcp_store/node_modules
        _mcp_fits "$_mcp_dir" || _mcp_install "$_mcp_store"
        _mcp_fits "$_mcp_dir" || _mcp_skip "$_mcp_dir lacks a part"
    fi
    ln -s "$(cd "$_mcp_dir" && pwd -P)" node_modules || _mcp_skip "cannot link $_mcp_dir"
}
