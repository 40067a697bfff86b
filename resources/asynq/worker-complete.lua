-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Ends a task that went well: kept for its retention, or gone at once.
--
-- KEYS  1 active, 2 lease, 3 completed, 4 the task's hash, 5 processed of the day, 6 processed in all,
--       7 the unique lock, where the task has one
-- ARGV  1 id, 2 end of the retention in Unix s, 3 the message with its time of completion, or "" for no
--       retention, 4 when the day's counter may go, in Unix s
if redis.call('LREM', KEYS[1], 0, ARGV[1]) == 0 or redis.call('ZREM', KEYS[2], ARGV[1]) == 0 then
    return redis.error_reply('NOT FOUND')
end
if ARGV[3] == '' then
    if redis.call('DEL', KEYS[4]) == 0 then
        return redis.error_reply('NOT FOUND')
    end
else
    if redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1]) ~= 1 then
        return redis.error_reply('INTERNAL')
    end
    redis.call('HSET', KEYS[4], 'msg', ARGV[3], 'state', 'completed')
end
if redis.call('INCR', KEYS[5]) == 1 then
    redis.call('EXPIREAT', KEYS[5], ARGV[4])
end
redis.call('INCR', KEYS[6])
if KEYS[7] and redis.call('GET', KEYS[7]) == ARGV[1] then
    redis.call('DEL', KEYS[7])
end
return 1
