-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table after_commit_enqueues
-- pending 2
-- processed 1
-- failed null
-- locked 0
-- waiting 0
-- unknown 0
CREATE TABLE after_commit_enqueues (
  id bigint PRIMARY KEY,
  job varchar(255) NOT NULL,
  arguments text NOT NULL,
  enqueued boolean NOT NULL DEFAULT false,
  inserted_at timestamp NOT NULL);
INSERT INTO after_commit_enqueues VALUES
  (1,'j','[]',false,@ago(9)),
  (2,'j','[]',false,@ago(9)),
  (3,'j','[]',true,@ago(9));
