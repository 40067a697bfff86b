-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Mends ids of one queue, each only while everything about it is as it was seen.
--
-- KEYS  1 pending, 2 active, 3 lease, 4 scheduled, 5 retry, 6 archived, 7 completed
-- ARGV  1 prefix of the tasks' keys, 2 now in Unix s, 3 now in Unix ns, 4 how many the archive may
--       hold; then four for each id: the id, what to do, the signature that was seen, the key of
--       the group it stood in or ""
--
-- Answers for each id { word, signature }: "done"; "changed" with what is there now, when it is not
-- what was seen, and nothing was written; "full" when the archive has no room. The signature behind
-- "done" is that of the moment before. To do "none" only compares.
local prefix, now, nanoseconds, room = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local sets = {
    {'scheduled', KEYS[4]}, {'retry', KEYS[5]}, {'archived', KEYS[6]}, {'completed', KEYS[7]},
}

-- Where the id stands, in the order of a signature.
local function look(id, group)
    local places = {}
    if redis.call('LPOS', KEYS[1], id) then
        places[#places + 1] = {name = 'pending', key = KEYS[1]}
    end
    if redis.call('LPOS', KEYS[2], id) then
        places[#places + 1] = {name = 'active', key = KEYS[2]}
    end
    for _, set in ipairs(sets) do
        local score = redis.call('ZSCORE', set[2], id)
        if score then
            places[#places + 1] = {name = set[1], key = set[2], score = score}
        end
    end
    local score = group ~= '' and redis.call('ZSCORE', group, id)
    if score then
        places[#places + 1] = {name = 'aggregating', key = group, score = score}
    end
    local kind = redis.call('TYPE', prefix .. id)
    local seen = {id = id, places = places, group = group, kind = kind.ok or kind}
    seen.lease = redis.call('ZSCORE', KEYS[3], id)
    if seen.kind == 'hash' then
        local fields = redis.call('HMGET', prefix .. id, 'state', 'msg')
        seen.state, seen.message = fields[1], fields[2]
    end
    return seen
end

local function signature(seen)
    local message = seen.message or ''
    local line = 'key=' .. seen.kind .. ' msg=' .. #message
    if #message > 0 then
        line = line .. ':' .. string.sub(redis.sha1hex(string.sub(message, 1, 65536)), 1, 16)
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
    redis.call('ZREM', KEYS[3], seen.id)
end

local mend = {}

function mend.none() end

function mend.drop(seen)
    leaveAll(seen)
    local lock = seen.kind == 'hash' and redis.call('HGET', prefix .. seen.id, 'unique_key')
    if lock and lock ~= '' and redis.call('GET', lock) == seen.id then
        redis.call('DEL', lock)
    end
    redis.call('DEL', prefix .. seen.id)
end

function mend.requeue(seen)
    leaveAll(seen)
    redis.call('LPUSH', KEYS[1], seen.id)
    redis.call('HSET', prefix .. seen.id, 'state', 'pending', 'pending_since', nanoseconds)
end

function mend.unlease(seen)
    redis.call('ZREM', KEYS[3], seen.id)
end

function mend.settle(seen)
    local place = seen.places[1]
    redis.call('HSET', prefix .. seen.id, 'state', place.name)
    if place.name == 'pending' then
        redis.call('HSET', prefix .. seen.id, 'pending_since', nanoseconds)
    end
end

function mend.keep(seen)
    for _, place in ipairs(seen.places) do
        if place.name ~= seen.state then
            leave(seen, place)
        end
    end
    if seen.state ~= 'active' then
        redis.call('ZREM', KEYS[3], seen.id)
    end
end

function mend.reattach(seen)
    if redis.call('ZCARD', KEYS[6]) >= room then
        return 'full'
    end
    leaveAll(seen)
    redis.call('ZADD', KEYS[6], now, seen.id)
    redis.call('HSET', prefix .. seen.id, 'state', 'archived')
end

local answers = {}
for i = 5, #ARGV, 4 do
    local seen = look(ARGV[i], ARGV[i + 3])
    local found = signature(seen)
    local word = 'changed'
    if found == ARGV[i + 2] then
        word = mend[ARGV[i + 1]](seen) or 'done'
    end
    answers[#answers + 1] = {word, found}
end
return answers
