-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family good_job
-- table good_jobs
-- pending 2
-- waiting 1
-- locked 1
-- processed 1
-- failed 1
-- unknown 0
CREATE TABLE good_jobs (
  id uuid PRIMARY KEY,
  queue_name text,
  priority integer,
  serialized_params jsonb,
  scheduled_at timestamp,
  performed_at timestamp,
  finished_at timestamp,
  error text,
  created_at timestamp NOT NULL,
  updated_at timestamp NOT NULL,
  active_job_id uuid,
  executions_count integer,
  job_class text,
  locked_by_id uuid,
  locked_at timestamp);
CREATE TABLE good_job_executions (
  id uuid PRIMARY KEY,
  active_job_id uuid NOT NULL,
  job_class text,
  queue_name text,
  serialized_params jsonb,
  scheduled_at timestamp,
  finished_at timestamp,
  error text);
INSERT INTO good_jobs (id, job_class, serialized_params, scheduled_at, performed_at, finished_at, error, created_at, updated_at, locked_by_id, locked_at) VALUES
  (@uuid(1),'Mail','{}',NULL,NULL,NULL,NULL,@ago(60),@ago(60),NULL,NULL),
  (@uuid(2),'Mail','{}',@ago(30),NULL,NULL,NULL,@ago(60),@ago(60),NULL,NULL),
  (@uuid(3),'Mail','{}',@in(600),NULL,NULL,NULL,@ago(60),@ago(60),NULL,NULL),
  (@uuid(4),'Mail','{}',NULL,@ago(5),NULL,NULL,@ago(60),@ago(60),@uuid(9),@ago(5)),
  (@uuid(5),'Mail','{}',NULL,@ago(50),@ago(40),NULL,@ago(60),@ago(60),NULL,NULL),
  (@uuid(6),'Mail','{}',NULL,@ago(50),@ago(40),'boom',@ago(60),@ago(60),NULL,NULL);
