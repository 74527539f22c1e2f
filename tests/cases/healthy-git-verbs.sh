#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-git-verbs
# report: healthy
# expect: none
# subject: openat
# outcome: ok
# needs: git
# why: Many verbs: stash, bisect, bundle, patches by mail, a submodule, notes, grep, blame, a check of all objects.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
export HOME="$d" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=case GIT_AUTHOR_EMAIL=case@example.invalid
export GIT_COMMITTER_NAME=case GIT_COMMITTER_EMAIL=case@example.invalid
git init -q -b main a
cd a
for i in 1 2 3 4; do
    echo $i >>f
    git add f
    git commit -q -m $i
done
echo 5 >>f
git stash -q
git stash pop -q
git checkout -q f
git bisect start HEAD HEAD~3 >/dev/null
git bisect run sh -c '! grep -q 3 f' >/dev/null
git bisect reset >/dev/null 2>&1
git tag -a -m v1 v1
git describe >/dev/null
git bundle create -q ../b.bundle --all
git format-patch -q -1 -o ../patches
git reset -q --hard HEAD~1
git am -q ../patches/*.patch
git notes add -m note
git -c protocol.file.allow=always submodule --quiet add "$d/a" sub
git grep -c 3
git blame -s f | wc -l
git archive HEAD | tar -t | wc -l
git cherry-pick --abort 2>/dev/null || echo 'nothing to abort'
git rev-parse --verify -q no-such-ref || echo 'no such ref'
git clone -q ../b.bundle ../c
git fsck --no-progress
