# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What the suites of the command line share. SANDFAULT names another binary than build/sandfault.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
sandfault=${SANDFAULT:-$top/build/sandfault}
tmp=$(mktemp -d)
passed=0
failed=0
export TZ=UTC0
unset NO_COLOR COLUMNS SANDFAULT_DB SANDFAULT_SOCKET
children=()

cleanup() {
	((${#children[@]})) && kill "${children[@]}" 2>/dev/null
	rm -rf "$tmp"
}
trap cleanup EXIT

# ok NAME CONDITION…: the condition is a command.
ok() {
	local name=$1
	shift
	if "$@"; then
		passed=$((passed + 1))
		echo "ok $((passed + failed)) - $name"
	else
		failed=$((failed + 1))
		echo "not ok $((passed + failed)) - $name"
		echo "# status ${status:-?}; stdout, stderr:"
		head -20 "$tmp/out" "$tmp/err" | sed 's/^/# /'
	fi
}

# Runs sandfault: $tmp/out, $tmp/err, $status.
sf() {
	"$sandfault" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

is() { [[ "$status" == "$1" ]]; }
out() { grep -qF -e "$1" "$tmp/out"; }
err() { grep -qF -e "$1" "$tmp/err"; }
empty() { [[ ! -s $tmp/$1 ]]; }
lines() { [[ $(wc -l <"$tmp/$1") == "$2" ]]; }
q() { jq -e "$1" "$tmp/out" >/dev/null; }
slurped() { jq -es "$1" "$tmp/out" >/dev/null; }
all() {
	local step
	for step in "$@"; do
		eval "$step" || { echo "# failed: $step"; return 1; }
	done
}
not() { ! "$@"; }

# within SECONDS COMMAND…: until it is true.
within() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		((SECONDS < end)) || return 1
		sleep 0.05
	done
}

# Runs it on a terminal of 60 columns; what it printed goes to $tmp/out, without carriage returns.
on_terminal() {
	script -qec "stty cols 60; $*" /dev/null </dev/null 2>"$tmp/err" | tr -d '\r' >"$tmp/out"
}

widest() { # columns of the widest line, colours apart
	sed 's/\x1b\[[0-9;]*m//g' "$tmp/out" | LC_ALL=C.UTF-8 awk '{ if (length > n) n = length } END { print n }'
}

# An empty database's SQL.
schema() { cat "$top/daemon/schema.sql" "$top/daemon/schema_call.sql"; }

# The database made by hand, which the command line reads from now on.
fixture() {
	export SANDFAULT_DB=$tmp/fixture.db SANDFAULT_SOCKET=$tmp/none.sock
	{ schema && cat "$here/fixture.sql"; } | sqlite3 "$SANDFAULT_DB" || exit 1
}

# The closing line, and the script's status.
finish() {
	echo "$passed passed, $failed failed"
	((failed == 0 && passed > 0))
}
