# SPDX-License-Identifier: GPL-2.0-only
"""The tasks of the campaign: which programs run, how often, and what the tool layer gives them."""
import dataclasses
import json

RENDER = """#!/bin/sh
echo '<table>'
while IFS=';' read -r name value; do
	value=$(printf '%s' "$value" | sed 's/&/\\&amp;/g')
	echo "<tr><td>$name<td>$value"
done <"$1"
echo '</table>'
"""
CHECKS = """#!/bin/sh
n=0
for unit; do
	grep -q unit "$unit" || exit 1
	n=$((n + 1))
done
echo "$n units checked" >checks.log
"""
AGENT = """#!/bin/sh
printf 'agent got %s characters\\n' "${#2}"
"""
PROSE = ("Summarise the meeting in three sentences, and name who does what until when. "
         "The minutes follow. ")


def no_files(n):
    return {}


def report_files(n):
    return {"render.sh": RENDER}


def checks_files(n):
    return {"run-checks": CHECKS}


def summary_files(n):
    return {"task.json": json.dumps({"source": "minutes.txt"}), "minutes.txt": PROSE * (n + 3)}


def supervise_files(n):
    return {"settings.json": json.dumps({"cwd": "worktrees/feature-%d" % n}),
            "worktrees/feature-%d/.keep" % n: ""}


def replicas_files(n):
    return {"settings.json": json.dumps({"replicas": ["127.0.0.1:7080", "localhost:7080"]})}


def notebook_files(n):
    return {"settings.json": json.dumps({"cacheDir": "./.notebook-cache"})}


def prompt_files(n):
    return {"agent.sh": AGENT,
            "prompts.json": json.dumps([PROSE * k for k in range(1, 5)])}


@dataclasses.dataclass(frozen=True)
class Payload:
    program: str  # below tasks/, its first part is the domain
    count: int
    files: object = no_files  # the task's number -> {path: text}, for its workspace
    capabilities: tuple = ()
    browser: bool = False

    @property
    def domain(self):
        return self.program.split("/")[0]

    @property
    def app(self):
        return "browser-sandbox" if self.browser else "code-sandbox"

    def command(self, n):
        path = "/task/" + self.program
        if path.endswith(".py"):
            return ["python3", path, str(n)]
        if path.endswith(".js"):
            return ["node", path, str(n)]
        if path.endswith(".sh"):
            return ["sh", path, str(n)]
        build = 'gcc -O2 -Wall -o /tmp/program "$0" -lm && exec /tmp/program "$1"'
        return ["sh", "-c", build, path, str(n)]


PAYLOADS = [
    Payload("file-io/journal.py", 3),
    Payload("file-io/merge.py", 3),
    Payload("file-io/tree.sh", 3),
    Payload("file-io/copy.js", 3),
    Payload("file-io/watch.js", 3),
    Payload("file-io/blocks.c", 3),
    Payload("packages/wheel.py", 3),
    Payload("packages/environment.py", 3),
    Payload("packages/deb.sh", 3),
    Payload("packages/audit.py", 3),
    Payload("packages/modules.js", 2),
    Payload("packages/native.py", 2),
    Payload("packages/npm.sh", 2),
    Payload("data-analysis/groupby.py", 3),
    Payload("data-analysis/sql.py", 3),
    Payload("data-analysis/logs.sh", 3),
    Payload("data-analysis/columns.js", 3),
    Payload("data-analysis/parallel.py", 3),
    Payload("data-analysis/matrix.py", 3),
    Payload("machine-learning/regression.py", 2),
    Payload("machine-learning/kmeans.py", 2),
    Payload("machine-learning/network.js", 2),
    Payload("machine-learning/checkpoint.py", 3),
    Payload("machine-learning/batch.py", 3),
    Payload("machine-learning/forest.py", 2),
    Payload("machine-learning/bayes.c", 2),
    Payload("machine-learning/lowrank.py", 2),
    Payload("documents/pdf.py", 3),
    Payload("documents/docx.py", 2),
    Payload("documents/site.js", 3),
    Payload("documents/report.sh", 3, report_files),
    Payload("documents/summary.py", 3, summary_files),
    Payload("documents/invoice.sh", 2),
    Payload("documents/print.py", 3, browser=True),
    Payload("builds/cc.sh", 3),
    Payload("builds/make.sh", 3),
    Payload("builds/mixed.sh", 3),
    Payload("builds/git.sh", 3),
    Payload("builds/unittest.sh", 3),
    Payload("builds/bundle.js", 2),
    Payload("builds/checks.py", 3, checks_files),
    Payload("processes/pool.py", 3),
    Payload("processes/pipeline.sh", 3),
    Payload("processes/supervise.js", 3, supervise_files),
    Payload("processes/signals.py", 2),
    Payload("processes/terminal.py", 3),
    Payload("processes/trace.c", 2),
    Payload("processes/reaper.c", 2),
    Payload("networking/service.py", 3),
    Payload("networking/datagrams.py", 3),
    Payload("networking/fetch.js", 3),
    Payload("networking/replicas.py", 3, replicas_files),
    Payload("networking/ping.py", 3, capabilities=("CAP_NET_RAW",)),
    Payload("networking/epoll.c", 3),
    Payload("browser/dom.py", 4, browser=True),
    Payload("browser/served.py", 4, capabilities=("CAP_NET_BIND_SERVICE",), browser=True),
    Payload("browser/shot.py", 3, browser=True),
    Payload("browser/canvas.py", 3, browser=True),
    Payload("sessions/agent.py", 3),
    Payload("sessions/repl.py", 3),
    Payload("sessions/notebook.js", 3, notebook_files),
    Payload("sessions/rpc.py", 3),
    Payload("sessions/prompt.js", 3, prompt_files),
    Payload("sessions/queue.sh", 2),
    Payload("sessions/browse.py", 2, browser=True),
]
