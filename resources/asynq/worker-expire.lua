-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Forgets tasks whose retention is over, a hundred at a time: their ids are free again.
--
-- KEYS  1 completed
-- ARGV  1 now in Unix s, 2 prefix of the tasks' keys
--
-- Answers how many went; 0 when none is due.
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 100)
for _, id in ipairs(ids) do
    redis.call('DEL', ARGV[2] .. id)
    redis.call('ZREM', KEYS[1], id)
end
return #ids
