-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family wolverine
-- table wolverine_outgoing_envelopes
-- pending 2
-- locked 1
-- failed 1
-- processed null
-- waiting 0
-- unknown 0
CREATE TABLE wolverine_outgoing_envelopes (
  id uuid PRIMARY KEY,
  owner_id integer NOT NULL,
  destination varchar(250) NOT NULL,
  deliver_by timestamptz,
  body @bytes NOT NULL,
  attempts integer DEFAULT 0,
  message_type varchar(250) NOT NULL);
CREATE TABLE wolverine_incoming_envelopes (
  id uuid PRIMARY KEY,
  status varchar(25) NOT NULL,
  owner_id integer NOT NULL,
  execution_time timestamptz,
  attempts integer DEFAULT 0,
  body @bytes NOT NULL,
  message_type varchar(250) NOT NULL,
  received_at varchar(250),
  keep_until timestamptz);
CREATE TABLE wolverine_dead_letters (
  id uuid PRIMARY KEY,
  execution_time timestamptz,
  body @bytes NOT NULL,
  message_type varchar(250) NOT NULL,
  received_at varchar(250),
  source varchar(250),
  exception_type text,
  exception_message text,
  sent_at timestamptz,
  replayable boolean);
INSERT INTO wolverine_outgoing_envelopes VALUES
  (@uuid(1),0,'kafka://x',NULL,'x',0,'Placed'),
  (@uuid(2),0,'kafka://x',@in(60),'x',0,'Placed'),
  (@uuid(3),42,'kafka://x',NULL,'x',1,'Placed');
INSERT INTO wolverine_dead_letters (id, body, message_type) VALUES
  (@uuid(9),'x','Placed');
