-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Repairs ids of one queue, each only while everything about it is as it was seen.
--
-- KEYS, ARGV 1 to 3 and the names below are those of editing.lua.
-- ARGV  4 how many the archive may hold; then four for each id: the id, what to do, the signature
--       that was seen, the key of the group it stood in or ""
--
-- Answers for each id { word, signature }: "done"; "changed" with what is there now, when it is not
-- what was seen, and nothing was written; "full" when the archive has no room. The signature behind
-- "done" is that of the moment before. To do "none" only compares.
local room, active, lease = tonumber(ARGV[4]), KEYS[8], KEYS[9]

-- What is wrong with the two keys that no other edit writes to.
local function obstacleOfWorkers()
    for key, kind in pairs({[active] = 'list', [lease] = 'zset'}) do
        local is = kindOf(key)
        if is ~= 'none' and is ~= kind then
            return redis.error_reply('WRONGTYPE ' .. key .. ' holds a ' .. is)
        end
    end
    return rightsMissing({{'LREM', active, 0, ''}, {'ZREM', lease, ''}})
end

local stopped = obstacle() or obstacleOfWorkers()
if stopped then
    return stopped
end

-- Where the id stands, in the order of a signature.
local function look(id, key, group)
    local places = {}
    if redis.call('LPOS', pending, id) then
        places[#places + 1] = {name = 'pending', key = pending}
    end
    if redis.call('LPOS', active, id) then
        places[#places + 1] = {name = 'active', key = active}
    end
    for _, name in ipairs({'scheduled', 'retry', 'archived', 'completed'}) do
        local score = redis.call('ZSCORE', sets[name], id)
        if score then
            places[#places + 1] = {name = name, key = sets[name], score = score}
        end
    end
    local score = group and redis.pcall('ZSCORE', group, id)
    if type(score) == 'string' then
        places[#places + 1] = {name = 'aggregating', key = group, score = score}
    end
    local seen = {id = id, key = key, places = places}
    seen.kind = kindOf(seen.key)
    seen.lease = redis.call('ZSCORE', lease, id)
    if seen.kind == 'hash' then
        local fields = redis.call('HMGET', seen.key, 'state', 'msg', 'unique_key')
        seen.state, seen.message, seen.lock = fields[1], fields[2], fields[3]
    end
    return seen
end

local function signature(seen)
    local message = seen.message or ''
    local line = 'key=' .. seen.kind .. ' msg=' .. #message
    if #message > 0 then
        line = line .. ':' .. string.sub(redis.sha1hex(message), 1, 16)
    end
    local texts = {}
    for i, place in ipairs(seen.places) do
        local name = place.name == 'aggregating' and 'group' or place.name
        texts[i] = place.score and name .. '@' .. place.score or name
    end
    line = line .. ' state=' .. (seen.state or '')
    line = line .. ' in=' .. (#texts > 0 and table.concat(texts, ',') or '-')
    line = line .. ' lease=' .. (seen.lease or '-')
    for _, place in ipairs(seen.places) do
        if place.name == 'aggregating' then
            line = line .. ' group=' .. place.key
        end
    end
    return line
end

local function leave(seen, place)
    if place.score then
        redis.call('ZREM', place.key, seen.id)
    else
        redis.call('LREM', place.key, 0, seen.id)
    end
end

local function leaveAll(seen)
    for _, place in ipairs(seen.places) do
        leave(seen, place)
    end
    redis.call('ZREM', lease, seen.id)
end

local repair = {}

function repair.none() end

function repair.drop(seen)
    if hasNewLock(seen.lock) then
        return 'changed'
    end
    leaveAll(seen)
    forget(seen.key, seen.id, seen.lock)
end

function repair.requeue(seen)
    leaveAll(seen)
    redis.call('LPUSH', pending, seen.id)
    redis.call('HSET', seen.key, 'state', 'pending', 'pending_since', nanoseconds)
end

function repair.unlease(seen)
    redis.call('ZREM', lease, seen.id)
end

function repair.settle(seen)
    local place = seen.places[1]
    redis.call('HSET', seen.key, 'state', place.name)
    if place.name == 'pending' then
        redis.call('HSET', seen.key, 'pending_since', nanoseconds)
    end
end

function repair.keep(seen)
    for _, place in ipairs(seen.places) do
        if place.name ~= seen.state then
            leave(seen, place)
        end
    end
    if seen.state ~= 'active' then
        redis.call('ZREM', lease, seen.id)
    end
end

function repair.reattach(seen)
    if redis.call('ZCARD', archived) >= room then
        return 'full'
    end
    leaveAll(seen)
    redis.call('ZADD', archived, seconds, seen.id)
    redis.call('HSET', seen.key, 'state', 'archived')
end

local answers = {}
for i = 5, #ARGV, 4 do
    local seen = look(ARGV[i], KEYS[before + #answers + 1], named[ARGV[i + 3]])
    local found = signature(seen)
    local word = 'changed'
    if found == ARGV[i + 2] then
        word = repair[ARGV[i + 1]](seen) or 'done'
    end
    answers[#answers + 1] = {word, found}
end
return answers
