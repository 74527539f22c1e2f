#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: mcp-shell-server
# report: healthy
# expect: none
# outcome: ok
# needs: python3 bash jq
# why: A tool server of a few lines of shell and jq, as people write them, with programs run in each call.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
here=$(cd "$(dirname "$0")" && pwd)
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cp "$here/lib/mcp_stdio.py" . || exit 77
cat >server.sh <<'END'
while read -r line; do
    id=$(jq -c '.id // empty' <<<"$line")
    [ -n "$id" ] || continue
    case $(jq -r .method <<<"$line") in
    initialize)
        result='{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}' ;;
    tools/call)
        path=$(jq -r .params.arguments.path <<<"$line")
        if text=$(wc -l 2>&1 <"$path"); then error=false; else error=true; fi
        result=$(jq -nc --arg t "$text" --argjson e "$error" '{content: [{type: "text", text: $t}], isError: $e}') ;;
    *)
        result='{}' ;;
    esac
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
END
cat >agent.py <<'END'
from mcp_stdio import Client

agent = Client("bash", "server.sh")
print(agent.text("count_lines", path="server.sh"))
print(agent.text("count_lines", path="agent.py"))
agent.close()
END
python3 agent.py
