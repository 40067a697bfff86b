-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table deferred_enqueues
-- pending 2
-- processed 1
-- failed null
-- locked 0
-- waiting 1
-- unknown 0
-- relay could
CREATE TABLE deferred_enqueues (
  id bigint PRIMARY KEY,
  worker varchar(255) NOT NULL,
  args text NOT NULL,
  enqueue_at timestamp,
  enqueued_at timestamp,
  enqueue_attempts integer NOT NULL DEFAULT 0,
  inserted_at timestamp NOT NULL);
INSERT INTO deferred_enqueues VALUES
  (1,'w','[]',NULL,NULL,0,@ago(9)),
  (2,'w','[]',@ago(5),NULL,1,@ago(9)),
  (3,'w','[]',@in(600),NULL,0,@ago(9)),
  (4,'w','[]',NULL,@ago(1),1,@ago(9));
