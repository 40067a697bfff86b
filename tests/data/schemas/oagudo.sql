-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family oagudo-outbox
-- table outbox
-- pending 2
-- waiting 1
-- processed null
-- locked 0
-- failed null
-- unknown 0
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL,
  scheduled_at timestamptz NOT NULL,
  metadata @bytes,
  payload @bytes NOT NULL,
  times_attempted integer NOT NULL);
INSERT INTO outbox (id, created_at, scheduled_at, payload, times_attempted) VALUES
  (@uuid(1),@ago(60),@ago(60),'x',0),
  (@uuid(2),@ago(60),@ago(60),'x',2),
  (@uuid(3),@ago(60),@in(600),'x',0);
