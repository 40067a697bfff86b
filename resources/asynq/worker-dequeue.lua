-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Takes the next task of a queue: its id moves to the active list under a lease.
--
-- KEYS  1 pending, 2 active, 3 lease, 4 paused
-- ARGV  1 prefix of the tasks' keys, 2 end of the lease in Unix s
--
-- Answers { id, message }; nil when nothing waits, the queue is paused, or the id has no message. The
-- last leaves a stub behind, as asynq's workers do.
if redis.call('EXISTS', KEYS[4]) == 1 then
    return false
end
local id = redis.call('RPOPLPUSH', KEYS[1], KEYS[2])
if not id then
    return false
end
local key = ARGV[1] .. id
redis.call('HSET', key, 'state', 'active')
redis.call('HDEL', key, 'pending_since')
redis.call('ZADD', KEYS[3], ARGV[2], id)
local message = redis.call('HGET', key, 'msg')
return message and {id, message}
