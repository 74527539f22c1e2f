#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-git-merge
# report: healthy
# expect: none
# outcome: ok
# needs: git
# why: Clones, a merge with a conflict, a rebase and a worktree.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
export HOME="$d" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=case GIT_AUTHOR_EMAIL=case@example.invalid
export GIT_COMMITTER_NAME=case GIT_COMMITTER_EMAIL=case@example.invalid
set -e
git init -q -b main upstream
cd upstream
echo 1 >f
git add f
git commit -q -m 1
cd ..
git clone -q upstream clone
cd clone
git checkout -q -b topic
echo 2 >f
git commit -q -a -m 2
git checkout -q main
echo 3 >f
git commit -q -a -m 3
git merge topic >/dev/null 2>&1 || {
    echo 23 >f
    git add f
    git commit -q -m merged
}
git checkout -q -b rebased HEAD~1
echo x >g
git add g
git commit -q -m g
git rebase -q main
git gc -q
git push -q origin rebased
git worktree add -q ../worktree rebased~1
git log --oneline | wc -l
