#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: tests-ctest-real-cause
# report: own
# expect: level=sandbox primitive=read-only cause=mount
# subject: result.xml
# outcome: failed
# needs: cmake ctest bwrap
# why: ctest: a test writes on a read-only mount.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
mkdir data
cat >w.py <<'EOF'
open("../data/result.xml", "w").write("<a/>")
EOF
cat >CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.10)
project(x NONE)
enable_testing()
add_test(NAME provoke COMMAND sh -c "! cat /absent/x; ! ls /nowhere")
add_test(NAME save COMMAND python3 ${CMAKE_SOURCE_DIR}/w.py)
add_test(NAME provoke2 COMMAND sh -c "! curl -sS --noproxy '*' http://127.0.0.1:9/")
EOF
cmake -S . -B b >/dev/null || exit 77
bwrap --dev-bind / / --ro-bind "$d/data" "$d/data" --chdir "$d/b" ctest --output-on-failure
