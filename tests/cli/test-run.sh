#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The command line with the private daemon of `sandfault run`. As root, from anywhere.
set -u

. "$(dirname "$0")/lib.sh" || exit 1

db=$tmp/run.db

run() { sf run --db "$db" "$@"; }
task() { jq -e "$1" "$tmp/task.json" >/dev/null; }

sf run
ok "run without a command" all 'is 2' "err 'CMD'"
sf run --bogus -- true
ok "run with an unknown option" all 'is 2' "err '--bogus'"
sf run --socket "$tmp/none.sock" -- true
ok "run at a socket where nobody is" all 'is 125' "err '$tmp/none.sock'"
setpriv --reuid 65534 --regid 65534 --clear-groups "$sandfault" run --db "$tmp/x.db" -- true >"$tmp/out" 2>"$tmp/err"
status=$?
ok "run without root says so in a line" all 'is 125' 'lines err 1' "err 'root'"
SANDFAULTD=/bin/false sf run --db "$tmp/x.db" -- touch "$tmp/touched"
ok "a daemon that does not start" all 'is 125' "err 'did not start'" '[[ ! -e $tmp/touched ]]'
run -o "$tmp/absent/x.json" -- touch "$tmp/touched"
ok "a file that can't be written is told before" all 'is 125' '[[ ! -e $tmp/touched ]]'

run -o "$tmp/task.json" -- true
ok "run: ok is one line" all 'is 0' 'empty out' 'lines err 1' "err 'sandfault: ok, nothing to report (task true-'"
ok "run -o: final JSON" all "task '.schema == 1 and .state == \"final\" and .outcome == \"ok\" and .exit_code == 0 and .verdict == null and .campaign == \"default\"'" '(($(wc -l <$tmp/task.json) == 1))'
run --task first --campaign camp --label app=x --label domain=y -o "$tmp/task.json" -- sh -c 'echo to stdout; exit 7'
ok "run: the command's own status and stdout" all 'is 7' "[[ \$(cat $tmp/out) == 'to stdout' ]]"
ok "run: identity and labels" task '.task == "first" and .campaign == "camp" and .labels == {"app": "x", "domain": "y"} and .outcome == "failed" and .exit_code == 7 and .verdict.level == "workload"'
ok "run: no comma without a call before it" not err '(likely: ,'
ok "run: a verdict of 2 to 6 lines" all '(($(wc -l <$tmp/err) >= 2 && $(wc -l <$tmp/err) <= 6))' "err 'workload/exit/non-zero'"
cp "$tmp/task.json" "$tmp/want"
sf task show first --db "$db" --json
ok "run -o is what task show --json says" all 'is 0' 'diff <(jq -S . $tmp/out) <(jq -S . $tmp/want)'
run --task first --campaign camp -q -o "$tmp/task.json" -- true
ok "run: the same id again is the next attempt; --quiet" all 'is 0' 'empty err' "task '.attempt == 2'"
run --task "t#2" -- touch "$tmp/touched"
ok "run: a name that would be an attempt's" all 'is 125' 'lines err 1' "err 'task'" '[[ ! -e $tmp/touched ]]'
ln -s /bin/true "$tmp/odd #1"
run -q -o "$tmp/task.json" -- "$tmp/odd #1"
ok "run: an odd command makes a good name" all 'is 0' "task '.task | test(\"^odd _1-[a-z0-9]{6}$\")'"
run -o "$tmp/task.json" -- sh -c 'kill -TERM $$'
ok "run: 128+N" all 'is 143' "task '.outcome == \"killed\" and .signal == \"SIGTERM\" and .exit_code == null'"
run -o "$tmp/task.json" -- no-such-command-here
ok "run: 127, judged" all 'is 127' "err 'no-such-command-here: No such file or directory'" "task '.exit_code == 127 and .verdict != null and .verdict.level == \"sandbox\" and .verdict.primitive == \"binary\" and .verdict.cause == \"not-found\"'"
printf 'data' >"$tmp/plain"
chmod 644 "$tmp/plain"
run -o "$tmp/task.json" -- "$tmp/plain"
ok "run: 126, judged" all 'is 126' "err 'Permission denied'" "task '.exit_code == 126 and .verdict != null and .verdict.primitive == \"file-permission\"'"
echo input | "$sandfault" run -q --db "$db" -- cat >"$tmp/out" 2>"$tmp/err"
ok "run: stdin" all 'out input'
run -q -o "$tmp/link" -- true
ln -sf task.json "$tmp/link"
run -q -o "$tmp/link" --task linked -- true
ok "run -o keeps a symbolic link" all '[[ -L $tmp/link ]]' "task '.task == \"linked\"'"
run -q -o /dev/stdout -- echo before
ok "run -o /dev/stdout" all 'is 0' "[[ \$(head -1 $tmp/out) == before ]]" "[[ \$(tail -1 $tmp/out | jq -r .outcome) == ok ]]"
sh -c "trap '' HUP; exec $sandfault run -q --db $db -- grep -E 'SigBlk|SigIgn' /proc/self/status" >"$tmp/out" 2>"$tmp/err"
ok "run: signal mask and dispositions are the caller's" all "grep -qx 'SigBlk:.0*' $tmp/out" "grep -qx 'SigIgn:.0*1' $tmp/out"
run -q -- sh -c 'ls /proc/self/fd | wc -l'
plain=$(sh -c 'ls /proc/self/fd | wc -l' </dev/null 2>/dev/null)
ok "run: no descriptor of ours reaches the command" all "[[ \$(cat $tmp/out) -le $plain ]]"

