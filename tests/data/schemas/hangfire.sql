-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family hangfire
-- table job
-- pending 2
-- locked 1
-- waiting 1
-- processed 1
-- failed 1
-- unknown 0
CREATE TABLE job (
  id bigint PRIMARY KEY,
  stateid bigint,
  statename varchar(20),
  invocationdata text NOT NULL,
  arguments text NOT NULL,
  createdat timestamp NOT NULL,
  expireat timestamp);
CREATE TABLE jobqueue (
  id bigint PRIMARY KEY,
  jobid bigint NOT NULL,
  queue varchar(20) NOT NULL,
  fetchedat timestamp);
CREATE TABLE state (
  id bigint PRIMARY KEY,
  jobid bigint NOT NULL,
  name varchar(20) NOT NULL,
  reason varchar(100),
  createdat timestamp NOT NULL,
  data text);
INSERT INTO job VALUES
  (1,1,'Enqueued','{}','[]',@ago(9),NULL),
  (2,2,'Enqueued','{}','[]',@ago(9),NULL),
  (3,3,'Processing','{}','[]',@ago(9),NULL),
  (4,4,'Succeeded','{}','[]',@ago(9),@in(99)),
  (5,5,'Failed','{}','[]',@ago(9),NULL),
  (6,6,'Scheduled','{}','[]',@ago(9),NULL);
