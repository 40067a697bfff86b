-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Makes due tasks pending, a hundred at a time.
--
-- KEYS  1 scheduled or retry, 2 pending
-- ARGV  1 now in Unix s, 2 prefix of the tasks' keys, 3 prefix of the groups' keys, 4 now in Unix ns
--
-- Answers how many were moved; 0 when none is due.
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 100)
for _, id in ipairs(ids) do
    local key = ARGV[2] .. id
    local group = redis.call('HGET', key, 'group')
    redis.call('ZREM', KEYS[1], id)
    if group and group ~= '' then
        redis.call('ZADD', ARGV[3] .. group, ARGV[1], id)
        redis.call('HSET', key, 'state', 'aggregating')
    else
        redis.call('LPUSH', KEYS[2], id)
        redis.call('HSET', key, 'state', 'pending', 'pending_since', ARGV[4])
    end
end
return #ids
