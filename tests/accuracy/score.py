#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""score.py CASES RUN: what three judges said of the cases that `run-cases -o RUN` ran, as Markdown.

A case counts at three grains: its level, its level and primitive, and these with the cause. Its
`# expect:` and `# also:` lines say what is right. The four outcomes:

    right   one of the expected answers, or none where none is expected
    wrong   another answer than the expected ones
    missed  nothing, or `workload` alone, where the sandbox or the interface was at fault
    false   an answer where none is expected
"""
import collections
import json
import os
import re
import sys

sys.dont_write_bytecode = True  # before the one module of ours
import baselines  # noqa: E402

Case = collections.namedtuple("Case", "name expected said")
JUDGES = ("sandfault", "exit code", "keywords")
GRAINS = (("level", 1), ("level/primitive", 2), ("level/primitive/cause", 3))
OUTCOMES = ("right", "wrong", "missed", "false")
EXPECTED = re.compile(r"^# (?:expect|also): +level=(\S+) primitive=(\S+) cause=(\S+)", re.M)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8", errors="replace") as file:
        return file.read()


def verdict(run, name):
    said = json.loads(read(run, name + ".json"))["verdict"]
    return ((said["level"], said["primitive"], said["cause"]),) if said else ()


def expected_of(script):
    expected = tuple(EXPECTED.findall(script))
    if not expected and not re.search(r"^# expect: +none$", script, re.M):
        raise ValueError("no expectation")
    return expected


def load(cases, run):
    """The cases that ran, and the names of those that did not (a skip, or no verdict at all)."""
    ran, left_out = [], []
    for file in sorted(os.listdir(cases)):
        name, kind = os.path.splitext(file)
        if kind != ".sh" or not os.path.exists(os.path.join(run, name + ".status")):
            continue
        status = int(read(run, name + ".status"))
        if status == 77 or not os.path.exists(os.path.join(run, name + ".json")):
            left_out.append(name)
            continue
        output = read(run, name + ".err") + read(run, name + ".out")
        ran.append(Case(name, expected_of(read(cases, file)), {
            "sandfault": verdict(run, name),
            "exit code": baselines.by_status(status),
            "keywords": baselines.by_words(status, output),
        }))
    return ran, left_out


def outcome(expected, said, grain):
    if not expected:
        return "false" if said else "right"
    if {e[:grain] for e in expected} & {s[:grain] for s in said}:
        return "right"
    at_fault = any(e[0] != "workload" for e in expected)
    if not said or (at_fault and all(s[0] == "workload" for s in said)):
        return "missed"
    return "wrong"


def tally(cases, judge, grain):
    return collections.Counter(outcome(c.expected, c.said[judge], grain) for c in cases)


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|---" + "|--:" * (len(head) - 1) + "|"
    for row in rows:
        yield "| " + " | ".join(str(cell) for cell in row) + " |"
    yield ""


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "–"


def summary(cases):
    failing = [c for c in cases if c.expected]
    healthy = [c for c in cases if not c.expected]
    for title, grain in GRAINS:
        for judge in JUDGES:
            n = tally(failing, judge, grain)
            false = tally(healthy, judge, grain)["false"]
            right = n["right"] + len(healthy) - false
            yield (title, judge, n["right"], n["wrong"], n["missed"], false,
                   percent(n["right"], len(failing)), percent(right, len(cases)))


def by_primitive(cases):
    """One row per expected primitive; a false answer counts in the row of what was said."""
    rows = collections.defaultdict(lambda: [[], {judge: 0 for judge in JUDGES}])
    for case in cases:
        if case.expected:
            rows["/".join(case.expected[0][:2])][0].append(case)
        for judge in JUDGES:
            if not case.expected and case.said[judge]:
                rows["/".join(case.said[judge][0][:2])][1][judge] += 1
    for primitive, (members, false) in sorted(rows.items()):
        row = [primitive, len(members)]
        for judge in JUDGES:
            n = tally(members, judge, 2)
            row.append(" / ".join(str(n[o]) for o in OUTCOMES[:3]) + f" / {false[judge]}")
        yield row
    healthy = [c for c in cases if not c.expected]
    yield ["(none expected)", len(healthy)] + [
        f"{n['right']} / – / – / {n['false']}" for n in (tally(healthy, j, 2) for j in JUDGES)]


def kind(answers):
    return " or ".join("/".join(a) for a in answers) or "none"


def not_right(cases):
    for case in cases:
        got = outcome(case.expected, case.said["sandfault"], 3)
        if got != "right":
            yield (f"- `{case.name}` ({got}): expected {kind(case.expected)}, "
                   f"got {kind(case.said['sandfault'])}")


def report(cases, left_out):
    failing = sum(1 for c in cases if c.expected)
    yield f"{len(cases)} cases: {failing} with a fault, {len(cases) - failing} without."
    if left_out:
        yield "Not judged, as something they need was absent: " + ", ".join(left_out) + "."
    yield ""
    yield "## All cases"
    yield ""
    yield from table(("grain", "judge", "right", "wrong", "missed", "false",
                      "of the faults", "of all"), summary(cases))
    yield "## Per primitive"
    yield ""
    yield "Right / wrong / missed / false, at the grain of level/primitive."
    yield ""
    yield from table(("expected", "cases") + JUDGES, by_primitive(cases))
    yield "## Where sandfault is not right"
    yield ""
    yield from list(not_right(cases)) or ["Nowhere in this run, down to the cause."]


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: score.py CASES RUN")
    cases, left_out = load(*sys.argv[1:])
    if not cases:
        sys.exit("score.py: no case was judged")
    print("\n".join(report(cases, left_out)))


if __name__ == "__main__":
    main()
