-- SPDX-License-Identifier: GPL-2.0-only
-- What a daemon could have left behind, on top of daemon/schema.sql and schema_call.sql. Times: minutes
-- after 2026-11-29 17:00 UTC, T0 = 1795971600.
PRAGMA application_id = 0x53464c54;
PRAGMA user_version = 2;

INSERT INTO task (id, campaign, name, attempt, state, started_ns, ended_ns, outcome, exit_code,
                  signal, note, cgroup, source, failed, noise, handled, lost, verdict) VALUES
 (1, 'nightly', 't-17', 1, 'final', 1795971600123456789, 1795971603500000000, 'failed', 1, NULL,
  NULL, '/campaigns/nightly/t-17', 'run', 320, 311, 1, 0, 3),
 (2, 'nightly', 't-17', 2, 'final', 1795971660000000000, 1795971661000000000, 'ok', 0, NULL,
  'second try', '/campaigns/nightly/t-17', 'run', 12, 12, 0, 0, NULL),
 (3, 'nightly', 't-18', 1, 'final', 1795971720000000000, 1795971722000000000, 'killed', NULL, 9,
  NULL, '/campaigns/nightly/t-18', 'begin', 40, 38, 0, 7, 5),
 (4, 'nightly', 't-19', 1, 'running', 1795971780000000000, NULL, 'unknown', NULL, NULL,
  NULL, '/campaigns/nightly/t-19', 'begin', 3, 2, 0, 0, 6),
 (5, 'weekly', 't-18', 1, 'final', 1795971000000000000, 1795971001000000000, 'ok', 0, NULL,
  NULL, NULL, 'begin', 0, 0, 0, 0, NULL),
 (6, 'weekly', 'w-1', 1, 'final', 1795971010000000000, 1795971011000000000, 'failed', 2, NULL,
  NULL, NULL, 'begin', 9, 0, 0, 0, 7),
 (7, 'quiet', 'q-1', 1, 'final', 1795970000000000000, 1795970001000000000, 'ok', 0, NULL,
  NULL, NULL, 'begin', 5, 5, 0, 0, NULL);

INSERT INTO label VALUES
 (1, 'app', 'code-sandbox'), (1, 'domain', 'file-io'), (2, 'app', 'code-sandbox'),
 (3, 'app', 'browser'), (6, 'app', 'browser');

INSERT INTO failure (id, task, fingerprint, level, primitive, cause, subject, disposition,
                     confidence, count, first_ns, last_ns, syscall, errno, signal, late, pid,
                     ns_pid, comm, exe, summary, remedy, evidence, caused_by) VALUES
 (3, 1, 11, 'sandbox', 'seccomp', 'denied', CAST('clone3' AS BLOB), 'fatal', 'certain', 3,
  1795971601000000000, 1795971602000000000, 'clone3', 1, 0, 0, 41, 2, CAST('python3' AS BLOB),
  CAST('/usr/bin/python3' AS BLOB), 'seccomp refused clone3 to python3',
  'allow clone3 in the seccomp profile',
  '["clone3 left the kernel without having entered","python3 wrote: Operation not permitted","third","fourth","fifth","sixth"]',
  NULL),
 (4, 1, 12, 'sandbox', 'disk', 'full', CAST('/tmp/x' || char(27) || '[31m' AS BLOB),
  'contributing', 'likely', 1, 1795971601500000000, 1795971601500000000, 'write', 28, 0, 0, 41, 2,
  CAST('python3' AS BLOB), NULL, 'the file system is full', 'give /tmp more space', '["write ENOSPC"]', 3),
 (8, 1, 13, 'sandbox', 'read-only', 'mount', CAST('/etc/x' AS BLOB), 'handled', 'certain', 2,
  1795971601600000000, 1795971601600000000, 'openat', 30, 0, 0, 41, 2, CAST('python3' AS BLOB),
  NULL, 'read-only mount', 'mount it writable', '[]', NULL),
 (9, 1, 14, 'sandbox', 'fds', 'process-limit', CAST('openat' AS BLOB), 'contributing', 'likely', 1,
  1795971601700000000, 1795971601700000000, 'openat', 24, 0, 1, 41, 2, CAST('python3' AS BLOB),
  NULL, 'no descriptors left', 'raise RLIMIT_NOFILE', '[]', NULL),
 (10, 1, 15, 'sandbox', 'fds', 'host-limit', CAST('openat' AS BLOB), 'contributing', 'likely', 1,
  1795971601800000000, 1795971601800000000, 'openat', 23, 0, 0, 41, 2, CAST('python3' AS BLOB),
  NULL, 'no files left', 'raise fs.file-max', '[]', NULL),
 (5, 3, 21, 'sandbox', 'memory', 'oom-cgroup', CAST('/campaigns/nightly/t-18' AS BLOB), 'fatal',
  'certain', 1, 1795971721000000000, 1795971721000000000, NULL, 0, 9, 0, 77, 1,
  CAST('node' AS BLOB), NULL, 'the OOM killer killed node', 'raise memory.max', '["limit 64 MiB"]', NULL),
 (6, 4, 31, 'sandbox', 'network', 'dns', CAST('10.0.0.7:53' AS BLOB), 'contributing', 'possible', 4,
  1795971781000000000, 1795971790000000000, 'sendto', 1, 0, 0, 99, 1, CAST('curl' AS BLOB), NULL,
  'no resolver', 'give the sandbox a resolver', '["sendto EPERM"]', NULL),
 (7, 6, 41, 'workload', 'exit', 'non-zero', CAST('make' AS BLOB), 'fatal', 'certain', 1,
  1795971011000000000, 1795971011000000000, NULL, 0, 0, 0, 5, 1, CAST('make' AS BLOB), NULL,
  'make ended with status 2', 'nothing to turn in the sandbox: look at the program', '[]', NULL);

