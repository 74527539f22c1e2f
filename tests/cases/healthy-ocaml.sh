#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: healthy-ocaml
# report: healthy
# expect: none
# outcome: ok
# needs: ocaml
# why: A byte-code program from the top level.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
command -v ocaml >/dev/null || exit 77
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >t.ml <<'END'
let () = try ignore (open_in "absent") with Sys_error _ -> print_endline "absent"
let () = Printf.printf "%d\n" (List.fold_left (+) 0 [1; 2; 3])
END
ocaml t.ml
