# SPDX-License-Identifier: GPL-2.0-only
"""
compare.py PLANTED SANDFAULT DB CAMPAIGN: holds what was planted against what was found.

The only reader of the list of planted faults; what was found it knows from the command line alone.
Exit status 0 only if every planted fault was found, nine of ten were named right, and nothing was
reported of a task around which nothing was planted.
"""
import json
import subprocess
import sys


def kind(v):
    return "%s/%s/%s" % (v["level"], v["primitive"], v["cause"])


def exported(sandfault, db, campaign):
    out = subprocess.run([sandfault, "export", "--db", db, "--campaign", campaign],
                         stdout=subprocess.PIPE, check=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def compare(planted, tasks):
    """How many planted faults were found, how many of those are right, what was found in vain."""
    found = right = false = 0
    for task in tasks:
        want, got = planted.get(task["task"]), task["verdict"]
        text = "%s (%s)" % (kind(got), got["subject"]) if got else "nothing"
        if not want:
            if got:
                false += 1
                print("%s: nothing was planted, reported was %s" % (task["task"], text))
            continue
        if got and got["level"] != "workload":
            found += 1
        if got and kind(got) == kind(want) and want["subject"] in got["subject"]:
            right += 1
        else:
            print("%s: planted was %s (%s), reported was %s"
                  % (task["task"], kind(want), want["subject"], text))
    return found, right, false


def main():
    planted_file, sandfault, db, campaign = sys.argv[1:]
    with open(planted_file) as f:
        plan = json.load(f)
    planted = plan["planted"]
    tasks = exported(sandfault, db, campaign)
    found, right, false = compare(planted, tasks)
    complete = True
    if sorted(t["task"] for t in tasks) != sorted(plan["tasks"]):
        print("%d tasks were run, %d are on record" % (len(plan["tasks"]), len(tasks)))
        complete = False
    for t in tasks:
        if t["state"] != "final":
            print("%s: is %s, not final" % (t["task"], t["state"]))
            complete = False
    print("campaign: %d tasks, %d planted, %d found, %d right, %d false"
          % (len(tasks), len(planted), found, right, false))
    good = complete and found == len(planted) and right * 10 >= len(planted) * 9 and false == 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
