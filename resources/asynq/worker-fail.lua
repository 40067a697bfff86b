-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Ends a task that failed: to be tried again, or put away for good.
--
-- KEYS  1 active, 2 lease, 3 retry or archived, 4 the task's hash, 5 processed of the day, 6 failed of
--       the day, 7 processed in all, 8 failed in all
-- ARGV  1 id, 2 score in Unix s, 3 the message with its error, 4 the new state, 5 when the day's
--       counters may go, in Unix s, 6 prefix of the tasks' keys, 7 oldest score that stays in the
--       archive, 8 how many stay in it
if redis.call('LREM', KEYS[1], 0, ARGV[1]) == 0 or redis.call('ZREM', KEYS[2], ARGV[1]) == 0 then
    return redis.error_reply('NOT FOUND')
end
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
if ARGV[4] == 'archived' then
    -- The archive is bounded; who leaves it takes the hash along, or the id would be blocked for ever.
    local function drop(ids)
        for _, id in ipairs(ids) do
            redis.call('ZREM', KEYS[3], id)
            redis.call('DEL', ARGV[6] .. id)
        end
    end
    drop(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[7]))
    drop(redis.call('ZRANGE', KEYS[3], 0, -1 - tonumber(ARGV[8])))
end
redis.call('HSET', KEYS[4], 'msg', ARGV[3], 'state', ARGV[4])
for i = 5, 6 do
    if redis.call('INCR', KEYS[i]) == 1 then
        redis.call('EXPIREAT', KEYS[i], ARGV[5])
    end
end
redis.call('INCR', KEYS[7])
redis.call('INCR', KEYS[8])
return 1
