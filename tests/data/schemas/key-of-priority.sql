-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table que_jobs
-- pending 1
-- processed null
-- failed null
-- locked 0
-- waiting 1
-- unknown 0
CREATE TABLE que_jobs (
  priority smallint NOT NULL DEFAULT 100,
  run_at timestamp NOT NULL,
  job_id bigint NOT NULL,
  job_class varchar(255) NOT NULL,
  args text NOT NULL,
  error_count integer NOT NULL DEFAULT 0,
  last_error text,
  queue varchar(255) NOT NULL DEFAULT '',
  PRIMARY KEY (queue, priority, run_at, job_id));
INSERT INTO que_jobs VALUES
  (100,@ago(9),1,'j','[]',0,NULL,''),
  (100,@in(600),2,'j','[]',0,NULL,'');
