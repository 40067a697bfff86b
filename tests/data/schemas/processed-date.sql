-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family processed-date
-- table OutboxMessages
-- pending 2
-- processed 1
-- failed null
-- locked 0
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE "OutboxMessages" (
  "Id" uuid PRIMARY KEY,
  "OccurredOn" timestamp NOT NULL,
  "Type" varchar(255) NOT NULL,
  "Data" text NOT NULL,
  "ProcessedDate" timestamp);
CREATE TABLE "InternalCommands" (
  "Id" uuid PRIMARY KEY,
  "EnqueueDate" timestamp NOT NULL,
  "Type" varchar(255) NOT NULL,
  "Data" text NOT NULL,
  "ProcessedDate" timestamp,
  "Error" text);
INSERT INTO "OutboxMessages" VALUES
  (@uuid(1),@ago(9),'t','{}',NULL),
  (@uuid(2),@ago(9),'t','{}',NULL),
  (@uuid(3),@ago(9),'t','{}',@ago(1));
