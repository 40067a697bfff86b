-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table event_outbox
-- pending 2
-- processed 1
-- failed null
-- locked 0
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE event_outbox (
  id integer PRIMARY KEY,
  event_name text NOT NULL,
  body text NOT NULL,
  is_published smallint NOT NULL DEFAULT 0,
  created_at timestamp NOT NULL);
INSERT INTO event_outbox VALUES
  (1,'t','{}',0,@ago(9)),
  (2,'t','{}',0,@ago(9)),
  (3,'t','{}',1,@ago(9));
