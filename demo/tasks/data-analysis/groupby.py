# SPDX-License-Identifier: GPL-2.0-only
"""Writes a table as CSV, reads it back, groups it, and compares with what must come out."""
import collections
import csv
import statistics
import sys

n = int(sys.argv[1])
regions = ["north", "south", "east", "west"]
with open("sales.csv", "w", newline="") as f:
    out = csv.writer(f)
    out.writerow(["id", "region", "amount"])
    for i in range(8000):
        out.writerow([i, regions[i % 4], (i * (n + 3)) % 997])

groups = collections.defaultdict(list)
with open("sales.csv", newline="") as f:
    for row in csv.DictReader(f):
        groups[row["region"]].append(int(row["amount"]))
with open("summary.csv", "w", newline="") as f:
    out = csv.writer(f)
    for region in sorted(groups):
        values = groups[region]
        out.writerow([region, len(values), sum(values), "%.3f" % statistics.pstdev(values)])
expect = {r: sum((i * (n + 3)) % 997 for i in range(k, 8000, 4)) for k, r in enumerate(regions)}
with open("summary.csv", newline="") as f:
    for region, count, total, _ in csv.reader(f):
        assert (int(count), int(total)) == (2000, expect[region]), region
print("groupby: 8000 rows in", len(groups), "groups")
