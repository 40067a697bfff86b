-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Removes a unique lock that no task holds.
--
-- KEYS  1 the unique lock, 2 the hash of the task that it names
-- ARGV  1 the id that was seen in the lock
--
-- Answers 1 when the lock went; 0 when it names another task, is gone, or is held by its task.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 0
end
local kind = redis.call('TYPE', KEYS[2])
kind = kind.ok or kind
if kind == 'hash' then
    local fields = redis.call('HMGET', KEYS[2], 'unique_key', 'msg')
    if fields[1] == KEYS[1] or (fields[2] and string.find(fields[2], KEYS[1], 1, true)) then
        return 0
    end
elseif kind ~= 'none' then
    return 0
end
return redis.call('DEL', KEYS[1])
