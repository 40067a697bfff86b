-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table message_outbox
-- not sqlite
-- pending 2
-- processed 1
-- failed 1
-- locked 1
-- waiting 0
-- unknown 0
CREATE TABLE message_outbox (
  id bigint PRIMARY KEY,
  topic varchar(64) NOT NULL,
  message_body text NOT NULL,
  status smallint NOT NULL DEFAULT 0 @comment(0: pending; 1: sending; 2: sent; 3: failed),
  retry_count integer NOT NULL DEFAULT 0,
  created_at timestamp NOT NULL);
INSERT INTO message_outbox VALUES
  (1,'t','{}',0,0,@ago(9)),
  (2,'t','{}',0,0,@ago(9)),
  (3,'t','{}',1,0,@ago(9)),
  (4,'t','{}',2,0,@ago(9)),
  (5,'t','{}',3,3,@ago(9));
