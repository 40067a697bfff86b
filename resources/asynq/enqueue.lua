-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Puts one task under an id of the sender's choice, or says what is there already.
--
-- KEYS  1 the task's hash, then the queue's 2 pending, 3 active, 4 scheduled, 5 retry, 6 archived,
--       7 completed
-- ARGV  1 the encoded message, 2 the task id, 3 now in Unix ns, 4 how many bytes of the message hold
--       type, payload and id, 5 how many ids of a list may be looked through
--
-- Answers 1 when the task was stored. Otherwise nothing is written, and the answer is
-- { state, place, same, message, group }:
--   state    the hash's word; "!" for a key that is no hash
--   place    1 the id is in the container of its state, 0 it is not, 2 not seen as far as one may look
--   same     1 type, payload and id are byte for byte those in ARGV 1, 0 they differ, -1 no message
--   message  the stored one when it differs, for a look at its fields
--   group    of an aggregating task
local kind = redis.call('TYPE', KEYS[1])
kind = kind.ok or kind
if kind == 'none' then
    -- The list first: if it is of the wrong type nothing has been written yet.
    redis.call('LPUSH', KEYS[2], ARGV[2])
    redis.call('HSET', KEYS[1], 'msg', ARGV[1], 'state', 'pending', 'pending_since', ARGV[3])
    return 1
end
if kind ~= 'hash' then
    return {'!', 0, -1, '', ''}
end

local fields = redis.call('HMGET', KEYS[1], 'state', 'msg', 'group')
local state, message, group = fields[1] or '', fields[2], fields[3] or ''
if not message then
    return {state, 0, -1, '', ''}
end

local place = 0
local lists = {pending = KEYS[2], active = KEYS[3]}
local sets = {scheduled = KEYS[4], retry = KEYS[5], archived = KEYS[6], completed = KEYS[7]}
if lists[state] then
    place = redis.call('LPOS', lists[state], ARGV[2], 'MAXLEN', ARGV[5]) and 1 or 2
elseif sets[state] then
    place = redis.call('ZSCORE', sets[state], ARGV[2]) and 1 or 0
elseif state == 'aggregating' then
    place = 2
end

local length = tonumber(ARGV[4])
if string.sub(message, 1, length) == string.sub(ARGV[1], 1, length) then
    return {state, place, 1, '', group}
end
return {state, place, 0, message, group}
