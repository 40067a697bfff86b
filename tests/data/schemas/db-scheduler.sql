-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family db-scheduler
-- table scheduled_tasks
-- pending 1
-- waiting 1
-- locked 1
-- processed null
-- failed null
CREATE TABLE scheduled_tasks (
  task_name varchar(250) NOT NULL,
  task_instance varchar(250) NOT NULL,
  task_data @bytes,
  execution_time timestamptz NOT NULL,
  picked boolean NOT NULL,
  picked_by varchar(50),
  last_success timestamptz,
  last_failure timestamptz,
  consecutive_failures integer,
  last_heartbeat timestamptz,
  version bigint NOT NULL,
  PRIMARY KEY (task_name, task_instance));
INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, picked_by, version)
  VALUES
  ('mail', '1', @ago(9), false, NULL, 1),
  ('mail', 'a:2%', @in(900), false, NULL, 1),
  ('mail', '3', @ago(9), true, 'host 1', 1);
