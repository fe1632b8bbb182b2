/**
 * What runs inside Redis. Each script is one step that nothing comes between. All keys of a platform share a hash tag, so that they
 * are in one slot of a cluster. Times are those of Redis.
 */
import { hash } from 'node:crypto';

/** A script, and the name under which Redis keeps it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

function script(text: string): Script {
  return { text, sha: hash('sha1', text) };
}

/** Nonces are kept for so long around their timestamps; any other timestamp is rejected. */
const NONCE_KEPT_SECONDS = 900;
/** Nonces of so many seconds of timestamps share a set. */
export const BUCKET_SECONDS = 60;

/** Counts in a window, and adds its count and end to a reply. Times are in milliseconds. */
const COUNT = `
local function count(key, length, now, reply)
  local counted = redis.call('HINCRBY', key, 'count', 1)
  local ends
  if counted == 1 then
    ends = now + length
    redis.call('HSET', key, 'ends', string.format('%.0f', ends))
    redis.call('PEXPIREAT', key, string.format('%.0f', ends))
  else
    ends = tonumber(redis.call('HGET', key, 'ends'))
  end
  reply[#reply + 1] = counted
  reply[#reply + 1] = ends
end
`;

/** What a trip says of a nonce. */
export const nonceResults = { used: 0, new: 1, forgotten: 2, unreserved: 3, wrongClock: 4 } as const;

/**
 * One trip of a turn of the event loop: uses nonces up, and says which generation everything is of. A request is counted in the same step
 * if its nonce is new, and what its server remembers of identities and of a subject is of the present generation. Servers remember nothing of a
 * generation in flux, and the next one begins with each flux.
 *
 * The memory has an epoch: an id that ends with the memory. It is of another epoch when the process of Redis is another one than
 * that which began it (it may have come back with an older state), and when there is none. Whoever finds out begins the next one.
 *
 * KEYS: epoch, generations, flux, and for each nonce its set and its windows.
 * ARGV: run id of Redis, an id for an epoch, and for each nonce its timestamp, its digest and the number of its windows; where there are any, also
 * the subject, the generations of identities and of the subject, and the length of each window.
 * Returns ['settle', id] where the epoch is not settled, or else ['ok', id, generations..., members of flux as one text, now in milliseconds,
 * results...]: of each nonce what became of it; where it has windows, whether these were counted; and if so, count and end of each.
 */
export const tripScript = script(`${COUNT}
local epoch, generations, flux = KEYS[1], KEYS[2], KEYS[3]
local state = redis.call('HMGET', epoch, 'run', 'id', 'floor', 'reserved', 'now')
if state[1] ~= ARGV[1] then
  redis.call('DEL', epoch)
  redis.call('HSET', epoch, 'run', ARGV[1], 'id', ARGV[2])
  return {'settle', ARGV[2]}
end
if not state[3] then return {'settle', state[2]} end
local floor, reserved = tonumber(state[3]), tonumber(state[4])
local time = redis.call('TIME')
local now = tonumber(time[1])
local latest = tonumber(state[5] or '0')
if now > latest then redis.call('HSET', epoch, 'now', now) else now = latest end
local reply = {'ok', state[2]}
local subjects = {'identities', 'production', 'sandbox'}
local current = {}
for i, value in ipairs(redis.call('HMGET', generations, unpack(subjects))) do
  reply[#reply + 1] = value or '0'
  current[subjects[i]] = state[2] .. ' ' .. (value or '0')
end
local members = ''
if redis.call('ZCARD', flux) > 0 then
  redis.call('ZREMRANGEBYSCORE', flux, '-inf', tonumber(time[1]))
  members = table.concat(redis.call('ZRANGE', flux, 0, -1), ' ')
end
reply[#reply + 1] = members
local now_ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
reply[#reply + 1] = now_ms
local i, at = 4, 3
while i <= #KEYS do
  local timestamp = tonumber(ARGV[at])
  local windows = tonumber(ARGV[at + 2])
  local result
  if timestamp <= floor then result = ${nonceResults.forgotten}
  elseif timestamp < now - ${NONCE_KEPT_SECONDS} or timestamp > now + ${NONCE_KEPT_SECONDS} then result = ${nonceResults.wrongClock}
  elseif timestamp > reserved then result = ${nonceResults.unreserved}
  else
    result = redis.call('SADD', KEYS[i], ARGV[at + 1])
    if result == 1 then
      redis.call('EXPIREAT', KEYS[i], timestamp + ${BUCKET_SECONDS + NONCE_KEPT_SECONDS + 60})
    end
  end
  reply[#reply + 1] = result
  if windows > 0 then
    local counts = result == ${nonceResults.new}
      and current.identities == ARGV[at + 4] and current[ARGV[at + 3]] == ARGV[at + 5]
    reply[#reply + 1] = counts and 1 or 0
    if counts then
      for w = 1, windows do count(KEYS[i + w], tonumber(ARGV[at + 5 + w]), now_ms, reply) end
    end
    at = at + 3 + windows
  end
  i = i + 1 + windows
  at = at + 3
end
return reply
`);

