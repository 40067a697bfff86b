-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- family cap
-- table published
-- pending 2
-- waiting 1
-- processed 3
-- failed 1
-- locked 0
-- unknown 0
-- relay could
CREATE TABLE published (
  "Id" bigint PRIMARY KEY,
  "Version" varchar(20) NOT NULL,
  "Name" varchar(200) NOT NULL,
  "Content" text,
  "Retries" integer NOT NULL,
  "Added" timestamp NOT NULL,
  "ExpiresAt" timestamp,
  "StatusName" varchar(50) NOT NULL);
CREATE TABLE received (
  "Id" bigint PRIMARY KEY,
  "Version" varchar(20) NOT NULL,
  "Name" varchar(200) NOT NULL,
  "Group" varchar(200),
  "Content" text,
  "Retries" integer NOT NULL,
  "Added" timestamp NOT NULL,
  "ExpiresAt" timestamp,
  "StatusName" varchar(50) NOT NULL);
INSERT INTO published VALUES
  (1,'v1','order.placed','{}',0,@ago(60),NULL,'Scheduled'),
  (2,'v1','order.placed','{}',1,@ago(50),NULL,'Scheduled'),
  (3,'v1','order.late','{}',0,@ago(40),@in(600),'Delayed'),
  (4,'v1','a','{}',0,@ago(30),@in(600),'Succeeded'),
  (5,'v1','a','{}',0,@ago(30),@in(600),'Succeeded'),
  (6,'v1','a','{}',0,@ago(30),@in(600),'Succeeded'),
  (7,'v1','a','{}',50,@ago(30),@in(600),'Failed');
