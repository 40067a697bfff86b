-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- dialect mariadb
-- family -
-- table outbox_event
-- pending 2
-- processed 2
-- failed null
-- locked 0
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE outbox_event (
  event_id binary(16) NOT NULL PRIMARY KEY,
  aggregate_id binary(16) NOT NULL,
  event_type varchar(36) NOT NULL,
  payload json NOT NULL,
  is_published tinyint(1) NOT NULL DEFAULT 0,
  tried bit(1) NOT NULL DEFAULT b'0',
  created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6));
INSERT INTO outbox_event (event_id, aggregate_id, event_type, payload, is_published) VALUES
  (UNHEX(REPLACE(@uuid(1), '-', '')), UNHEX(REPLACE(@uuid(9), '-', '')), 't', '{}', 0),
  (UNHEX(REPLACE(@uuid(2), '-', '')), UNHEX(REPLACE(@uuid(9), '-', '')), 't', '{}', 0),
  (UNHEX(REPLACE(@uuid(3), '-', '')), UNHEX(REPLACE(@uuid(9), '-', '')), 't', '{}', 1),
  (UNHEX(REPLACE(@uuid(4), '-', '')), UNHEX(REPLACE(@uuid(9), '-', '')), 't', '{}', 1);