run -o "$tmp/task.json" -- sh -c 'sleep 30 >/dev/null 2>&1 & echo $! >'"$tmp/left"
children+=("$(cat "$tmp/left")")
ok "run: what is left behind is named, not killed" all 'is 0' "err 'left behind: sleep (pid $(cat "$tmp/left"))'" "kill -0 $(cat "$tmp/left")"
kill "$(cat "$tmp/left")"

for signal in INT TERM HUP; do
	rm -f "$tmp/ready"
	# A shell's background child ignores SIGINT: env puts it back.
	env --default-signal=INT "$sandfault" run -q --db "$db" -- bash -c \
		"trap 'echo got $signal; exit 9' $signal; touch $tmp/ready; while :; do read -t 0.05 <> <(:); done" \
		>"$tmp/out" 2>"$tmp/err" &
	pid=$!
	within 10 test -e "$tmp/ready"
	kill -"$signal" "$pid"
	wait "$pid"
	status=$?
	ok "run: SIG$signal is forwarded" all 'is 9' "out 'got $signal'"
done

pids=()
for i in 1 2 3 4 5; do
	"$sandfault" run -q --db "$db" --campaign many --task "m-$i" -- sh -c "exit $i" 2>"$tmp/err.$i" &
	pids+=($!)
done
statuses=
for pid in "${pids[@]}"; do
	wait "$pid"
	statuses+=" $?"
done
ok "run: many at once, each with its own status" [ "$statuses" = " 1 2 3 4 5" ]
sf task list --db "$db" --campaign many --json
ok "run: each has its own record" all 'is 0' "q 'map([.task, .exit_code]) | sort == [[\"m-1\", 1], [\"m-2\", 2], [\"m-3\", 3], [\"m-4\", 4], [\"m-5\", 5]]'"

# ---- with the private daemon running ----

sleep 300 &
held=$!
children+=("$held")
"$sandfault" run -q --db "$db" --task holder -- sleep 300 &
holder=$!
children+=("$holder")
running() {
	sf status --db "$db" --json
	q '.daemon.running and (.open | map(.task) | index("holder") != null)'
}
ok "status with a daemon" all 'within 15 running' 'empty err'
sf failures --db "$db"
ok "no as-of line with a daemon" all 'is 0' "not err 'as of'"
sf doctor --db "$db" --json
ok "doctor asks the daemon" all "q '.source == \"the daemon that runs\" and (.sensors | length) > 0'"
sf task begin b-1 --db "$db" --campaign begun --label app=z --pid $held --json
ok "task begin" all 'is 0' "q '.ok and .attempt == 1 and .instance > 0'"
sf task begin b-1 --db "$db" --campaign begun --pid $held
ok "task begin on an open task" all 'is 1' "err 'exists'"
sf task end b-1 --db "$db" --campaign begun --outcome failed --exit-code 3 --note "by hand" --json
ok "task end: final JSON" all 'is 0' "q '.state == \"final\" and .outcome == \"failed\" and .exit_code == 3 and .labels.app == \"z\"'"
sf task end b-2 --db "$db" --campaign begun
ok "task end on an unknown task" all 'is 1' "err 'no-such-task'"
"$sandfault" watch --db "$db" --json >"$tmp/watched" 2>"$tmp/err" &
watcher=$!
children+=("$watcher")
seen() {
	run -q --campaign watched -- no-such-command-here
	jq -es 'map(select(.campaign == "watched" and .primitive == "binary")) | length > 0' "$tmp/watched" >/dev/null
}
ok "watch prints failures as they are seen" within 20 seen
kill "$watcher"
wait "$watcher" 2>/dev/null
"$sandfault" watch --db "$db" --level interface >"$tmp/watched" 2>"$tmp/err" &
watcher=$!
children+=("$watcher")
level() {
	run -q --campaign levels -- no-such-command-here
	run -q --campaign levels -- sh -c 'printf "#!/bin/sh\r\n" >'"$tmp/crlf; chmod +x $tmp/crlf; exec $tmp/crlf"
	grep -q 'levels/.*interface/encoding/crlf' "$tmp/watched"
}
ok "watch --level, in text" all 'within 20 level' "not grep -q binary $tmp/watched"
kill "$watcher"
wait "$watcher" 2>/dev/null
kill "$holder"
wait "$holder" 2>/dev/null
kill "$held"
stopped() {
	sf status --db "$db" --json
	q '.daemon.running == false'
}
ok "the private daemon leaves after the last" within 20 stopped
sf taxonomy --db "$db"
ok "its database stays, as of then" all 'is 0' "err 'daemon not running'" "out 'not-found'"
run -q -o "$tmp/task.json" --task after -- true
ok "the next run starts it again" all 'is 0' "task '.task == \"after\"'"

"$sandfault" watch --db "$db" >"$tmp/watched" 2>"$tmp/err" &
watcher=$!
children+=("$watcher")
attached() {
	run -q -- true
	[[ -s $tmp/watched ]]
}
within 20 attached
sf status --db "$db" --json
kill -9 "$(jq .daemon.pid "$tmp/out")"
wait "$watcher"
status=$?
ok "watch: a lost daemon is 1" is 1

finish
