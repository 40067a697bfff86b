-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family eventuate-tram
-- table message
-- pending null
-- processed null
-- locked 0
-- failed null
-- waiting 0
-- unknown 2
CREATE TABLE message (
  id varchar(767) PRIMARY KEY,
  destination varchar(1000) NOT NULL,
  headers varchar(1000) NOT NULL,
  payload varchar(1000) NOT NULL,
  message_partition smallint,
  creation_time bigint);
CREATE TABLE received_messages (
  consumer_id varchar(767) NOT NULL,
  message_id varchar(767) NOT NULL,
  creation_time bigint,
  PRIMARY KEY (consumer_id, message_id));
INSERT INTO message VALUES
  ('a','orders','{}','{}',0,1795225764000),
  ('b','orders','{}','{}',0,1795225764001);
