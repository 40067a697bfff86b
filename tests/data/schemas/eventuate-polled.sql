-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family eventuate-tram
-- table message
-- pending 1
-- processed 2
-- locked 0
-- failed null
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE message (
  id varchar(200) PRIMARY KEY,
  destination text NOT NULL,
  headers text NOT NULL,
  payload text NOT NULL,
  published smallint DEFAULT 0,
  message_partition smallint,
  creation_time bigint);
CREATE TABLE received_messages (
  consumer_id varchar(200) NOT NULL,
  message_id varchar(200) NOT NULL,
  creation_time bigint,
  published smallint DEFAULT 0,
  PRIMARY KEY (consumer_id, message_id));
INSERT INTO message VALUES
  ('a','orders','{}','{}',0,0,@epochms(-9)),
  ('b','orders','{}','{}',1,0,@epochms(-9)),
  ('c','orders','{}','{}',1,0,@epochms(-9));
