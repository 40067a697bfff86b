-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table delayed_jobs
-- pending 2
-- waiting 1
-- locked 1
-- failed 1
-- processed null
-- unknown 0
CREATE TABLE delayed_jobs (
  id bigint PRIMARY KEY,
  priority integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  handler text NOT NULL,
  last_error text,
  run_at timestamp,
  locked_at timestamp,
  failed_at timestamp,
  locked_by varchar(255),
  queue varchar(255),
  created_at timestamp NOT NULL,
  updated_at timestamp NOT NULL);
INSERT INTO delayed_jobs (id, handler, run_at, locked_at, failed_at, locked_by, created_at, updated_at) VALUES
  (1,'--- x',@ago(9),NULL,NULL,NULL,@ago(9),@ago(9)),
  (2,'--- x',NULL,NULL,NULL,NULL,@ago(9),@ago(9)),
  (3,'--- x',@in(90),NULL,NULL,NULL,@ago(9),@ago(9)),
  (4,'--- x',@ago(9),@ago(3),NULL,'host:1',@ago(9),@ago(9)),
  (5,'--- x',@ago(9),NULL,@ago(3),NULL,@ago(9),@ago(9));
