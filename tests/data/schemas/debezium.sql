-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table outbox
-- pending null
-- processed null
-- locked 0
-- failed null
-- waiting 0
-- unknown 3
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  aggregatetype varchar(255) NOT NULL,
  aggregateid varchar(255) NOT NULL,
  type varchar(255) NOT NULL,
  payload jsonb);
INSERT INTO outbox VALUES
  (@uuid(1),'order','1','created','{}'),
  (@uuid(2),'order','2','created','{}'),
  (@uuid(3),'order','3','created','{}');
