#!/usr/bin/env python3
# SPDX-FileCopyrightText: Outbox Deck contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker of asynq queues, written a second time from the description of the protocol: it shares no
line, no script and no codec with our own, so that an error of ours does not cancel out.

Every step is a WATCH/MULTI/EXEC transaction where asynq has a script. What it executes it appends to
a file before it acknowledges. It does its passes once, in the order in which they are named, prints
what it did as JSON, and ends. Its clock can be set ahead, so that nobody waits for a lease, a retry
or a retention.
"""
import argparse
import datetime
import json
import os
import random
import signal
import sys
import time

import redis
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

LEASE = 30
EXPIRED_SLACK = 30  # of a lease, before somebody else takes the task
STEP = 100  # ids that a loop moves at a time
ARCHIVE_DAYS = 90
ARCHIVE_MOST = 9999
COUNTER_DAYS = 90

Field = descriptor_pb2.FieldDescriptorProto
FIELDS = [
    ("type", 1, Field.TYPE_STRING), ("payload", 2, Field.TYPE_BYTES), ("id", 3, Field.TYPE_STRING),
    ("queue", 4, Field.TYPE_STRING), ("retry", 5, Field.TYPE_INT32),
    ("retried", 6, Field.TYPE_INT32), ("error_msg", 7, Field.TYPE_STRING),
    ("timeout", 8, Field.TYPE_INT64), ("deadline", 9, Field.TYPE_INT64),
    ("unique_key", 10, Field.TYPE_STRING), ("last_failed_at", 11, Field.TYPE_INT64),
    ("retention", 12, Field.TYPE_INT64), ("completed_at", 13, Field.TYPE_INT64),
    ("group_key", 14, Field.TYPE_STRING),
]

# What asynq itself has written, and what must be read out of it.
GOLDEN = [
    ("0a0c6d61696c3a64656c6976657212077b226e223a317d1a2430313839633361342d303030302d373030302d3830"
     "30302d303030303030303030303031220764656661756c74281940880e6080a305",
     {"type": "mail:deliver", "payload": b'{"n":1}', "id": "0189c3a4-0000-7000-8000-000000000001",
      "queue": "default", "retry": 25, "timeout": 1800, "retention": 86400}),
    ("0a066d61696c3a7312077b226e223a337d1a0273312204437269742803400a",
     {"type": "mail:s", "payload": b'{"n":3}', "id": "s1", "queue": "Crit", "retry": 3,
      "timeout": 10}),
    ("0a0a6d61696c3a656d7074791a026531220764656661756c74281940880e",
     {"type": "mail:empty", "payload": b"", "id": "e1", "retry": 25}),
    ("0a066d61696c3a671201611a026731220764656661756c74281940880e72024731", {"group_key": "G1"}),
    ("0a066d61696c3a7512077b226e223a327d1a027531220764656661756c74281940880e523e6173796e713a7b6465"
     "6661756c747d3a756e697175653a6d61696c3a753a66613366323132353135633435633731333738316239646165"
     "38373832346139",
     {"unique_key": "asynq:{default}:unique:mail:u:fa3f212515c45c713781b9dae87824a9"}),
    ("0a01741201701a026831220764656661756c74281940880e603c7a0c0a0574726163651203616263",
     {"headers": {"trace": "abc"}, "retention": 60}),
    ("0a01741201701a026131220764656661756c74281930013a10636f6e746578742063616e63656c656440880e58f1"
     "f183d80660901c",
     {"retried": 1, "error_msg": "context canceled", "last_failed_at": 1795225841,
      "retention": 3600}),
]


def message_class():
    """The message as the table of the description has it, without a compiler."""
    file = descriptor_pb2.FileDescriptorProto(name="task.proto", package="worker", syntax="proto3")
    message = file.message_type.add(name="Task")
    for name, number, kind in FIELDS:
        message.field.add(name=name, number=number, type=kind, label=Field.LABEL_OPTIONAL)
    entry = message.nested_type.add(name="HeadersEntry")
    entry.options.map_entry = True
    for number, name in ((1, "key"), (2, "value")):
        entry.field.add(name=name, number=number, type=Field.TYPE_STRING,
                        label=Field.LABEL_OPTIONAL)
    message.field.add(name="headers", number=15, type=Field.TYPE_MESSAGE,
                      type_name=".worker.Task.HeadersEntry", label=Field.LABEL_REPEATED)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    factory = message_factory.MessageFactory(pool)
    return factory.GetPrototype(pool.FindMessageTypeByName("worker.Task"))


Task = message_class()


def read_golden():
    """True where each message of asynq says what it should, and is written again byte for byte."""
    for text, wanted in GOLDEN:
        raw = bytes.fromhex(text)
        task = Task.FromString(raw)
        for name, value in wanted.items():
            found = dict(task.headers) if name == "headers" else getattr(task, name)
            if found != value:
                print(f"{name} is {found!r}, not {value!r}", file=sys.stderr)
                return False
        if task.SerializeToString(deterministic=True) != raw:
            print(f"written otherwise: {text}", file=sys.stderr)
            return False
    return True


class Gone(Exception):
    """A task is not where its worker left it."""


class Worker:
    def __init__(self, options):
        self.redis = redis.Redis(unix_socket_path=options.socket)
        self.options = options
        self.prefix = "asynq:{" + options.queue + "}:"
        self.did = dict.fromkeys(
            ("executed", "failed", "completed", "freed", "retried", "archived", "forwarded",
             "recovered", "expired"), 0)

    def key(self, name):
        return (self.prefix + name).encode()

    def task_key(self, task_id):
        return self.key("t:") + task_id

    def now(self):
        return time.time() + self.options.ahead

    def atomically(self, step, *watched):
        """Runs `step` (reads, then queued writes) until nobody has come between."""
        return self.redis.transaction(step, *watched, value_from_callable=True)

    def die_at(self, step):
        if self.options.die_at == step:
            os.kill(os.getpid(), signal.SIGKILL)

    # One task.

    def pop(self):
        pending, active, lease = self.key("pending"), self.key("active"), self.key("lease")

        def step(pipe):
            if pipe.exists(self.key("paused")):
                return None
            task_id = pipe.lindex(pending, -1)
            if task_id is None:
                return None
            message = pipe.hget(self.task_key(task_id), "msg")
            pipe.multi()
            pipe.rpoplpush(pending, active)
            pipe.hset(self.task_key(task_id), "state", "active")
            pipe.hdel(self.task_key(task_id), "pending_since")
            pipe.zadd(lease, {task_id: int(self.now()) + LEASE})
            return task_id, message

        return self.atomically(step, pending, self.key("paused"))

    def execute(self, task_id, raw):
        """Answers an error, or None."""
        task = Task.FromString(raw)
        fails = task.type in self.options.fail_type
        effect = {name: getattr(task, name) for name, _, _ in FIELDS}
        effect.update(payload=task.payload.hex(), headers=dict(task.headers), fails=fails,
                      key=task_id.decode(),
                      plain=task.SerializeToString(deterministic=True) == raw)
        with open(self.options.effects, "a", encoding="utf-8") as file:
            file.write(json.dumps(effect) + "\n")
        self.did["failed" if fails else "executed"] += 1
        self.die_at("executed")
        return "the handler says no" if fails else None

    def leave_active(self, pipe, task_id):
        """Before the writes: is it ours still?"""
        if pipe.lpos(self.key("active"), task_id) is None:
            raise Gone(f"{task_id!r} is not active")
        if pipe.zscore(self.key("lease"), task_id) is None:
            raise Gone(f"{task_id!r} has no lease")

    def take_out(self, pipe, task_id):
        pipe.lrem(self.key("active"), 0, task_id)
        pipe.zrem(self.key("lease"), task_id)

    def count(self, names):
        day = datetime.datetime.fromtimestamp(self.now(), datetime.timezone.utc).strftime("%Y-%m-%d")
        for name in names:
            if self.redis.incr(self.key(f"{name}:{day}")) == 1:
                self.redis.expireat(self.key(f"{name}:{day}"),
                                    int(self.now()) + COUNTER_DAYS * 86400)
            self.redis.incr(self.key(name))

    def finish(self, task_id, raw):
        task = Task.FromString(raw)
        lock = task.unique_key.encode()
        hash_key = self.task_key(task_id)
        now = int(self.now())

        def step(pipe):
            self.leave_active(pipe, task_id)
            if not pipe.exists(hash_key):
                raise Gone(f"{task_id!r} has no hash")
            holds_lock = bool(lock) and pipe.get(lock) == task_id
            pipe.multi()
            self.take_out(pipe, task_id)
            if task.retention > 0:
                task.completed_at = now
                pipe.zadd(self.key("completed"), {task_id: now + task.retention})
                pipe.hset(hash_key, mapping={"msg": task.SerializeToString(deterministic=True),
                                             "state": "completed"})
            else:
                pipe.delete(hash_key)
            if holds_lock:
                pipe.delete(lock)

        watched = [self.key("active"), self.key("lease"), hash_key] + ([lock] if lock else [])
        self.atomically(step, *watched)
        self.count(["processed"])
        self.did["completed" if task.retention > 0 else "freed"] += 1

    def give_back(self, task_id, raw, error):
        """To be tried again, or to the archive where all tries are over."""
        task = Task.FromString(raw)
        is_over = task.retried >= task.retry
        now = int(self.now())
        tries = task.retried
        task.error_msg = error
        task.last_failed_at = now
        if not is_over:
            task.retried += 1
        hash_key = self.task_key(task_id)

        def step(pipe):
            self.leave_active(pipe, task_id)
            pipe.multi()
            self.take_out(pipe, task_id)
            state = "archived" if is_over else "retry"
            due = now if is_over else now + tries ** 4 + 15 + random.randrange(30) * (tries + 1)
            pipe.zadd(self.key(state), {task_id: due})
            pipe.hset(hash_key, mapping={"msg": task.SerializeToString(deterministic=True),
                                         "state": state})

        self.atomically(step, self.key("active"), self.key("lease"), hash_key)
        self.count(["processed", "failed"])
        self.did["archived" if is_over else "retried"] += 1
        if is_over:
            self.trim_archive(now)

    def trim_archive(self, now):
        archived = self.key("archived")
        old = self.redis.zrangebyscore(archived, "-inf", now - ARCHIVE_DAYS * 86400)
        old += self.redis.zrange(archived, 0, -(ARCHIVE_MOST + 1))
        for task_id in set(old):
            self.redis.zrem(archived, task_id)
            self.redis.delete(self.task_key(task_id))

    # The passes.

    def work(self):
        while (popped := self.pop()) is not None:
            task_id, raw = popped
            self.die_at("popped")
            if raw is None:
                continue  # a stub: it stays active, as with asynq
            error = self.execute(task_id, raw)
            if error is None:
                self.finish(task_id, raw)
            else:
                self.give_back(task_id, raw, error)

    def forward(self):
        for source in ("scheduled", "retry"):
            while ids := self.due(source, self.now()):
                for task_id in ids:
                    self.to_pending(source, task_id)

    def due(self, name, until):
        return self.redis.zrangebyscore(self.key(name), "-inf", int(until), start=0, num=STEP)

    def to_pending(self, source, task_id):
        def step(pipe):
            if pipe.zscore(self.key(source), task_id) is None:
                return
            pipe.multi()
            pipe.lpush(self.key("pending"), task_id)
            pipe.zrem(self.key(source), task_id)
            pipe.hset(self.task_key(task_id), mapping={
                "state": "pending", "pending_since": int(self.now() * 1e9)})

        self.atomically(step, self.key(source))
        self.did["forwarded"] += 1

    def recover(self):
        until = int(self.now()) - EXPIRED_SLACK
        for task_id in self.redis.zrangebyscore(self.key("lease"), "-inf", until):
            raw = self.redis.hget(self.task_key(task_id), "msg")
            if raw is None:
                continue
            self.give_back(task_id, raw, "the lease is over")
            self.did["recovered"] += 1

    def expire(self):
        while ids := self.due("completed", self.now()):
            pipe = self.redis.pipeline()
            for task_id in ids:
                pipe.delete(self.task_key(task_id))
                pipe.zrem(self.key("completed"), task_id)
            pipe.execute()
            self.did["expired"] += len(ids)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--golden", action="store_true", help="reads messages of asynq, and ends")
    parser.add_argument("--socket")
    parser.add_argument("--effects")
    parser.add_argument("--queue", default="default")
    parser.add_argument("--ahead", type=float, default=0, help="seconds that its clock is ahead")
    parser.add_argument("--step", type=float, default=0, help="seconds on behind each pass")
    parser.add_argument("--fail-type", action="append", default=[])
    parser.add_argument("--die-at", choices=("popped", "executed"))
    parser.add_argument("passes", nargs="*", choices=["recover", "forward", "work", "expire", []])
    options = parser.parse_args()
    if options.golden:
        return 0 if read_golden() else 1
    worker = Worker(options)
    try:
        for one in options.passes:
            getattr(worker, one)()
            options.ahead += options.step
    except (Gone, DecodeError, redis.RedisError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print(json.dumps(worker.did))
    return 0


if __name__ == "__main__":
    sys.exit(main())
