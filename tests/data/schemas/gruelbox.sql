-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family gruelbox-txno
-- table TXNO_OUTBOX
-- pending 2
-- locked 1
-- processed 1
-- failed 1
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE "TXNO_OUTBOX" (
  id varchar(36) PRIMARY KEY,
  invocation text,
  "lastAttemptTime" timestamp,
  "nextAttemptTime" timestamp,
  attempts integer,
  blocked boolean,
  version integer,
  "uniqueRequestId" varchar(250) UNIQUE,
  processed boolean,
  topic varchar(250) NOT NULL DEFAULT '*',
  seq bigint);
INSERT INTO "TXNO_OUTBOX" (id, invocation, "nextAttemptTime", attempts, blocked, version, processed) VALUES
  ('1','{}',@ago(5),0,false,0,false),
  ('2','{}',@ago(5),1,false,0,false),
  ('3','{}',@in(600),1,false,0,false),
  ('4','{}',@in(600),1,false,0,true),
  ('5','{}',@ago(5),5,true,0,false);
