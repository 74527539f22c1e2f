#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The command line, from outside: first over a database made by hand, then with the private daemon
# of `sandfault run`. As root, from anywhere. SANDFAULT names another binary than build/sandfault.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
sandfault=${SANDFAULT:-$top/build/sandfault}
tmp=$(mktemp -d)
passed=0
failed=0
export SANDFAULT_DB=$tmp/fixture.db SANDFAULT_SOCKET=$tmp/none.sock TZ=UTC0
unset NO_COLOR COLUMNS
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

cat "$top/daemon/schema.sql" "$top/daemon/schema_call.sql" "$here/fixture.sql" | sqlite3 "$SANDFAULT_DB" || exit 1

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
cat "$top/daemon/schema.sql" "$top/daemon/schema_call.sql" | sqlite3 "$tmp/empty.db"
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
cat "$top/daemon/schema.sql" "$top/daemon/schema_call.sql" | sqlite3 "$tmp/wide.db"
sed 's/t-17/größe-漢字-17/g' "$here/fixture.sql" | sqlite3 "$tmp/wide.db"
LC_ALL=C sf failures --db "$tmp/wide.db" --task größe-漢字-17
ok "UTF-8 names in a C locale" all 'is 0' "out größe-漢字-17"
"$sandfault" export >/dev/full 2>"$tmp/err"
status=$?
ok "a full disk behind stdout is told" all 'is 1' "err 'No space left'"

# ---- tool calls ----

sf task calls t-17#1 --json
ok "task calls --json" all 'is 0' 'q "length == 3 and .[0].id == \"c1\" and .[0].campaign == \"nightly\" and .[0].tool == \"write_file\" and .[0].subject == \"/w/photo.png\" and .[0].request.bytes == 50700 and (.[0].request.sha256 | length) == 64 and .[0].end == \"ok\" and .[0].code == null and .[0].text == null and .[0].source == \"channel\" and .[0].session == 2"' \
	'q ".[0].faults == [{level: \"interface\", primitive: \"encoding\", cause: \"replacement\", subject: \"/w/photo.png\", leg: \"client\", sure: true, at: 0, say: \"bytes became U+FFFD\"}]"' \
	'q ".[1].rpc_id == \"\\\"b\\\"\" and .[1].code == -32602 and .[1].text == \"EROFS \\\\x1b[31m\" and .[1].end == \"tool-error\""' \
	'q ".[2].method == \"resources/list\" and .[2].tool == null and .[2].ended == null and .[2].cut and .[2].answer.sha256 == null"' \
	"err '2 more calls were counted'"
sf task calls t-17#1 --utc
ok "task calls: a table, incidents, no escapes" all 'is 0' "out 'write_file'" "out '/w/photo.png'" "out 'encoding/replacement'" "out 'tool-error -32602'" "out 'resources/list'" "out '2026-11-29 17:00:03Z  closed: the server left with 1 call open'" "not grep -q $'\e' $tmp/out"
sf task calls --json
ok "task calls of all tasks" all 'is 0' 'q "map(.id) == [\"c4\", \"c1\", \"c2\", \"c3\"] and .[0].task == \"w-1\" and .[0].source == \"harness\" and .[0].session == null"' "not err 'counted'"
sf task calls --failed --json
ok "task calls --failed: errors and damage" all 'is 0' 'q "map(.id) == [\"c1\", \"c2\", \"c3\"]"'
sf task calls --tool read_file --json
ok "task calls --tool" all 'is 0' 'q "map(.id) == [\"c2\"]"'
sf task calls --tool none
ok "task calls: nothing matched is 3" all 'is 3' "err 'no calls matched'"
sf task calls --limit 1 --json
ok "task calls --limit: the newest" all 'is 0' 'q "map(.id) == [\"c3\"]"'
sf task calls --since 2026-11-29T17:00:02Z --json
ok "task calls --since" all 'is 0' 'q "map(.id) == [\"c2\", \"c3\"]"'
sf task calls nobody
ok "task calls of nobody" is 3
sf task show t-17#1
ok "task show counts calls" all 'is 0' "out '5 tool calls, 2 failed; 1 fault in their bytes'" "out 'the campaign says fail: no clone'"
sf task show t-17#1 --json
ok "task show --json: counts of calls" all 'is 0' 'q ".calls == {total: 5, failed: 2, faults: 1} and .result == \"fail\" and .why == \"no clone\""'
sf task show t-17#1 --json --calls
ok "task show --json --calls" all 'is 0' 'q ".calls.total == 5 and (.calls.list | map(.id)) == [\"c1\", \"c2\", \"c3\"] and (.calls.list[0] | has(\"task\") | not) and .calls.incidents == [{kind: \"closed\", session: 2, at: \"2026-11-29T17:00:03.100000000Z\", pid: 41, other_pid: 40, by_server: true, errno: null, bytes: 0, open_calls: 1, say: \"the server left with 1 call open\"}]"'
sf task show t-17#1 --calls
ok "task show --calls" all 'is 0' "out 'write_file'" "out 'closed: the server left'"
sf export --calls
ok "export --calls" all 'is 0' 'slurped "(map(.calls.list | length) | add) == 4 and (map(.calls.incidents | length) | add) == 1"'
sf export
ok "export: numbers of calls alone" all 'is 0' 'slurped "all(.calls | has(\"list\") | not)"'
sf task show t-18 --campaign nightly --json
ok "a task without calls" all 'is 0' 'q ".calls == {total: 0, failed: 0, faults: 0} and .result == \"pass\" and .why == null"'
sf explain t-17#1
ok "explain: the campaign's word" all 'is 0' "out 'the campaign says fail'"

sf task list --disagree --json
ok "task list --disagree --json" all 'is 0' 'q "map([.campaign, .task, .attempt, .result]) == [[\"weekly\", \"w-1\", 1, \"fail\"], [\"nightly\", \"t-17\", 2, \"fail\"], [\"nightly\", \"t-18\", 1, \"pass\"]]"'
sf task list --disagree
ok "task list --disagree: both words" all 'is 0' "out 'CAMPAIGN SAYS'" "out 'wrong \x1b[31m answer'" "out 'sandbox/memory/oom-cgroup'" "out 'workload/exit/non-zero'" "not out 'q-1'"
sf task list --disagree --campaign quiet
ok "task list --disagree: all agree" all 'is 3' "err 'no tasks matched'"
sf task call t-17
ok "task call without a tool" all 'is 2' "err 'tool'"
sf task call t-17 --tool x --code 1.5
ok "task call with a bad code" all 'is 2' "err 'code'"
sf task end t-17 --why x
ok "task end: --why alone" all 'is 2' "err 'result'"
sf task end t-17 --result maybe
ok "task end: a bad result" all 'is 2' "err 'pass or fail'"

# ---- run ----

unset SANDFAULT_SOCKET SANDFAULT_DB
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

echo "$passed passed, $failed failed"
((failed == 0))
