#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What the command line tells of tool calls, and of results that a campaign states.
set -u

. "$(dirname "$0")/lib.sh" || exit 1
fixture

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

finish
