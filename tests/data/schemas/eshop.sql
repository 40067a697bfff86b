-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family eshop
-- table IntegrationEventLog
-- pending 2
-- locked 1
-- processed 2
-- failed 1
-- waiting 0
-- unknown 1
CREATE TABLE "IntegrationEventLog" (
  "EventId" uuid PRIMARY KEY,
  "EventTypeName" text NOT NULL,
  "State" integer NOT NULL,
  "TimesSent" integer NOT NULL,
  "CreationTime" timestamptz NOT NULL,
  "Content" text NOT NULL,
  "TransactionId" uuid NOT NULL);
INSERT INTO "IntegrationEventLog" VALUES
  (@uuid(1),'OrderStarted',0,0,@ago(60),'{}',@uuid(9)),
  (@uuid(2),'OrderStarted',0,0,@ago(60),'{}',@uuid(9)),
  (@uuid(3),'OrderStarted',1,1,@ago(60),'{}',@uuid(9)),
  (@uuid(4),'OrderStarted',2,1,@ago(60),'{}',@uuid(9)),
  (@uuid(5),'OrderStarted',2,1,@ago(60),'{}',@uuid(9)),
  (@uuid(6),'OrderStarted',3,1,@ago(60),'{}',@uuid(9)),
  (@uuid(7),'OrderStarted',7,1,@ago(60),'{}',@uuid(9));
