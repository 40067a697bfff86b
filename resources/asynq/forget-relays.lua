-- SPDX-FileCopyrightText: Outbox Deck contributors
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Removes what relays said of themselves that have delivered nothing for long. The numbers of their
-- batches stay: by them a relay that comes back knows that Redis has lost nothing.
--
-- KEYS  1 the fence of the queue
-- ARGV  1 the number of a batch; 2 and on: relays, of which those go whose last batch is older
--
-- Answers how many went.
local fence = KEYS[1]
local gone = 0
for i = 2, #ARGV do
    local last = tonumber(redis.call('HGET', fence, 'r:' .. ARGV[i]) or '')
    if last and last < tonumber(ARGV[1]) then
        gone = gone + redis.call('HDEL', fence, 'h:' .. ARGV[i])
    end
end
return gone
