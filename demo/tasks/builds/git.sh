# SPDX-License-Identifier: GPL-2.0-only
# Work on a repository: a change is staged and committed, a branch is made and merged.
set -eu
n=$1
export GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.invalid
export GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.invalid
[ -e repo/.git/HEAD ] || git init -q -b main repo
cd repo
git status --short >/dev/null
printf 'line %s\n' 1 2 "$n" >notes.txt
git add notes.txt
git commit -q -m "Add notes $n"
git checkout -q -b topic
echo 'line 4' >>notes.txt
git commit -q -a -m 'Add a line'
git checkout -q -
git merge -q --no-edit topic
[ "$(git log --oneline | wc -l)" -eq 2 ]
git fsck --no-progress 2>/dev/null
echo "git: $(git log --format=%h | head -n 1) is merged"
