-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Puts exported tasks back, field by field, where nothing stands under their ids, or in the place of
-- the pending task that was seen there.
--
-- KEYS, ARGV 1 to 3 and the names below are those of editing.lua.
-- ARGV  4 how many the archive may hold; then for each task its id, state, score ("" for lists), group
--       ("" for none), since when the task is pending that it takes the place of ("" for none), for
--       how many ms its unique lock was its own yet (0: it had none), how many fields, and name and value
--       of each
--
-- Answers { word, state, stamp } for each task: "done" with what it is now; "changed" where something
-- else stands, "gone" where nothing does but should, "full" or "damaged" (its group is no sorted set,
-- or what it takes the place of is not in the list), nothing written. A fourth member, "unlocked", of
-- one that is done and did not get its lock back.
local room = tonumber(ARGV[4])
local stopped = obstacle()
if stopped then
    return stopped
end

local function refusal(key, state, set, since)
    local kind = kindOf(key)
    if kind == 'hash' then
        local is = redis.call('HMGET', key, 'state', 'pending_since')
        if since == '' or is[1] ~= 'pending' or is[2] ~= since then
            return {'changed', is[1] or 'orphan', ''}
        end
    elseif kind ~= 'none' then
        return {'changed', 'wrong-type', ''}
    elseif since ~= '' then
        return {'gone', 'none', ''}
    end
    if state == 'archived' and redis.call('ZCARD', archived) >= room then
        return {'full', 'none', ''}
    elseif state == 'aggregating' and kindOf(set) ~= 'none' and kindOf(set) ~= 'zset' then
        return {'damaged', 'wrong-type', ''}
    end
end

-- Answers where the task is now and its stamp. Its state is that of the container it is put into,
-- whatever the exported fields say; a stub or an orphan is put back as what it was.
local function place(key, id, state, score, group, set)
    if state == 'pending' then
        redis.call('LPUSH', pending, id)
        redis.call('HSET', key, 'state', state)
        return {'done', state, redis.call('HGET', key, 'pending_since') or ''}
    elseif state == 'active' then -- its worker has long given up: it has to run again
        redis.call('LPUSH', pending, id)
        redis.call('HSET', key, 'state', 'pending', 'pending_since', nanoseconds)
        return {'done', 'pending', nanoseconds}
    elseif state == 'aggregating' then
        redis.call('SADD', groups, group)
    end
    if set then
        redis.call('ZADD', set, score, id)
        redis.call('HSET', key, 'state', state)
        return {'done', state, redis.call('ZSCORE', set, id)}
    end
    return {'done', state, ''}
end

-- Takes the task's lock where it is free. The user may lack +set: that stops nothing.
local function isLockTaken(id, lock, left)
    if not lock then
        return false
    end
    local taken = redis.pcall('SET', lock, id, 'NX', 'PX', left)
    if type(taken) == 'table' and taken.ok then
        return true
    end
    return redis.pcall('GET', lock) == id
end

local answers = {}
local i = 5
while i <= #ARGV do
    local id, state, score, group, since = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
    local left, count = ARGV[i + 5], tonumber(ARGV[i + 6])
    local key = KEYS[before + #answers + 1]
    local set = sets[state] or state == 'aggregating' and named[prefix .. 'g:' .. group] or nil
    local answer = refusal(key, state, set, since)
    i = i + 7
    -- A server that is short of memory refuses the first write of a script, and none behind it.
    if not answer and since ~= '' then
        if redis.call('LREM', pending, 1, id) == 1 then
            redis.call('DEL', key)
        else
            answer = {'damaged', 'orphan', ''}
        end
    end
    if not answer then
        local lock = ''
        for field = i, i + 2 * count - 2, 2 do
            redis.call('HSET', key, ARGV[field], ARGV[field + 1])
            lock = ARGV[field] == 'unique_key' and ARGV[field + 1] or lock
        end
        answer = place(key, id, state, score, group, set)
        if left ~= '0' and not isLockTaken(id, isLock(lock) and named[lock], left) then
            answer[4] = 'unlocked'
        end
    end
    answers[#answers + 1] = answer
    i = i + 2 * count
end
return answers
