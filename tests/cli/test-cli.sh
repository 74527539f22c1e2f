#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The command line over a database made by hand. As root, from anywhere.
set -u

. "$(dirname "$0")/lib.sh" || exit 1
fixture

# ---- usage ----

sf --version
ok "--version" all 'is 0' "out 'sandfault $(cat "$top/VERSION")'" 'lines out 1' 'empty err'
sf version --json
ok "version --json" all 'is 0' "q '.version == \"$(cat "$top/VERSION")\"'"
sf
ok "no verb is a usage error" all 'is 2' 'empty out' "err 'usage: sandfault VERB'"
sf frobnicate
ok "an unknown verb is a usage error" all 'is 2' 'empty out' "err 'unknown verb: frobnicate'"
sf tax
ok "verbs are not abbreviated" all 'is 2'
sf help
ok "help names every verb" all 'is 0' 'empty err' "out 'task begin TASK'" "out 'doctor'" "out 'taxonomy'"
for verb in run "task begin" "task end" "task list" "task show" "channel list" \
	"channel add" "channel remove" taxonomy failures explain alerts \
	watch status doctor export version; do
	# shellcheck disable=SC2086
	sf help $verb
	cp "$tmp/out" "$tmp/help"
	# shellcheck disable=SC2086
	sf $verb --help
	ok "help $verb, $verb --help" all 'is 0' "out 'usage: sandfault $verb'" 'cmp -s $tmp/out $tmp/help'
done
sf help task
ok "help of a group" all 'is 0' "out 'usage: sandfault task end'"
sf help frobnicate
ok "help of an unknown verb" is 2
sf taxonomy --bogus
ok "an unknown option" all 'is 2' "err 'unknown option --bogus'"
sf failures --limit
ok "an option without its value" all 'is 2' "err 'needs a value'"
sf task show
ok "a missing argument" all 'is 2' "err 'TASK is missing'"
sf explain t-17 t-18
ok "one argument too many" all 'is 2' "err 't-18'"
for bad in "failures --limit 0" "failures --level kernel" "task list --state over" \
	"task list --outcome fine" "failures --since yesterday" "failures --label app" \
	"taxonomy --by colour" "taxonomy --by level,level" "taxonomy --by level,primitive,cause,label.a" \
	"taxonomy --by label." "task begin x" "task begin x --pid 1 --cgroup /x" \
	"task begin x --pid 1 --scope host" "channel add" "channel remove --pid 1 --cgroup /x" "task end x --exit-code 256" "task end x --signal SIGFOO"; do
	# shellcheck disable=SC2086
	sf $bad
	ok "refused: $bad" all 'is 2' 'empty out' 'lines err 1'
done

# ---- without a daemon ----

sf taxonomy --utc
ok "queries say as of when" all 'is 0' "err 'as of 2026-11-29 17:03:21Z, daemon not running'" 'lines err 1'
sf task begin t-1 --pid 1
ok "begin names the socket and the command" all 'is 1' "err '$SANDFAULT_SOCKET'" "err 'sandfaultd --socket $SANDFAULT_SOCKET'"
sf task end t-1
ok "end names the socket and the command" all 'is 1' "err '$SANDFAULT_SOCKET'" "err 'sandfaultd'"
sf watch
ok "watch names the socket and the command" all 'is 1' "err '$SANDFAULT_SOCKET'" "err 'sandfaultd'"
sf watch --socket "$tmp/other.sock"
ok "--socket comes before SANDFAULT_SOCKET" all 'is 1' "err '$tmp/other.sock'"
sf status
ok "status without a daemon" all 'is 0' "out 'not running'" "out 'nightly/t-19'" "out 'lost_signatures'"
sf status --json
ok "status --json" all 'is 0' "q '.daemon.running == false and .tasks.all == 7 and .counters.failed == 389 and .open[0].task == \"t-19\" and (.open | length) == 1 and .database.bytes > 4096 and (.sensors | length) == 2'"
sf status --db "$tmp/absent.db"
ok "status without daemon and database" all 'is 0' "out 'none yet'"

# ---- databases that are none ----

