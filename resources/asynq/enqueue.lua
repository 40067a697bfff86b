-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Puts tasks of one queue under ids of the sender's choice, or says of each what is there already.
--
-- KEYS  the queue's 1 pending, 2 active, 3 scheduled, 4 retry, 5 archived, 6 completed,
--       7 and on: the tasks' hashes, in the order in which they are to wait
-- ARGV  1 now in Unix ns, 2 how many bytes of a task's key stand before its id, 3 how many ids of
--       lists may be looked through in all; then for each task its encoded message and how many
--       bytes of that hold type, payload and id
--
-- Answers how many tasks were stored, followed by one entry for each that was not:
-- { number, state, place, same, message, group }:
--   number   which task, from 1
--   state    the hash's word; "!" for a key that is no hash
--   place    1 the id is in the container of its state, 0 it is not, 2 not seen as far as one may look
--   same     1 type, payload and id are byte for byte those of the message sent, 0 they differ,
--            -1 no message, -2 they differ, but the stored one has no room here: ask for it alone
--   message  the stored one when it differs, for a look at its fields
--   group    of an aggregating task
local call = redis.call
local before = 6 -- keys that are none of a task
local count = #KEYS - before
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

local function compared(number, state, place, message, group)
    local length = tonumber(ARGV[3 + 2 * number])
    if string.sub(message, 1, length) == string.sub(ARGV[2 + 2 * number], 1, length) then
        return {number, state, place, 1, '', group}
    end
    if count > 1 then
        room = room - #message
        if room < 0 then
            return {number, state, place, -2, '', group}
        end
    end
    return {number, state, place, 0, message, group}
end

local function standing(number, key)
    local kind = call('TYPE', key)
    kind = kind.ok or kind
    if kind == 'none' then
        return nil
    end
    if kind ~= 'hash' then
        return {number, '!', 0, -1, '', ''}
    end
    local fields = call('HMGET', key, 'state', 'msg', 'group')
    local state, message = fields[1] or '', fields[2]
    if not message then
        return {number, state, 0, -1, '', ''}
    end
    local place = placeOf(state, string.sub(key, idAt))
    return compared(number, state, place, message, fields[3] or '')
end

-- First everything that only reads, and may fail; nothing has been written then.
local allNew = call('EXISTS', unpack(KEYS, before + 1)) == 0
local answers = {0}
local new, ids, numberOf = {}, {}, {}
for number = 1, count do
    local key = KEYS[before + number]
    local earlier = numberOf[key]
    local found
    if earlier then -- the same id twice: by now its task would wait
        found = compared(number, 'pending', 1, ARGV[2 + 2 * earlier], '')
    elseif not allNew then
        found = standing(number, key)
    end
    if found then
        answers[#answers + 1] = found
    else
        numberOf[key] = number
        new[#new + 1] = number
        ids[#ids + 1] = string.sub(key, idAt)
    end
end
if #new == 0 then
    return answers
end

if redis.acl_check_cmd and not redis.acl_check_cmd('HSET', KEYS[before + new[1]], 'msg', '') then
    return redis.error_reply('NOPERM this user may push ids, but not store tasks: it lacks +hset')
end
-- The list first: if it is of the wrong type nothing has been written yet.
call('LPUSH', KEYS[1], unpack(ids))
for _, number in ipairs(new) do
    call('HSET', KEYS[before + number], 'msg', ARGV[2 + 2 * number], 'state', 'pending',
         'pending_since', ARGV[1])
end
answers[1] = #new
return answers
