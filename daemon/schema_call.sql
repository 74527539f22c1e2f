-- SPDX-License-Identifier: GPL-2.0-only
-- Version 2, on top of schema.sql: tool calls, and what befell their channels.
ALTER TABLE task ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN calls_failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN call_faults INTEGER NOT NULL DEFAULT 0;
ALTER TABLE task ADD COLUMN result TEXT; -- the campaign's word: pass, fail; NULL: not said
ALTER TABLE task ADD COLUMN why TEXT;
CREATE TABLE call (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
	session INTEGER NOT NULL,         -- within a run of the daemon; 0: told by a harness
	source TEXT NOT NULL,             -- channel, harness
	rpc_id TEXT,                      -- as JSON has it
	method TEXT,                      -- NULL: told
	tool BLOB,                        -- NULL: another method than tools/call
	subject BLOB NOT NULL,            -- the path, else the first short text
	args TEXT,                        -- redacted JSON; NULL: not kept
	started_ns INTEGER NOT NULL,
	ended_ns INTEGER,
	end TEXT NOT NULL,                -- ok, tool-error, error, never, cancelled, open
	failed INTEGER NOT NULL,          -- 1: an error, or never answered
	code INTEGER,                     -- of a JSON-RPC error
	text BLOB,                        -- what a failed one said, redacted
	request_len INTEGER NOT NULL,     -- bytes of the whole message
	request_digest TEXT,              -- SHA-256 of it, hex
	answer_len INTEGER NOT NULL,
	answer_digest TEXT,
	cut INTEGER NOT NULL,             -- 1: not all bytes were seen
	server_pid INTEGER,
	client_pid INTEGER,
	n_faults INTEGER NOT NULL,
	faults TEXT                       -- JSON array; NULL: none
);
CREATE INDEX call_task ON call (task, started_ns);
CREATE INDEX call_started ON call (started_ns);
CREATE TABLE incident (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
	session INTEGER NOT NULL,
	kind TEXT NOT NULL,               -- not-json, broken-pipe, closed, blocked …
	at_ns INTEGER NOT NULL,
	pid INTEGER,                      -- whom it happened to
	other_pid INTEGER,                -- who was at the other end
	by_server INTEGER NOT NULL,       -- 1: pid is the server
	errno INTEGER NOT NULL,           -- 0: none
	bytes INTEGER NOT NULL,
	open INTEGER NOT NULL,            -- calls that were open
	say TEXT NOT NULL
);
CREATE INDEX incident_task ON incident (task, at_ns);
CREATE VIEW call_view AS
	SELECT c.id, t.campaign, t.name AS task, t.attempt, c.session, c.source, c.method, c.tool,
	       c.subject, c.started_ns, c.ended_ns, c.end, c.failed, c.code, c.text, c.request_len,
	       c.answer_len, c.n_faults, c.faults
	FROM call c JOIN task t ON t.id = c.task;
DROP VIEW task_view;
CREATE VIEW task_view AS
	SELECT t.id, t.campaign, t.name AS task, t.attempt, t.state, t.started_ns, t.ended_ns,
	       t.outcome, t.exit_code, t.signal, f.level, f.primitive, f.cause, f.subject,
	       f.confidence, f.summary, f.remedy, t.calls, t.calls_failed, t.call_faults, t.result,
	       t.why
	FROM task t LEFT JOIN failure f ON f.id = t.verdict;
