-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family -
-- table int_channel_message
-- pending 2
-- processed null
-- failed null
-- locked 0
-- waiting 0
-- unknown 0
CREATE TABLE int_channel_message (
  MESSAGE_ID char(36) NOT NULL,
  GROUP_KEY char(36) NOT NULL,
  CREATED_DATE bigint NOT NULL,
  MESSAGE_PRIORITY bigint,
  MESSAGE_SEQUENCE bigint NOT NULL,
  MESSAGE_BYTES @bytes,
  REGION varchar(100) NOT NULL,
  PRIMARY KEY (REGION, GROUP_KEY, CREATED_DATE, MESSAGE_SEQUENCE));
INSERT INTO int_channel_message VALUES
  ('00000000-0000-4000-8000-000000000001','00000000-0000-4000-8000-00000000000a',@epochms(-9),0,1,'x','DEFAULT'),
  ('00000000-0000-4000-8000-000000000002','00000000-0000-4000-8000-00000000000a',@epochms(-8),0,2,'x','DEFAULT');
