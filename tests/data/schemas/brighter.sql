-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family brighter
-- table shop_outbox
-- pending 2
-- processed 1
-- locked 0
-- failed null
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE shop_outbox (
  id bigint PRIMARY KEY,
  messageid varchar(255) NOT NULL,
  topic varchar(255),
  messagetype varchar(32),
  "timestamp" timestamptz,
  correlationid varchar(255),
  replyto varchar(255),
  contenttype varchar(128),
  dispatched timestamptz,
  headerbag text,
  body text);
CREATE TABLE shop_inbox (
  commandid varchar(256) NOT NULL,
  commandtype varchar(256),
  commandbody text,
  "timestamp" timestamptz,
  contextkey varchar(256) NOT NULL,
  PRIMARY KEY (commandid, contextkey));
INSERT INTO shop_outbox (id, messageid, topic, messagetype, "timestamp", dispatched, body) VALUES
  (1,'m1','orders','MT_EVENT',@ago(60),NULL,'{}'),
  (2,'m2','orders','MT_EVENT',@ago(50),NULL,'{}'),
  (3,'m3','orders','MT_EVENT',@ago(90),@ago(10),'{}');
