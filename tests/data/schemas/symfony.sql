-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family symfony
-- table messenger_messages
-- pending 2
-- waiting 1
-- locked 1
-- failed 1
-- processed null
-- unknown 0
CREATE TABLE messenger_messages (
  id bigint PRIMARY KEY,
  body text NOT NULL,
  headers text NOT NULL,
  queue_name varchar(190) NOT NULL,
  created_at timestamp NOT NULL,
  available_at timestamp NOT NULL,
  delivered_at timestamp);
INSERT INTO messenger_messages VALUES
  (1,'b','{}','default',@ago(9),@ago(9),NULL),
  (2,'b','{}','default',@ago(9999),@ago(9999),@ago(7200)),
  (3,'b','{}','default',@ago(9),@in(600),NULL),
  (4,'b','{}','default',@ago(90),@ago(90),@ago(60)),
  (5,'b','{}','failed',@ago(9),@ago(9),NULL);
