#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-cmake-ninja
# report: healthy
# expect: none
# outcome: ok
# needs: cmake ninja gcc
# why: A project is configured by many trial compilations, most of which are meant to fail, and built.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
set -e
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(hello C)
include(CheckIncludeFile)
include(CheckFunctionExists)
check_include_file(no_such_header.h HAVE_NO_SUCH_HEADER)
check_function_exists(no_such_function HAVE_NO_SUCH_FUNCTION)
find_package(ZLIB QUIET)
find_program(NO_SUCH_PROGRAM no-such-program)
add_library(part SHARED part.c)
add_executable(hello hello.c)
target_link_libraries(hello part)
enable_testing()
add_test(NAME hello COMMAND hello)
END
echo 'int part(void) { return 0; }' >part.c
echo 'int part(void); int main(void) { return part(); }' >hello.c
cmake -G Ninja -B build . >log
ninja -C build >>log
(cd build && ctest >>log)
cmake --install build --prefix "$d/out" >>log