sf failures --db "$tmp/absent.db"
ok "no database" all 'is 1' "err '$tmp/absent.db'" 'lines err 1'
head -c 8192 /dev/urandom >"$tmp/noise.db"
sf failures --db "$tmp/noise.db"
ok "a file that is no database" all 'is 1' "err 'noise.db'"
sf failures --db "$tmp"
ok "a directory" all 'is 1' "err '$tmp'"
cp "$SANDFAULT_DB" "$tmp/newer.db"
sqlite3 "$tmp/newer.db" 'PRAGMA user_version = 99'
sf failures --db "$tmp/newer.db"
ok "a database of another version" all 'is 1' "err 'another version'"
sf failures --db "$SANDFAULT_DB" --json
cp "$tmp/out" "$tmp/want"
SANDFAULT_DB=$tmp/absent.db sf failures --db "$tmp/fixture.db" --json
ok "--db comes before SANDFAULT_DB" all 'is 0' 'cmp -s $tmp/out $tmp/want'
chmod 755 "$tmp"
chmod 640 "$SANDFAULT_DB"
setpriv --reuid 65534 --regid 65534 --clear-groups "$sandfault" failures >"$tmp/out" 2>"$tmp/err"
status=$?
ok "a stranger is told about the group" all 'is 1' "err 'sandfault'" "err 'group'"

# ---- tasks ----

sf task list --json
ok "task list: the latest attempts, oldest first" all 'is 0' \
	"q 'map(.task + \"#\" + (.attempt | tostring)) == [\"q-1#1\", \"t-18#1\", \"w-1#1\", \"t-17#2\", \"t-18#1\", \"t-19#1\"]'"
sf task list --json --all
ok "task list --all: every attempt" all 'is 0' "q 'length == 7'"
sf task list --json --state running
ok "task list --state" all 'is 0' "q 'map(.task) == [\"t-19\"]'"
sf task list --json --outcome killed
ok "task list --outcome" all 'is 0' "q 'length == 1 and .[0].signal == \"SIGKILL\" and .[0].exit_code == null'"
sf task list --json --label app=browser
ok "task list --label" all 'is 0' "q 'map(.task) | sort == [\"t-18\", \"w-1\"]'"
sf task list --json --label label.app=browser --label app=code-sandbox
ok "labels are ANDed" all 'is 3' "q '. == []'"
sf task list --json --campaign weekly --limit 1
ok "--limit keeps the newest" all 'is 0' "q 'map(.task) == [\"w-1\"]'"
sf task list --json --since 2026-11-29T17:01:30Z
ok "--since RFC 3339" all 'is 0' "q 'map(.task) == [\"t-18\", \"t-19\"]'"
TZ=CET-1 sf task list --json --since "2026-11-29 18:03"
ok "--since local time" all 'is 0' "q 'map(.task) == [\"t-19\"]'"
sf task list --json --since 1s
ok "nothing matched is 3" all 'is 3' "q '. == []'" "err 'no tasks matched'"
schema | sqlite3 "$tmp/empty.db"
sqlite3 "$tmp/empty.db" 'PRAGMA application_id = 0x53464c54; PRAGMA user_version = 2'
sf failures --db "$tmp/empty.db"
ok "nothing there, nothing asked for: 0" all 'is 0' 'empty out' "err 'no failures on record'"
TZ=CET-1 sf task list
ok "text has local time with its offset" all 'is 0' "out '2026-11-29 18:03:00+01:00'"
TZ=CET-1 sf task list --utc
ok "--utc" all 'is 0' "out '2026-11-29 17:03:00Z'" "not out '+01:00'"

