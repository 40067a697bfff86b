-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table outbox_messages
-- pending 2
-- processed 2
-- locked 0
-- failed null
-- waiting 0
-- unknown 0
CREATE TABLE outbox_messages (
  message_id bigint PRIMARY KEY,
  producer_name varchar(200) NOT NULL,
  content_json jsonb NOT NULL,
  occurred_on timestamptz NOT NULL);
CREATE TABLE outbox_message_consumptions (
  consumer_name varchar(200) NOT NULL,
  producer_name varchar(200) NOT NULL,
  last_consumed_message_id bigint NOT NULL,
  PRIMARY KEY (consumer_name, producer_name));
INSERT INTO outbox_messages VALUES
  (1,'shop','{}',@ago(9)),
  (2,'shop','{}',@ago(9)),
  (3,'shop','{}',@ago(9)),
  (4,'bank','{}',@ago(9));
INSERT INTO outbox_message_consumptions VALUES
  ('mail','shop',3),
  ('stock','shop',2);
