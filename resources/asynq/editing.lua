-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- How every script that edits tasks begins: names for its keys, and a look at all that could stop it
-- half way. Scripts are not rolled back: an error behind the first write would leave a task in no
-- container. Not a script of its own; the others stand below it.
--
-- KEYS  1 pending, 2 scheduled, 3 retry, 4 archived, 5 completed, 6 groups, 7 aggregation sets, 8 active,
--       9 lease, 10 a key of our own under which nothing stands, to try rights on; 11 and on: the tasks'
--       hashes, in the order of the arguments; behind them what else a look found that may have to be touched
--       for them: groups, aggregation sets, unique locks
--       A script touches no key but these: where a Cluster moves the slot, one that makes up a name is cut in
--       half. A name that it reads, or puts together, only says which of them is meant.
-- ARGV  1 prefix of the queue's keys, 2 now in Unix s, 3 now in Unix ns
local prefix, seconds, nanoseconds = ARGV[1], ARGV[2], ARGV[3]
local pending, archived, completed = KEYS[1], KEYS[4], KEYS[5]
local groups, merging = KEYS[6], KEYS[7]
local before = 10 -- keys that are none of a task
local locks = prefix .. 'unique:'
local sets = {scheduled = KEYS[2], retry = KEYS[3], archived = archived, completed = completed}
local named = {}
for _, key in ipairs(KEYS) do
    named[key] = key
end

local function kindOf(key)
    local kind = redis.call('TYPE', key)
    return kind.ok or kind
end

-- Below Redis 7 nobody tells a right: the same command is tried on a key of our own, which is gone
-- again behind it. Answers whether the user may, or an error that is about something else.
local function mayTry(write)
    local try = {unpack(write)}
    try[2] = KEYS[10]
    local answer = redis.pcall(unpack(try))
    local err = type(answer) == 'table' and answer.err
    if not err then
        redis.call('DEL', try[2])
        return true
    elseif string.find(err, 'NOPERM') or string.find(err, "can't run this command")
        or string.find(err, "can't access") then
        return false
    end
    return false, redis.error_reply(err)
end

-- Which of these writes the user has no right to, each by what would allow it.
local function rightsMissing(writes)
    local missing = ''
    for _, write in ipairs(writes) do
        local may, other
        if redis.acl_check_cmd then
            may = redis.acl_check_cmd(unpack(write))
        else
            may, other = mayTry(write)
        end
        if other then
            return other
        elseif not may then
            missing = missing .. ' +' .. string.lower(write[1])
        end
        if not may and write[1] == 'DEL' and not redis.acl_check_cmd then
            break -- what is tried next could not be taken away again
        end
    end
    return missing ~= '' and redis.error_reply('NOPERM this user lacks' .. missing) or nil
end

-- What is wrong with the containers, or with the rights to write to them.
local function obstacle()
    for i, kind in ipairs({'list', 'zset', 'zset', 'zset', 'zset', 'set', 'zset'}) do
        local is = kindOf(KEYS[i])
        if is ~= 'none' and is ~= kind then
            return redis.error_reply('WRONGTYPE ' .. KEYS[i] .. ' holds a ' .. is)
        end
    end
    local task = KEYS[before + 1]
    return rightsMissing({{'DEL', task}, {'UNLINK', task}, {'LREM', pending, 1, ''},
        {'ZREM', archived, ''}, {'SREM', groups, ''}, {'HDEL', task, ''}, {'LPUSH', pending, ''},
        {'ZADD', archived, 0, ''}, {'SADD', groups, ''}, {'HSET', task, '', ''}})
end

-- A hash may name any key as its lock, so it must look like one.
local function isLock(key)
    return key and string.sub(key, 1, #locks) == locks
end

-- Whether the hash has got a lock since the look, so that it could not be taken away with it.
local function hasNewLock(lock)
    return isLock(lock) and not named[lock]
end

-- Away with a hash that has no new lock. Its lock goes when it is this task's.
local function forget(key, id, lock)
    if isLock(lock) and redis.pcall('GET', named[lock]) == id then
        redis.call('DEL', named[lock])
    end
    redis.call('UNLINK', key)
end
