# SPDX-License-Identifier: GPL-2.0-only
"""Loads two tables into SQLite, joins them with a window function, and checks the totals."""
import sqlite3
import sys

n = int(sys.argv[1])
db = sqlite3.connect("shop.db")
db.executescript("""
    create table customer (id integer primary key, name text);
    create table sale (id integer primary key, customer int, day int, amount int);
    create index sale_customer on sale (customer, day);
""")
with db:
    db.executemany("insert into customer values (?, ?)", ((i, "c%d" % i) for i in range(50)))
    db.executemany("insert into sale (customer, day, amount) values (?, ?, ?)",
                   ((i % 50, i // 50, (i * 7 + n) % 101) for i in range(6000)))
rows = db.execute("""
    select name, day, sum(amount) over (partition by customer order by day) as running
    from sale join customer on customer.id = sale.customer order by customer, day""").fetchall()
last = {name: running for name, _, running in rows}
assert len(rows) == 6000
assert sum(last.values()) == sum((i * 7 + n) % 101 for i in range(6000))
assert db.execute("pragma integrity_check").fetchone() == ("ok",)
print("sql: running totals of", len(last), "customers")
