-- SPDX-License-Identifier: GPL-2.0-only
-- Version 1. Times are int64 ns UTC. Bytes from outside are BLOB, exact.
CREATE TABLE task (
	id INTEGER PRIMARY KEY,           -- the instance
	campaign TEXT NOT NULL,
	name TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	state TEXT NOT NULL,              -- running, settling, final
	started_ns INTEGER NOT NULL,
	ended_ns INTEGER,
	outcome TEXT NOT NULL,            -- unknown, ok, failed, killed
	exit_code INTEGER,
	signal INTEGER,
	note TEXT,
	cgroup TEXT,                      -- from the v2 root; NULL: process scope
	cgroup_id INTEGER,
	source TEXT NOT NULL,             -- run, begin, template, unattributed
	provisional INTEGER NOT NULL DEFAULT 0,
	failed INTEGER NOT NULL DEFAULT 0,
	noise INTEGER NOT NULL DEFAULT 0,
	handled INTEGER NOT NULL DEFAULT 0,
	lost INTEGER NOT NULL DEFAULT 0,
	verdict INTEGER,                  -- failure.id
	UNIQUE (campaign, name, attempt)
);
CREATE INDEX task_started ON task (started_ns);
CREATE INDEX task_open ON task (state) WHERE state <> 'final';
CREATE INDEX task_age ON task (coalesce(ended_ns, started_ns)) WHERE state = 'final';
-- the highest instance ever stored: retention must not make a number free again; instances of the
-- kernel side (bit 62) are counted there
CREATE TABLE sequence (
	name TEXT PRIMARY KEY,
	value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO sequence VALUES ('instance', 0);
CREATE TRIGGER task_sequence AFTER INSERT ON task WHEN new.id < 4611686018427387904 BEGIN
	UPDATE sequence SET value = new.id WHERE name = 'instance' AND value < new.id;
END;
CREATE TABLE label (
	task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (task, name)
) WITHOUT ROWID;
CREATE INDEX label_value ON label (name, value);
CREATE TABLE failure (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
	fingerprint INTEGER NOT NULL,     -- names it within its task across judgements
	level TEXT NOT NULL,
	primitive TEXT NOT NULL,
	cause TEXT NOT NULL,
	subject BLOB NOT NULL,
	disposition TEXT NOT NULL,
	confidence TEXT NOT NULL,
	count INTEGER NOT NULL,
	first_ns INTEGER NOT NULL,
	last_ns INTEGER NOT NULL,
	syscall TEXT,
	errno INTEGER NOT NULL DEFAULT 0,
	signal INTEGER NOT NULL DEFAULT 0,
	late INTEGER NOT NULL DEFAULT 0,
	pid INTEGER NOT NULL DEFAULT 0,
	ns_pid INTEGER NOT NULL DEFAULT 0,
	comm BLOB,
	exe BLOB,
	summary TEXT NOT NULL,
	remedy TEXT NOT NULL,
	evidence TEXT NOT NULL,           -- JSON array of sentences
	caused_by INTEGER,                -- failure.id
	UNIQUE (task, fingerprint)
);
CREATE INDEX failure_kind ON failure (level, primitive, cause, disposition, task);
-- covers a taxonomy over a window that does not begin at a full minute
CREATE INDEX failure_first ON failure (first_ns, disposition, level, primitive, cause, task, count);
-- every failing syscall of a task, noise too: the sum is the program's own count
CREATE TABLE tally (
	task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
	abi INTEGER NOT NULL,             -- 0 native, 1 32-bit, 2 x32
	syscall TEXT NOT NULL,
	errno INTEGER NOT NULL,
	entry INTEGER NOT NULL,           -- 0 entered, 1 refused by seccomp, 2 unknown, 3 ptraced,
	                                  -- 7 a request of io_uring
	count INTEGER NOT NULL,
	PRIMARY KEY (task, abi, syscall, errno, entry)
) WITHOUT ROWID;
-- failures per task and minute, rebuilt from them whenever a task's failures change
CREATE TABLE rollup (
	minute INTEGER NOT NULL,          -- minutes since 1970, of the first sighting
	task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
	level TEXT NOT NULL,
	primitive TEXT NOT NULL,
	cause TEXT NOT NULL,
	disposition TEXT NOT NULL,
	failures INTEGER NOT NULL,
	events INTEGER NOT NULL,          -- sum of their counts
	verdicts INTEGER NOT NULL,        -- 1: the task's verdict is among them
	PRIMARY KEY (minute, task, level, primitive, cause, disposition)
) WITHOUT ROWID;
CREATE INDEX rollup_task ON rollup (task);
CREATE INDEX rollup_kind ON rollup (level, primitive, cause, task, disposition, failures, events,
	verdicts);
CREATE TABLE alert (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	level TEXT NOT NULL,
	primitive TEXT NOT NULL,
	campaign TEXT,
	state TEXT NOT NULL,              -- firing, resolved
	fired_ns INTEGER NOT NULL,
	resolved_ns INTEGER,
	tasks INTEGER NOT NULL,
	expected REAL NOT NULL,
	window_ns INTEGER NOT NULL,
	examples TEXT NOT NULL            -- JSON array of "campaign/task"
);
CREATE TABLE counter (
	name TEXT PRIMARY KEY,
	value INTEGER NOT NULL,
	updated_ns INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE sensor (
	name TEXT PRIMARY KEY,
	state TEXT NOT NULL,              -- active, refused, absent, off
	reason TEXT,
	lost TEXT,
	optional INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE daemon (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	pid INTEGER NOT NULL,
	version TEXT NOT NULL,
	started_ns INTEGER NOT NULL,
	heartbeat_ns INTEGER NOT NULL,
	stopped_ns INTEGER,
	generation INTEGER NOT NULL       -- last signature map generation committed
);
CREATE TABLE gap (
	id INTEGER PRIMARY KEY,
	from_ns INTEGER NOT NULL,
	to_ns INTEGER NOT NULL,
	reason TEXT NOT NULL
);
CREATE VIEW task_view AS
	SELECT t.id, t.campaign, t.name AS task, t.attempt, t.state, t.started_ns, t.ended_ns,
	       t.outcome, t.exit_code, t.signal, f.level, f.primitive, f.cause, f.subject,
	       f.confidence, f.summary, f.remedy
	FROM task t LEFT JOIN failure f ON f.id = t.verdict;
CREATE VIEW failure_view AS
	SELECT f.id, t.campaign, t.name AS task, t.attempt, f.level, f.primitive, f.cause,
	       f.subject, f.disposition, f.confidence, f.count, f.first_ns, f.last_ns, f.syscall,
	       f.errno, f.signal, f.late, f.pid, f.comm, f.exe, f.summary, f.remedy
	FROM failure f JOIN task t ON t.id = f.task;
