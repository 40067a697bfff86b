-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family spring-modulith
-- table event_publication
-- pending 2
-- processed 1
-- locked 0
-- failed null
-- waiting 0
-- unknown 0
-- relay could
CREATE TABLE event_publication (
  id uuid PRIMARY KEY,
  listener_id text NOT NULL,
  event_type text NOT NULL,
  serialized_event text NOT NULL,
  publication_date timestamptz NOT NULL,
  completion_date timestamptz);
CREATE TABLE event_publication_archive (
  id uuid PRIMARY KEY,
  listener_id text NOT NULL,
  event_type text NOT NULL,
  serialized_event text NOT NULL,
  publication_date timestamptz NOT NULL,
  completion_date timestamptz);
INSERT INTO event_publication VALUES
  (@uuid(1),'l1','t','{}',@ago(9),NULL),
  (@uuid(2),'l2','t','{}',@ago(9),NULL),
  (@uuid(3),'l1','t','{}',@ago(9),@ago(1));
