-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family oban
-- table oban_jobs
-- pending 2
-- waiting 2
-- locked 1
-- processed 1
-- failed 2
-- unknown 0
CREATE TABLE oban_jobs (
  id bigint PRIMARY KEY,
  state text NOT NULL DEFAULT 'available' CHECK (state IN ('available','scheduled','executing','retryable','completed','discarded','cancelled')),
  queue text NOT NULL DEFAULT 'default',
  worker text NOT NULL,
  args jsonb NOT NULL,
  meta jsonb,
  errors jsonb NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 20,
  priority integer NOT NULL DEFAULT 0,
  inserted_at timestamp NOT NULL,
  scheduled_at timestamp NOT NULL,
  attempted_at timestamp,
  completed_at timestamp,
  discarded_at timestamp,
  cancelled_at timestamp);
CREATE TABLE oban_peers (
  name text PRIMARY KEY,
  node text NOT NULL,
  started_at timestamp NOT NULL,
  expires_at timestamp NOT NULL);
INSERT INTO oban_jobs (id, state, worker, args, errors, inserted_at, scheduled_at, completed_at, discarded_at, cancelled_at) VALUES
  (1,'available','Mail','{}','[]',@ago(9),@ago(9),NULL,NULL,NULL),
  (2,'available','Mail','{}','[]',@ago(9),@ago(9),NULL,NULL,NULL),
  (3,'scheduled','Mail','{}','[]',@ago(9),@in(900),NULL,NULL,NULL),
  (4,'retryable','Mail','{}','[]',@ago(9),@in(9),NULL,NULL,NULL),
  (5,'executing','Mail','{}','[]',@ago(9),@ago(9),NULL,NULL,NULL),
  (6,'completed','Mail','{}','[]',@ago(9),@ago(9),@ago(5),NULL,NULL),
  (7,'discarded','Mail','{}','[]',@ago(9),@ago(9),NULL,@ago(5),NULL),
  (8,'cancelled','Mail','{}','[]',@ago(9),@ago(9),NULL,NULL,@ago(5));
