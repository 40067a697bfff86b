-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family nservicebus
-- table Sales_OutboxData
-- pending 1
-- processed 2
-- locked 0
-- failed null
-- waiting 0
-- unknown 0
CREATE TABLE "Sales_OutboxData" (
  "MessageId" varchar(200) PRIMARY KEY,
  "Dispatched" boolean NOT NULL DEFAULT false,
  "DispatchedAt" timestamp,
  "PersistenceVersion" varchar(23),
  "Operations" jsonb NOT NULL);
INSERT INTO "Sales_OutboxData" VALUES
  ('a',false,NULL,'1','[{},{}]'),
  ('b',true,@ago(60),'1','[]'),
  ('c',true,@ago(50),'1','[]');