sf task show t-17#1 --json
ok "task show --json is the contract's" all 'is 0' "q '.schema == 1 and .campaign == \"nightly\" and .attempt == 1 and .labels == {\"app\": \"code-sandbox\", \"domain\": \"file-io\"} and .state == \"final\" and .started == \"2026-11-29T17:00:00.123456789Z\" and .outcome == \"failed\" and .exit_code == 1 and .signal == null and .verdict.failure == \"f3\" and .verdict.remedy == \"allow clone3 in the seccomp profile\" and .handled == 1 and .noise == 311 and .lost == 0'"
ok "handled failures are left out" q '.failures | map(.id) | index("f8") == null and length == 4'
sf task show t-17#1 --json --all
ok "--all shows handled ones" all 'is 0' "q '.failures | map(.id) | index(\"f8\") != null'"
cp "$tmp/out" "$tmp/want"
sf export
ok "export: a line a task, every attempt" all 'is 0' 'lines out 7' "slurped 'length == 7'"
ok "export is the same object" all 'jq -c "select(.task == \"t-17\" and .attempt == 1)" $tmp/out | diff - <(jq -c . $tmp/want)'
sf export --campaign none
ok "export of nothing" all 'is 3' 'empty out'
sf task show t-17
ok "a task is its latest attempt" all 'is 0' "out 'attempt 2'" "out 'second try'" "out 'nothing to report'"
sf task show t-18 --json
ok "several campaigns: the latest, with a note" all 'is 0' "q '.campaign == \"nightly\"'" "err 'also in weekly'"
sf task show t-18 --json --campaign weekly
ok "--campaign chooses" all 'is 0' "q '.campaign == \"weekly\"'" "not err 'also in'"
sf task show t-17#1 --all
ok "task show --all in text" all 'is 0' "out 'label.app=code-sandbox'" "out 'f9 (late)'" "out 'refused by seccomp'" "out 'sandbox/read-only/mount'"
sf task show t-99
ok "an unknown task" all 'is 3' 'empty out' "err 't-99'"
sf task show t-17#9
ok "an unknown attempt" is 3

# ---- failures, explain ----

sf failures --json
ok "failures carry their task" all 'is 0' "q 'length == 7 and (map(select(.id == \"f3\"))[0] | .campaign == \"nightly\" and .task == \"t-17\" and .attempt == 1 and .syscall == \"clone3\" and .errno == \"EPERM\" and .count == 3)'"
sf failures --json --all
ok "failures --all" all 'is 0' "q 'length == 8'"
sf failures --json --level workload
ok "failures --level" all 'is 0' "q 'map(.id) == [\"f7\"]'"
sf failures --json --primitive fds --cause host-limit
ok "failures --primitive --cause" all 'is 0' "q 'map(.id) == [\"f10\"]'"
sf failures --json --task t-17#1
ok "failures --task" all 'is 0' "q 'length == 4'"
sf failures --json --subject /tmp
ok "failures --subject" all 'is 0' "q 'map(.id) == [\"f4\"]'"
ok "hostile bytes are escaped in JSON" q '.[0].subject == "/tmp/x\\x1b[31m"'
sf failures --subject /tmp
ok "hostile bytes are escaped in text" all "out '/tmp/x\\x1b[31m'" "not grep -q $'\e' $tmp/out"
sf failures --primitive gpu
ok "no failure matched" all 'is 3' 'empty out' "err 'no failures matched'"

sf explain t-17#1
ok "explain: verdict and remedy, a dozen lines at most" all 'is 0' '(($(wc -l <$tmp/out) <= 12))' \
	"grep -qx 'sandbox/seccomp/denied: clone3' $tmp/out" "out 'certain'" "out 'remedy: allow clone3 in the seccomp profile'" \
	"out 'clone3 left the kernel without having entered'" "out 'label.app=code-sandbox'" "out 'also: f4'"
sf explain t-18
ok "explain: losses are told" all 'is 0' "out '7 events lost'" "out 'killed by SIGKILL'"
sf explain t-19
ok "explain: a running task is provisional" all 'is 0' "out 'provisional'" "out 'sandbox/network/dns: 10.0.0.7:53'"
sf explain t-17
ok "explain: nothing to report" all 'is 0' "out 'nothing to report'"
sf explain f4
ok "explain a failure" all 'is 0' "out 'sandbox/disk/full'" "out 'remedy: give /tmp more space'" "out 'caused by f3'"
sf explain f4 --json
ok "explain a failure --json" all 'is 0' "q '.id == \"f4\" and .task == \"t-17\" and .caused_by == \"f3\"'"
sf explain t-17#1 --json
ok "explain a task --json" all 'is 0' "q '.verdict.failure == \"f3\"'"
sf explain f999
ok "explain an unknown failure" all 'is 3' 'empty out' "err 'f999'"

