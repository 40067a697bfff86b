-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Runs, archives, deletes, replaces or edits tasks for an operator: each only if it still is as it was seen.
--
-- KEYS, ARGV 1 to 3 and the names below are those of editing.lua.
-- ARGV  4 "run", "archive", "delete", "replace" or "edit", 5 how many the archive may hold, 6 how many
--       ids at either end of the list are near, 7 how many ids may be walked past, 8 arguments a task;
--       then for each task its id, the state and the stamp that were seen, and for "replace" and "edit"
--       the message that was read and the one to store; for "edit" also the state to come, the score in
--       its set ("" for pending), the pending_since of the hash ("" for none; not used for pending) and
--       "free" where its unique lock must not be its own
--
-- Answers { word, state, stamp } for each task: "done" with what it is now; "changed", "gone", "active",
-- "damaged" or "full" with what was found, nothing written; "later" when the walk was over before its
-- turn. A fourth member, "locked", of one that is "changed" since it holds its unique lock. A task is
-- written to after all that could refuse it was looked at, so nothing is half done.
local verb, room = ARGV[4], tonumber(ARGV[5])
local near, walk, width = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local stopped = obstacle()
if stopped then
    return stopped
end

local function scoreIn(set, id)
    local score = redis.pcall('ZSCORE', set, id)
    return type(score) == 'string' and score
end

-- Whether a worker has taken the task out of its group, to merge it with others.
local function isMerged(group, id)
    -- A set that is newer than the look is where the group's tasks went.
    for _, set in ipairs(redis.call('ZRANGE', merging, 0, 99)) do
        if string.sub(set, 1, #group + 1) == group .. ':'
            and (not named[set] or scoreIn(named[set], id)) then
            return true
        end
    end
    return false
end

-- What stands under the id: a refusal, or nil and the fields of a task that is as it was seen.
local function look(key, id, state, stamp)
    local kind = kindOf(key)
    if kind == 'none' then
        return {'gone', 'none', ''}
    elseif kind ~= 'hash' then
        return {'damaged', 'wrong-type', ''}
    elseif redis.call('HSTRLEN', key, 'msg') == 0 then
        return {'damaged', 'stub', ''}
    end
    local fields = redis.call('HMGET', key, 'state', 'pending_since', 'group', 'unique_key')
    local is, score = fields[1], nil
    local name = fields[3] or ''
    local task = {group = named[prefix .. 'g:' .. name], name = name, lock = fields[4]}
    if is == 'active' then
        return {'active', 'active', ''}
    elseif is == 'pending' then
        score = fields[2] or '' -- the list is searched when the task is taken out of it
    elseif is == 'aggregating' then
        if not task.group then -- it was not in this group when it was looked for
            return {'changed', is, ''}
        end
        score = scoreIn(task.group, id)
        if not score and isMerged(task.group, id) then
            return {'active', is, ''}
        end
    elseif sets[is] then
        score = scoreIn(sets[is], id)
    end
    if not score then
        return {'damaged', 'orphan', ''}
    elseif is ~= state or score ~= stamp then
        return {'changed', is, score}
    end
    return nil, task
end

local length, walked = redis.call('LLEN', pending), 0

-- Out of the list, from the end that it is near to: anywhere else it costs the whole length.
local function takeFromList(id)
    local count = -1
    local place = redis.call('LPOS', pending, id, 'RANK', -1, 'MAXLEN', near)
    if place then
        walked = walked + 2 * (length - place)
    else
        place = redis.call('LPOS', pending, id, 'MAXLEN', near)
        count = place and 1 or -1
        walked = walked + near + (place and 2 * place or near + length)
    end
    local taken = redis.call('LREM', pending, count, id)
    length = length - taken
    return taken == 1
end

local function take(id, state, task)
    if state == 'pending' then
        return takeFromList(id)
    end
    if state ~= 'aggregating' then
        return redis.call('ZREM', sets[state], id) == 1
    end
    local taken = redis.call('ZREM', task.group, id) == 1
    if redis.call('ZCARD', task.group) == 0 then
        redis.call('SREM', groups, task.name)
    end
    return taken
end

local function isLocked(id, lock)
    return hasNewLock(lock) or isLock(lock) and redis.pcall('GET', named[lock]) == id
end

-- Stores the message of an edit, and puts the task, which stands nowhere now, into its place. All else of
-- its hash stays: retries, lock, group.
local function settle(key, id, message, place)
    redis.call('HSET', key, 'msg', message, 'state', place.state)
    if place.state == 'pending' then
        redis.call('LPUSH', pending, id)
        redis.call('HSET', key, 'pending_since', nanoseconds)
        return {'done', 'pending', nanoseconds}
    end
    local set = sets[place.state]
    redis.call('ZADD', set, place.score, id)
    if place.since == '' then
        redis.call('HDEL', key, 'pending_since')
    else
        redis.call('HSET', key, 'pending_since', place.since)
    end
    return {'done', place.state, redis.call('ZSCORE', set, id)}
end

local function act(key, id, state, stamp, read, fresh, place)
    local refusal, task = look(key, id, state, stamp)
    local comes = verb == 'archive' or place and place.state == 'archived' and state ~= 'archived'
    if refusal then
        return refusal
    elseif comes and redis.call('ZCARD', archived) >= room then
        return {'full', state, stamp}
    elseif verb == 'delete' and hasNewLock(task.lock) then
        return {'changed', state, stamp}
    elseif read and redis.call('HGET', key, 'msg') ~= read then
        return {'changed', state, stamp}
    elseif place and place.lock == 'free' and isLocked(id, task.lock) then
        return {'changed', state, stamp, 'locked'}
    elseif not take(id, state, task) then
        return {'damaged', 'orphan', ''}
    end

    if place then
        return settle(key, id, fresh, place)
    end

    if verb == 'archive' then
        redis.call('ZADD', archived, seconds, id)
        redis.call('HSET', key, 'state', 'archived')
        redis.call('HDEL', key, 'pending_since')
        return {'done', 'archived', seconds}
    end
    if verb == 'delete' then
        forget(key, id, task.lock)
        return {'done', 'none', ''}
    end
    if fresh then -- its own unique lock stays as it is, for the rest of its time
        redis.call('UNLINK', key)
        redis.call('HSET', key, 'msg', fresh)
        if task.lock and task.lock ~= '' then
            redis.call('HSET', key, 'unique_key', task.lock)
        end
    end
    redis.call('LPUSH', pending, id)
    redis.call('HSET', key, 'state', 'pending', 'pending_since', nanoseconds)
    return {'done', 'pending', nanoseconds}
end

local answers = {}
for i = 9, #ARGV, width do
    if walked >= walk then
        answers[#answers + 1] = {'later', 'none', ''}
    else
        local replaces = width > 3
        local place = width > 5
            and {state = ARGV[i + 5], score = ARGV[i + 6], since = ARGV[i + 7], lock = ARGV[i + 8]} or nil
        answers[#answers + 1] = act(KEYS[before + #answers + 1], ARGV[i], ARGV[i + 1], ARGV[i + 2],
            replaces and ARGV[i + 3], replaces and ARGV[i + 4], place)
    end
end
return answers
