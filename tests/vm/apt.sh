# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced: packages of another suite or architecture, by an apt with a configuration of its own, so
# that the machine's sources stay as they are. The mirror is the one that the machine itself uses;
# apt checks signatures and sums. The sourcing script has fail().

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# The mirror of Debian, or of its security archive, that this machine's apt uses.
mirror_of() {
	local label=Debian
	[[ $1 != *-security ]] || label=Debian-Security
	apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' |
		awk -v label="$label" '$2 == label { print $1; exit }'
}

# An apt that knows one suite of one architecture: to be used with APT_CONFIG=DIR/apt.conf.
apt_tree() { # DIR SUITE ARCH
	local mirror
	mirror=$(mirror_of "$2")
	[ -n "$mirror" ] ||
		fail "no mirror for $2 in this machine's apt configuration (apt-get update was never run?)"
	[ -r "$KEYRING" ] || fail "$KEYRING is missing: install debian-archive-keyring"
	mkdir -p "$1"/{lists/partial,archives/partial,etc,preferences.d}
	: >"$1/status"
	printf 'deb [arch=%s signed-by=%s] %s %s main\n' "$3" "$KEYRING" "$mirror" "$2" >"$1/sources.list"
	cat >"$1/apt.conf" <<-CONF
		APT::Architecture "$3";
		APT::Architectures { "$3"; };
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Dir::State "$1";
		Dir::State::status "$1/status";
		Dir::State::lists "$1/lists";
		Dir::Cache "$1";
		Dir::Cache::archives "$1/archives";
		Dir::Etc::sourcelist "$1/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::Etc::preferencesparts "$1/preferences.d";
		Acquire::Retries "3";
	CONF
	APT_CONFIG=$1/apt.conf apt-get -qq -o APT::Update::Error-Mode=any update >&2 ||
		fail "can't update the index of $2 at $mirror"
}
