-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family solid_queue
-- table solid_queue_jobs
-- pending 2
-- waiting 1
-- locked 1
-- processed 1
-- failed 1
-- unknown 0
CREATE TABLE solid_queue_jobs (
  id bigint PRIMARY KEY,
  queue_name varchar(255) NOT NULL,
  class_name varchar(255) NOT NULL,
  arguments text,
  priority integer NOT NULL DEFAULT 0,
  active_job_id varchar(255),
  scheduled_at timestamp,
  finished_at timestamp,
  concurrency_key varchar(255),
  created_at timestamp NOT NULL,
  updated_at timestamp NOT NULL);
CREATE TABLE solid_queue_ready_executions (
  id bigint PRIMARY KEY,
  job_id bigint NOT NULL UNIQUE,
  queue_name varchar(255) NOT NULL,
  priority integer NOT NULL,
  created_at timestamp NOT NULL);
CREATE TABLE solid_queue_claimed_executions (
  id bigint PRIMARY KEY,
  job_id bigint NOT NULL UNIQUE,
  process_id bigint,
  created_at timestamp NOT NULL);
CREATE TABLE solid_queue_scheduled_executions (
  id bigint PRIMARY KEY,
  job_id bigint NOT NULL UNIQUE,
  queue_name varchar(255) NOT NULL,
  priority integer NOT NULL,
  scheduled_at timestamp NOT NULL,
  created_at timestamp NOT NULL);
CREATE TABLE solid_queue_failed_executions (
  id bigint PRIMARY KEY,
  job_id bigint NOT NULL UNIQUE,
  error text,
  created_at timestamp NOT NULL);
CREATE TABLE solid_queue_processes (
  id bigint PRIMARY KEY,
  kind varchar(255) NOT NULL,
  last_heartbeat_at timestamp NOT NULL,
  pid integer NOT NULL,
  created_at timestamp NOT NULL,
  name varchar(255) NOT NULL);
INSERT INTO solid_queue_processes VALUES
  (7,'Worker',@ago(3),42,@ago(99),'w');
INSERT INTO solid_queue_jobs (id, queue_name, class_name, arguments, scheduled_at, finished_at, created_at, updated_at) VALUES
  (1,'q','Mail','{}',@ago(9),NULL,@ago(9),@ago(9)),
  (2,'q','Mail','{}',@in(600),NULL,@ago(9),@ago(9)),
  (3,'q','Mail','{}',@ago(9),NULL,@ago(9),@ago(9)),
  (4,'q','Mail','{}',@ago(9),@ago(1),@ago(9),@ago(9)),
  (5,'q','Mail','{}',@ago(9),NULL,@ago(9),@ago(9)),
  (6,'q','Mail','{}',@ago(9),NULL,@ago(9),@ago(9));
INSERT INTO solid_queue_ready_executions VALUES
  (1,1,'q',0,@ago(9));
INSERT INTO solid_queue_scheduled_executions VALUES
  (1,2,'q',0,@in(600),@ago(9));
INSERT INTO solid_queue_claimed_executions VALUES
  (1,3,7,@ago(9)),
  (2,6,99,@ago(9));
INSERT INTO solid_queue_failed_executions VALUES
  (1,5,'boom',@ago(9));
