-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Leaves a completed record under ids where nothing is: an enqueue that is still on its way meets it.
--
-- KEYS, ARGV 1 to 3 and the names below are those of editing.lua.
-- ARGV  4 retention in s, 5 what stands in the record's result; then for each task its id and the
--       record's message
--
-- Answers { word, state, stamp } for each task: "done", or "changed" where something stands.
local mark = ARGV[5]
local ends = string.format('%.0f', tonumber(seconds) + tonumber(ARGV[4]))
local stopped = obstacle()
if stopped then
    return stopped
end

local answers = {}
for i = 6, #ARGV, 2 do
    local id, key = ARGV[i], KEYS[before + #answers + 1]
    local kind = kindOf(key)
    if kind == 'none' then
        redis.call('ZADD', completed, ends, id)
        redis.call('HSET', key, 'msg', ARGV[i + 1], 'state', 'completed', 'result', mark)
        answers[#answers + 1] = {'done', 'completed', ends}
    elseif kind == 'hash' then
        answers[#answers + 1] = {'changed', redis.call('HGET', key, 'state') or 'orphan', ''}
    else
        answers[#answers + 1] = {'changed', 'wrong-type', ''}
    end
end
return answers
