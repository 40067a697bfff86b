-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family masstransit
-- table OutboxMessage
-- pending 2
-- waiting 1
-- processed 1
-- locked 0
-- failed null
-- unknown 0
CREATE TABLE "OutboxMessage" (
  "SequenceNumber" bigint PRIMARY KEY,
  "EnqueueTime" timestamp,
  "SentTime" timestamp NOT NULL,
  "Headers" text,
  "Properties" text,
  "OutboxId" uuid,
  "MessageId" uuid NOT NULL,
  "ContentType" varchar(256) NOT NULL,
  "MessageType" text NOT NULL,
  "Body" text NOT NULL,
  "ExpirationTime" timestamp);
CREATE TABLE "OutboxState" (
  "OutboxId" uuid PRIMARY KEY,
  "LockId" uuid NOT NULL,
  "Created" timestamp NOT NULL,
  "Delivered" timestamp,
  "LastSequenceNumber" bigint);
INSERT INTO "OutboxState" VALUES
  (@uuid(1),@uuid(7),@ago(60),NULL,NULL),
  (@uuid(2),@uuid(8),@ago(60),@ago(30),9);
INSERT INTO "OutboxMessage" ("SequenceNumber","EnqueueTime","SentTime","OutboxId","MessageId","ContentType","MessageType","Body") VALUES
  (1,NULL,@ago(60),@uuid(1),@uuid(11),'j','Placed','{}'),
  (2,NULL,@ago(60),@uuid(1),@uuid(12),'j','Placed','{}'),
  (3,@in(600),@ago(60),@uuid(1),@uuid(13),'j','Placed','{}'),
  (4,NULL,@ago(60),@uuid(2),@uuid(14),'j','Placed','{}');
