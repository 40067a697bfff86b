-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table outbox_message
-- pending 2
-- processed 1
-- locked 0
-- failed 1
-- waiting 0
-- unknown 1
-- relay could
CREATE TABLE outbox_message (
  id bigint PRIMARY KEY,
  aggregate_type varchar(255) NOT NULL,
  aggregate_id bigint NOT NULL,
  event_type varchar(255) NOT NULL,
  payload jsonb NOT NULL,
  status varchar(20) NOT NULL DEFAULT 'PENDING',
  error_message text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL);
INSERT INTO outbox_message VALUES
  (1,'o',1,'t','{}','PENDING',NULL,@ago(9),@ago(9)),
  (2,'o',1,'t','{}','PENDING',NULL,@ago(9),@ago(9)),
  (3,'o',1,'t','{}','PUBLISHED',NULL,@ago(9),@ago(9)),
  (4,'o',1,'t','{}','FAILED','boom',@ago(9),@ago(9)),
  (5,'o',1,'t','{}','PURPLE',NULL,@ago(9),@ago(9));
