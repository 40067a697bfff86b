-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Takes away the records that placeTombstone-tasks left for one operation, and nothing else.
--
-- KEYS, ARGV 1 to 3 and the names below are those of editing.lua.
-- ARGV  4 what stands in the records' result; then the ids
--
-- Answers { word, state, stamp } for each id: "done", "gone", or "changed" where something else stands.
local mark = ARGV[4]
local stopped = obstacle()
if stopped then
    return stopped
end

local answers = {}
for i = 5, #ARGV do
    local key = KEYS[before + #answers + 1]
    local kind = kindOf(key)
    if kind == 'none' then
        answers[#answers + 1] = {'gone', 'none', ''}
    elseif kind ~= 'hash' then
        answers[#answers + 1] = {'changed', 'wrong-type', ''}
    else
        local fields = redis.call('HMGET', key, 'state', 'result')
        if fields[1] == 'completed' and fields[2] == mark then
            redis.call('ZREM', completed, ARGV[i])
            redis.call('UNLINK', key)
            answers[#answers + 1] = {'done', 'none', ''}
        else
            answers[#answers + 1] = {'changed', fields[1] or 'orphan', ''}
        end
    end
end
return answers
