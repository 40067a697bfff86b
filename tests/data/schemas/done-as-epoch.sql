-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table queue
-- pending 1
-- locked 1
-- processed 1
-- failed null
-- waiting 0
-- unknown 0
-- relay sqlite
CREATE TABLE queue (
  id integer PRIMARY KEY,
  channel varchar(255) NOT NULL,
  job @bytes NOT NULL,
  pushed_at integer NOT NULL,
  ttr integer NOT NULL,
  delay integer NOT NULL DEFAULT 0,
  priority integer NOT NULL DEFAULT 1024,
  reserved_at integer,
  attempt integer,
  done_at integer);
INSERT INTO queue VALUES
  (1,'c','x',@epoch(-9),300,0,1024,NULL,NULL,NULL),
  (2,'c','x',@epoch(-9),300,0,1024,@epoch(-3),1,NULL),
  (3,'c','x',@epoch(-9),300,0,1024,@epoch(-3),1,@epoch(-1));