INSERT INTO rollup (minute, task, level, primitive, cause, disposition, verdicts, failures, events)
 SELECT f.first_ns / 60000000000, f.task, f.level, f.primitive, f.cause, f.disposition,
        sum(t.verdict IS f.id), count(*), sum(f.count)
 FROM failure f JOIN task t ON t.id = f.task GROUP BY 1, 2, 3, 4, 5, 6;

INSERT INTO tally (task, abi, syscall, errno, entry, count) VALUES
 (1, 0, 'clone3', 1, 1, 3), (1, 0, 'openat', 2, 0, 311);

INSERT INTO alert (id, level, primitive, campaign, state, fired_ns, resolved_ns, tasks, expected,
                   window_ns, examples) VALUES
 (1, 'sandbox', 'seccomp', NULL, 'resolved', 1795971610000000000, 1795972210000000000, 6, 0.5,
  600000000000, '["nightly/t-17"]'),
 (2, 'sandbox', 'memory', NULL, 'firing', 1795971730000000000, NULL, 9, 1.25, 600000000000,
  '["nightly/t-18","nightly/t-19"]');

INSERT INTO counter VALUES
 ('failed', 389, 1795971800000000000), ('lost_signatures', 7, 1795971800000000000);
INSERT INTO sensor VALUES
 ('sys_exit', 'active', NULL, NULL, 0),
 ('tcp', 'refused', 'no trampolines on this kernel', 'asynchronous TCP failures', 1);
INSERT INTO daemon VALUES (1, 4711, '0.1.0', 1795970000000000000, 1795971800000000000,
                           1795971801000000000, 9);

-- The campaign's words: t-17#1 agrees, t-17#2 and w-1 don't, q-1 agrees, nobody judged the others.
UPDATE task SET result = 'fail', why = 'no clone' WHERE id = 1;
UPDATE task SET result = 'fail', why = 'wrong ' || char(27) || '[31m answer' WHERE id = 2;
UPDATE task SET result = 'fail' WHERE id = 6;
UPDATE task SET result = 'pass' WHERE id IN (3, 7);

UPDATE task SET calls = 5, calls_failed = 2, call_faults = 1 WHERE id = 1;
INSERT INTO call (id, task, session, source, rpc_id, method, tool, subject, args, started_ns,
                  ended_ns, end, failed, code, text, request_len, request_digest, answer_len,
                  answer_digest, cut, server_pid, client_pid, n_faults, faults) VALUES
 (1, 1, 2, 'channel', '1', 'tools/call', CAST('write_file' AS BLOB), CAST('/w/photo.png' AS BLOB),
  '{"path":"/w/photo.png"}', 1795971601000000000, 1795971601250000000, 'ok', 0, NULL, NULL, 50700,
  printf('%064d', 1), 80, printf('%064d', 2), 0, 41, 40, 1,
  '[{"level":"interface","primitive":"encoding","cause":"replacement","leg":"client","sure":true,"at":0,"subject":"/w/photo.png","say":"bytes became U+FFFD"},{"level":"interface","primitive":"none","cause":"of","leg":"client","sure":true,"at":0,"subject":"","say":"from the future"}]'),
 (2, 1, 2, 'channel', '"b"', 'tools/call', CAST('read_file' AS BLOB), CAST('/w/x' AS BLOB), NULL,
  1795971602000000000, 1795971602001000000, 'tool-error', 1, -32602,
  CAST('EROFS ' || char(27) || '[31m' AS BLOB), 90, printf('%064d', 3), 70, printf('%064d', 4), 0,
  41, 40, 0, NULL),
 (3, 1, 2, 'channel', '3', 'resources/list', NULL, CAST('' AS BLOB), NULL, 1795971603000000000,
  NULL, 'never', 1, NULL, NULL, 60, printf('%064d', 5), 0, NULL, 1, 41, 40, 0, NULL),
 (4, 6, 0, 'harness', NULL, NULL, CAST('shell' AS BLOB), CAST('' AS BLOB), NULL,
  1795971010500000000, 1795971010600000000, 'ok', 0, NULL, NULL, 0, NULL, 2, NULL, 0, NULL, NULL,
  0, NULL);
INSERT INTO incident (id, task, session, kind, at_ns, pid, other_pid, by_server, errno, bytes, open,
                      say) VALUES
 (1, 1, 2, 'closed', 1795971603100000000, 41, 40, 1, 0, 0, 1, 'the server left with 1 call open');
