-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family watermill
-- table watermill_orders
-- dialect postgresql
-- pending 2
-- processed 2
-- locked 0
-- failed null
-- waiting 0
-- unknown 0
CREATE TABLE watermill_orders (
  "offset" bigserial,
  uuid varchar(36) NOT NULL,
  created_at timestamp NOT NULL DEFAULT now(),
  payload json,
  metadata json,
  transaction_id xid8 NOT NULL,
  PRIMARY KEY (transaction_id, "offset"));
CREATE TABLE watermill_offsets_orders (
  consumer_group varchar(255) PRIMARY KEY,
  offset_acked bigint,
  last_processed_transaction_id xid8 NOT NULL);
INSERT INTO watermill_orders ("offset", uuid, payload, metadata, transaction_id) VALUES
  (1,'a','{}','{}','10'),
  (2,'b','{}','{}','11'),
  (3,'c','{}','{}','11'),
  (4,'d','{}','{}','12');
INSERT INTO watermill_offsets_orders VALUES
  ('all',4,'12'),
  ('slow',2,'11');
