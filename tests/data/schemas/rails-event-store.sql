-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family rails-event-store
-- table event_store_outbox
-- pending 1
-- locked 2
-- processed 1
-- failed null
-- waiting 0
-- unknown 0
CREATE TABLE event_store_outbox (
  id bigint PRIMARY KEY,
  split_key varchar(255),
  format varchar(255) NOT NULL,
  payload @bytes NOT NULL,
  created_at timestamp NOT NULL,
  enqueued_at timestamp);
CREATE TABLE event_store_outbox_locks (
  id bigint PRIMARY KEY,
  format varchar(255) NOT NULL,
  split_key varchar(255) NOT NULL,
  locked_at timestamp,
  locked_by varchar(36));
INSERT INTO event_store_outbox_locks VALUES
  (1,'sidekiq5','default',@ago(5),'w1'),
  (2,'sidekiq5','low',NULL,NULL);
INSERT INTO event_store_outbox VALUES
  (1,'default','sidekiq5','x',@ago(9),NULL),
  (2,'default','sidekiq5','x',@ago(9),NULL),
  (3,'low','sidekiq5','x',@ago(9),NULL),
  (4,'low','sidekiq5','x',@ago(9),@ago(1));