/**
 * Settles an epoch, if it is still the one: timestamps up to the floor may have been used before it.
 * KEYS: epoch. ARGV: id, floor.
 */
export const settleScript = script(`
local state = redis.call('HMGET', KEYS[1], 'id', 'floor')
if state[1] ~= ARGV[1] or state[2] then return 0 end
redis.call('HSET', KEYS[1], 'floor', ARGV[2], 'reserved', ARGV[2])
return 1
`);

/**
 * Notes that timestamps are reserved in the store, if the epoch is still the one.
 * KEYS: epoch. ARGV: id, the last timestamp.
 */
export const reserveScript = script(`
local state = redis.call('HMGET', KEYS[1], 'id', 'reserved')
if state[1] ~= ARGV[1] or not state[2] then return 0 end
if tonumber(state[2]) < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], 'reserved', ARGV[2]) end
return 1
`);

/** Says that a subject is in flux, for a while. KEYS: generations, flux. ARGV: subject, member, seconds. */
export const beginScript = script(`
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('ZADD', KEYS[2], tonumber(redis.call('TIME')[1]) + tonumber(ARGV[3]), ARGV[2])
return 1
`);

/** Ends that. KEYS: generations, flux. ARGV: subject, member. */
export const endScript = script(`
redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
redis.call('ZREM', KEYS[2], ARGV[2])
return 1
`);

/** Buckets of a store that one trip may name. */
const MOST_BUCKETS = 256;
/** Says that more than those were written. */
export const TOO_MANY = 'too many';

/**
 * Notes that buckets of scopes have been written by the commit with a mark, or a later one.
 * KEYS: marks of a store. ARGV: mark, buckets.
 */
export const announceScript = script(`
for i = 2, #ARGV do
  local known = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if not known or tonumber(known) < tonumber(ARGV[1]) then redis.call('ZADD', KEYS[1], ARGV[1], ARGV[i]) end
end
return 1
`);

/**
 * Says which buckets were written by commits after a mark, of some stores.
 * KEYS: epoch, marks of each store. ARGV: run id of Redis, the mark of each.
 * Returns the id of the epoch, empty where it is not settled, and the buckets of each store as one text.
 */
export const writtenScript = script(`
local state = redis.call('HMGET', KEYS[1], 'run', 'id', 'floor')
if state[1] ~= ARGV[1] or not state[3] then return {''} end
local reply = {state[2]}
for i = 2, #KEYS do
  local found = redis.call('ZRANGEBYSCORE', KEYS[i], '(' .. ARGV[i], '+inf', 'LIMIT', 0, ${MOST_BUCKETS + 1})
  reply[i] = #found > ${MOST_BUCKETS} and '${TOO_MANY}' or table.concat(found, ' ')
end
return reply
`);

const NOW_MS = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

/** Counts in windows. KEYS: windows. ARGV: the length of each. Returns now, and count and end of each, in milliseconds. */
export const countScript = script(`${COUNT}${NOW_MS}
local reply = {now}
for i, key in ipairs(KEYS) do count(key, tonumber(ARGV[i]), now, reply) end
return reply
`);

/**
 * Counts an attempt to sign in as failed, unless one of its windows is full.
 * KEYS: windows of pair, address and account; whether the pair is known. ARGV: length in milliseconds, the failures of each.
 * Returns the milliseconds to wait, 0 where the attempt may be made.
 */
export const attemptScript = script(`
local known = redis.call('EXISTS', KEYS[4])
local wait = 0
for i = 1, 3 do
  local failures = tonumber(redis.call('GET', KEYS[i]) or '0')
  if failures >= tonumber(ARGV[i + 1]) and not (i == 3 and known == 1) then
    wait = math.max(wait, redis.call('PTTL', KEYS[i]))
  end
end
if wait > 0 then return wait end
for i = 1, 3 do
  if redis.call('INCR', KEYS[i]) == 1 then redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
end
return 0
`);

/** Takes an attempt back that has succeeded. KEYS: as above. ARGV: for how many seconds the pair is known. */
export const succeededScript = script(`
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[4], '1', 'EX', ARGV[1])
for i = 2, 3 do
  if tonumber(redis.call('GET', KEYS[i]) or '0') > 0 then redis.call('DECR', KEYS[i]) end
end
return 1
`);

/** All of them, to be loaded with each connection. */
export const scripts: readonly Script[] = [
  tripScript,
  settleScript,
  reserveScript,
  beginScript,
  endScript,
  announceScript,
  writtenScript,
  countScript,
  attemptScript,
  succeededScript,
];
