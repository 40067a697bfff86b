-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table jobs
-- pending 2
-- waiting 1
-- locked 1
-- processed null
-- failed 1
-- unknown 0
CREATE TABLE jobs (
  id bigint PRIMARY KEY,
  queue varchar(255) NOT NULL,
  payload text NOT NULL,
  attempts smallint NOT NULL,
  reserved_at integer,
  available_at integer NOT NULL,
  created_at integer NOT NULL);
CREATE TABLE failed_jobs (
  id bigint PRIMARY KEY,
  uuid varchar(255) NOT NULL UNIQUE,
  connection text NOT NULL,
  queue text NOT NULL,
  payload text NOT NULL,
  exception text NOT NULL,
  failed_at timestamp NOT NULL);
INSERT INTO jobs VALUES
  (1,'default','{}',0,NULL,@epoch(-9),@epoch(-9)),
  (2,'default','{}',1,NULL,@epoch(-9),@epoch(-9)),
  (3,'default','{}',0,NULL,@epoch(900),@epoch(-9)),
  (4,'default','{}',1,@epoch(-5),@epoch(-9),@epoch(-9));
INSERT INTO failed_jobs VALUES
  (1,'u','redis','default','{}','boom',@ago(9));
