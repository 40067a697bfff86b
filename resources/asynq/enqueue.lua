-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Puts tasks of one queue under ids of the sender's choice, or says of each what is there already.
--
-- KEYS  the queue's 1 pending, 2 active, 3 scheduled, 4 retry, 5 archived, 6 completed,
--       7 its fence, 8 and on: the tasks' hashes, in the order in which they are to wait; behind
--       them, for each task, the hashes of the other ids under which it may stand
-- ARGV  1 now in Unix ns, 2 how many bytes of a task's key stand before its id, 3 how many ids of
--       lists may be looked through in all; the fence: 4 the relay (empty: no relay), 5 the life
--       that it knows (empty: none), 6 one to give where there is none, 7 the number of the batch,
--       8 that of its last batch which was committed; 9 how many other ids each task has, 10 "1"
--       where a task under its own id may be another one's, too: the sender looks at the message
--       then; then for each task its encoded message and how many bytes of that hold type, payload
--       and id; behind them, now and then, what the relay says of itself
--
-- Where the fence is another than the relay knows nothing is written, and the answer is
-- { -1, life, number of the relay's last batch that was executed here }.
-- Else it answers how many tasks were stored and the life, followed by one entry for each task that
-- was not:
-- { number, state, place, same, message, group, other, since }:
--   number   which task, from 1
--   state    the hash's word; "!" for a key that is no hash
--   place    1 the id is in the container of its state, 0 it is not, 2 not seen as far as one may look
--   same     1 type, payload and id are byte for byte those of the message sent, 0 they differ,
--            -1 no message, -2 they differ, but the stored one has no room here: ask for it alone
--   message  the stored one when the sender has to look at its fields
--   group    of an aggregating task
--   other    0 it stands under its own id, else under which of the others
--   since    when it began to wait, in Unix ns; empty where it does not wait
local call = redis.call
local before = 7 -- keys that are none of a task
local others = tonumber(ARGV[9])
local isOwnDoubted = ARGV[10] == '1'
local count = (#KEYS - before) / (1 + others)
local lists = {pending = KEYS[1], active = KEYS[2]}
local sets = {scheduled = KEYS[3], retry = KEYS[4], archived = KEYS[5], completed = KEYS[6]}
local idAt = tonumber(ARGV[2]) + 1
local steps = tonumber(ARGV[3])
local room = 1048576 -- bytes for stored messages in an answer about several tasks

local function placeOf(state, id)
    if sets[state] then
        return call('ZSCORE', sets[state], id) and 1 or 0
    end
    if not lists[state] then
        return state == 'aggregating' and 2 or 0
    end
    if steps < 1 then
        return 2
    end
    local at = call('LPOS', lists[state], id, 'MAXLEN', steps)
    steps = at and steps - at - 1 or 0
    return at and 1 or 2
end

local function compared(number, state, place, message, group, other, since)
    local length = tonumber(ARGV[10 + 2 * number])
    if other == 0 and not isOwnDoubted
        and string.sub(message, 1, length) == string.sub(ARGV[9 + 2 * number], 1, length) then
        return {number, state, place, 1, '', group, other, since}
    end
    if count > 1 then
        room = room - #message
        if room < 0 then
            return {number, state, place, -2, '', group, other, since}
        end
    end
    return {number, state, place, 0, message, group, other, since}
end

local function standing(number, key, other)
    local kind = call('TYPE', key)
    kind = kind.ok or kind
    if kind == 'none' then
        return nil
    end
    if kind ~= 'hash' then
        return {number, '!', 0, -1, '', '', other, ''}
    end
    local fields = call('HMGET', key, 'state', 'msg', 'group', 'pending_since')
    local state, message = fields[1] or '', fields[2]
    if not message then
        return {number, state, 0, -1, '', '', other, ''}
    end
    local place = placeOf(state, string.sub(key, idAt))
    return compared(number, state, place, message, fields[3] or '', other, fields[4] or '')
end

-- Under its own id, else under one of the others.
local function standingOfAny(number, key)
    local entry = standing(number, key, 0)
    for other = 1, entry and 0 or others do
        entry = entry or standing(number, KEYS[before + count + (number - 1) * others + other],
                                  other)
    end
    return entry
end

-- First everything that only reads, and may fail; nothing has been written then.
local fence, relay, life = KEYS[7], ARGV[4], ARGV[5]
if relay ~= '' then
    local found = call('HMGET', fence, 'life', 'r:' .. relay)
    local last = tonumber(found[2] or 0)
    if life ~= '' and (found[1] ~= life or last < tonumber(ARGV[8])) then
        return {-1, found[1] or '', found[2] or ''}
    end
    life = found[1] or ARGV[6]
end
local allNew = count == 0 or call('EXISTS', unpack(KEYS, before + 1)) == 0
local answers = {0, life}
local new, ids, numberOf = {}, {}, {}
for number = 1, count do
    local key = KEYS[before + number]
    local earlier = numberOf[key]
    local entry
    if earlier then -- the same id twice: by now its task would wait
        entry = compared(number, 'pending', 1, ARGV[9 + 2 * earlier], '', 0, ARGV[1])
    elseif not allNew then
        entry = standingOfAny(number, key)
    end
    if entry then
        answers[#answers + 1] = entry
    else
        numberOf[key] = number
        new[#new + 1] = number
        ids[#ids + 1] = string.sub(key, idAt)
    end
end

-- The fence first, in each call: whoever lacks +hset fails here, before an id is pushed, and a
-- call that stores nothing writes all the same, so that WAIT behind it has something to wait for.
local about = ARGV[11 + 2 * count]
if relay ~= '' and about then
    call('HSET', fence, 'life', life, 'r:' .. relay, ARGV[7], 'h:' .. relay, about)
elseif relay ~= '' then
    call('HSET', fence, 'life', life, 'r:' .. relay, ARGV[7])
else
    call('HSET', fence, 'other', ARGV[1])
end
if #new == 0 then
    return answers
end
-- Then the list: if it is of the wrong type no task has been written yet.
call('LPUSH', KEYS[1], unpack(ids))
for _, number in ipairs(new) do
    call('HSET', KEYS[before + number], 'msg', ARGV[9 + 2 * number], 'state', 'pending',
         'pending_since', ARGV[1])
end
answers[1] = #new
return answers
