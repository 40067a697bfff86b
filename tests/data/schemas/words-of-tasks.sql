-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table worker_jobs
-- pending 1
-- waiting 1
-- locked 1
-- processed 1
-- failed 2
CREATE TABLE worker_jobs (
  id bigint PRIMARY KEY,
  queue_name varchar(128) NOT NULL,
  job_name varchar(128) NOT NULL,
  priority integer NOT NULL DEFAULT 0,
  args jsonb NOT NULL,
  status varchar(20) NOT NULL DEFAULT 'todo',
  scheduled_at timestamptz,
  attempts integer NOT NULL DEFAULT 0);
INSERT INTO worker_jobs (id, queue_name, job_name, args, status, scheduled_at) VALUES
  (1, 'q', 'mail', '{}', 'todo', NULL),
  (2, 'q', 'mail', '{}', 'todo', @in(900)),
  (3, 'q', 'mail', '{}', 'doing', NULL),
  (4, 'q', 'mail', '{}', 'succeeded', NULL),
  (5, 'q', 'mail', '{}', 'failed', NULL),
  (6, 'q', 'mail', '{}', 'aborted', NULL);
