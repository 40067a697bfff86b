-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- dialect mariadb
-- family -
-- table outbox_messages
-- pending 2
-- processed 1
-- failed 1
-- locked 0
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE outbox_messages (
  id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  topic varchar(191) NOT NULL,
  message_body mediumtext NOT NULL,
  status enum('new','it''s out','failed','sent') NOT NULL DEFAULT 'new',
  created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  updated_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6));
INSERT INTO outbox_messages (topic, message_body, status) VALUES
  ('t','{}','new'),
  ('t','{}','new'),
  ('t','{}','sent'),
  ('t','{}','failed');
