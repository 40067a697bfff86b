-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family pgmq
-- table q_orders
-- pending 2
-- locked 1
-- processed null
-- failed null
CREATE TABLE q_orders (
  msg_id bigint PRIMARY KEY,
  read_ct integer NOT NULL DEFAULT 0,
  enqueued_at timestamptz NOT NULL,
  vt timestamptz NOT NULL,
  message jsonb);
CREATE TABLE a_orders (
  msg_id bigint PRIMARY KEY,
  read_ct integer NOT NULL DEFAULT 0,
  enqueued_at timestamptz NOT NULL,
  archived_at timestamptz NOT NULL,
  vt timestamptz NOT NULL,
  message jsonb);
INSERT INTO q_orders VALUES
  (1, 0, @ago(9), @ago(9), '{}'),
  (2, 1, @ago(90), @ago(5), '{}'),
  (3, 1, @ago(90), @in(25), '{}');
