-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table outbox
-- pending 2
-- processed 2
-- failed 1
-- locked 0
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE outbox (
  id bigint PRIMARY KEY,
  topic varchar(255) NOT NULL,
  payload text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'failed')),
  created_at timestamp NOT NULL,
  updated_at timestamp NOT NULL);
INSERT INTO outbox VALUES
  (1,'t','{}','pending',@ago(9),@ago(9)),
  (2,'t','{}','pending',@ago(9),@ago(9)),
  (3,'t','{}','sent',@ago(9),@ago(9)),
  (4,'t','{}','sent',@ago(9),@ago(9)),
  (5,'t','{}','failed',@ago(9),@ago(9));
