-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table outbox
-- pending 2
-- locked 1
-- processed 1
-- failed null
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  type text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamp NOT NULL,
  published_at timestamp,
  lease_until timestamp);
INSERT INTO outbox VALUES
  (@uuid(1),'t','{}',@ago(9),NULL,NULL),
  (@uuid(2),'t','{}',@ago(9),NULL,@ago(2)),
  (@uuid(3),'t','{}',@ago(9),NULL,@in(60)),
  (@uuid(4),'t','{}',@ago(9),@ago(2),@in(60));
