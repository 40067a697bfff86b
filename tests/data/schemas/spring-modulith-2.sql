-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family spring-modulith
-- table event_publication
-- pending 2
-- processed 1
-- locked 1
-- failed 1
-- waiting 0
-- unknown 0
CREATE TABLE event_publication (
  id uuid PRIMARY KEY,
  listener_id text NOT NULL,
  event_type text NOT NULL,
  serialized_event text NOT NULL,
  publication_date timestamptz NOT NULL,
  completion_date timestamptz,
  status text,
  completion_attempts integer,
  last_resubmission_date timestamptz);
INSERT INTO event_publication VALUES
  (@uuid(1),'l1','t','{}',@ago(9),NULL,'PUBLISHED',0,NULL),
  (@uuid(2),'l2','t','{}',@ago(9),NULL,NULL,NULL,NULL),
  (@uuid(3),'l1','t','{}',@ago(9),@ago(1),'COMPLETED',1,NULL),
  (@uuid(4),'l1','t','{}',@ago(9),NULL,'PROCESSING',1,NULL),
  (@uuid(5),'l1','t','{}',@ago(9),NULL,'FAILED',3,NULL);