# ---- taxonomy, alerts ----

sf taxonomy --json
ok "taxonomy: rows and counts" all 'is 0' "q '.tasks.all == 7 and .tasks.failed == 2 and .tasks.killed == 1 and .tasks.ok == 3 and .tasks.running == 1 and .tasks.with_verdict == 4'" \
	"q '.rows | length == 7 and (map(select(.cause == \"denied\"))[0] | .level == \"sandbox\" and .primitive == \"seccomp\" and .tasks == 1 and .verdicts == 1 and .failures == 1 and .events == 3)'"
sf taxonomy --json --by level
ok "taxonomy --by level counts distinct tasks" all 'is 0' "q '.rows | map([.level, .tasks]) == [[\"sandbox\", 3], [\"workload\", 1]]'"
sf taxonomy --json --by label.app,level
ok "taxonomy --by label.NAME" all 'is 0' "q '.rows | map([.[\"label.app\"], .level, .tasks]) | sort == [[\"(none)\", \"sandbox\", 1], [\"browser\", \"sandbox\", 1], [\"browser\", \"workload\", 1], [\"code-sandbox\", \"sandbox\", 1]]'"
sf taxonomy --json --campaign quiet
ok "taxonomy of tasks that did not fail" all 'is 0' "q '.tasks.all == 1 and .rows == []'"
sf taxonomy --campaign none
ok "taxonomy of no tasks" is 3
sf taxonomy --level interface
ok "taxonomy of no such failure" is 3
sf taxonomy
ok "taxonomy in text" all 'is 0' "out 'tasks: 7 (3 ok, 2 failed, 1 killed, 0 unknown, 1 running), 4 with a verdict'"
sf alerts --json
ok "alerts" all 'is 0' "q 'length == 2 and (map(.primitive) | sort == [\"memory\", \"seccomp\"])'"
sf alerts --utc
ok "alerts in text" all 'is 0' "out 'firing'" "out 'sandbox/memory'" "out 'nightly/t-18, nightly/t-19'"
sf alerts --primitive gpu
ok "no alert matched" is 3
sf doctor --json
ok "doctor --json" all '[[ $status == 0 || $status == 1 ]]' "q '(.host | map(.name)) == [\"root\", \"btf\", \"cgroup2\"] and (.sensors | length) > 0 and (.host | all(.ok or (.todo | length) > 0))'"
sf doctor
ok "doctor names what a refused sensor costs" all "out 'no trampolines on this kernel'" "out 'asynchronous TCP failures'"

# ---- the terminal ----

sf failures
ok "a pipe is not cut and has no colours" all "out '/campaigns/nightly/t-18'" "not grep -q -e … -e $'\e' $tmp/out"
on_terminal "$sandfault failures"
ok "a terminal: cut, coloured" all "out …" "grep -q $'\e' $tmp/out"
on_terminal "$sandfault task list --campaign weekly --utc"
ok "tables fit the width: columns go" all '(($(widest) <= 90))' "out VERDICT" "not grep -q CONFIDENCE $tmp/out"
on_terminal "$sandfault explain t-17#1"
ok "explain on a terminal has colours" all "grep -q $'\e' $tmp/out"
on_terminal "NO_COLOR=1 $sandfault failures"
ok "NO_COLOR" all "not grep -q $'\e' $tmp/out"
schema | sqlite3 "$tmp/wide.db"
sed 's/t-17/größe-漢字-17/g' "$here/fixture.sql" | sqlite3 "$tmp/wide.db"
LC_ALL=C sf failures --db "$tmp/wide.db" --task größe-漢字-17
ok "UTF-8 names in a C locale" all 'is 0' "out größe-漢字-17"
"$sandfault" export >/dev/full 2>"$tmp/err"
status=$?
ok "a full disk behind stdout is told" all 'is 1' "err 'No space left'"

finish
