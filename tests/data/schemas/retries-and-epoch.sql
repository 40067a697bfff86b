-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table message_outbox
-- pending 1
-- waiting 1
-- locked 1
-- failed 1
-- processed 1
-- unknown 0
-- relay could
CREATE TABLE message_outbox (
  message_key varchar(64) PRIMARY KEY,
  topic varchar(100) NOT NULL,
  headers text,
  message_body text NOT NULL,
  state varchar(16) NOT NULL,
  retry_count integer NOT NULL,
  next_retry_at bigint,
  worker_id varchar(50),
  created_at bigint NOT NULL,
  sent_at bigint);
INSERT INTO message_outbox VALUES
  ('a','t',NULL,'{}','READY_TO_SEND',0,NULL,NULL,@epochms(-9),NULL),
  ('b','t',NULL,'{}','READY_TO_SEND',1,@epochms(90),NULL,@epochms(-9),NULL),
  ('c','t',NULL,'{}','IN_PROGRESS',1,NULL,'w1',@epochms(-9),NULL),
  ('d','t',NULL,'{}','ERROR',1,NULL,NULL,@epochms(-9),NULL),
  ('e','t',NULL,'{}','SENT',1,NULL,NULL,@epochms(-9),@epochms(-1));
