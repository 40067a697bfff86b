-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family graphile-worker
-- table jobs
-- pending 2
-- waiting 1
-- locked 1
-- failed 1
-- processed null
-- unknown 0
CREATE TABLE tasks (
  id integer PRIMARY KEY,
  identifier text NOT NULL UNIQUE);
CREATE TABLE jobs (
  id bigint PRIMARY KEY,
  job_queue_id integer,
  task_id integer NOT NULL,
  payload json NOT NULL,
  priority smallint NOT NULL,
  run_at timestamptz NOT NULL,
  attempts smallint NOT NULL,
  max_attempts smallint NOT NULL,
  last_error text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  locked_at timestamptz,
  locked_by text);
INSERT INTO tasks VALUES
  (1,'send mail');
INSERT INTO jobs VALUES
  (1,NULL,1,'{}',0,@ago(60),0,25,NULL,@ago(60),@ago(60),NULL,NULL),
  (2,NULL,1,'{}',0,@ago(60),3,25,'no',@ago(60),@ago(60),NULL,NULL),
  (3,NULL,1,'{}',0,@in(600),0,25,NULL,@ago(60),@ago(60),NULL,NULL),
  (4,NULL,1,'{}',0,@ago(60),25,25,NULL,@ago(60),@ago(60),@ago(5),'worker-1'),
  (5,NULL,1,'{}',0,@ago(60),25,25,'no',@ago(60),@ago(60),NULL,NULL);
