-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family pg-transactional-outbox
-- table outbox
-- pending 2
-- locked 1
-- processed 1
-- failed 1
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  aggregate_type text NOT NULL,
  aggregate_id text NOT NULL,
  message_type text NOT NULL,
  segment text,
  concurrency text NOT NULL DEFAULT 'sequential',
  payload jsonb NOT NULL,
  metadata jsonb,
  locked_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  processed_at timestamptz,
  abandoned_at timestamptz,
  started_attempts smallint NOT NULL DEFAULT 0,
  finished_attempts smallint NOT NULL DEFAULT 0);
INSERT INTO outbox (id, aggregate_type, aggregate_id, message_type, payload, locked_until, created_at, processed_at, abandoned_at) VALUES
  (@uuid(1),'a','1','t','{}','1970-01-01 00:00:00',@ago(9),NULL,NULL),
  (@uuid(2),'a','1','t','{}',@ago(5),@ago(9),NULL,NULL),
  (@uuid(3),'a','1','t','{}',@in(60),@ago(9),NULL,NULL),
  (@uuid(4),'a','1','t','{}',@in(60),@ago(9),@ago(1),NULL),
  (@uuid(5),'a','1','t','{}',@in(60),@ago(9),NULL,@ago(1));
