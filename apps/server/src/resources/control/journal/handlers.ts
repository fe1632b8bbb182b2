/** The journal of a world: its last calls, as they are listed, followed, exported and verified. */
import { type ControlContract, decodeCursor, encodeCursor, type Reject } from '@broadside/core';
import { checkExpectations, checkFilter, type JournalCall } from '@broadside/core/resources/control/journal';
import { codeOf, lacksSigned, signedCurl } from '../../../journal/code.ts';
import { harOf } from '../../../journal/har.ts';
import type { Journal, Place } from '../../../journal/journal.ts';
import { verifyJournal } from '../../../journal/verify-journal.ts';
import type { HandlersOf } from '../../../pipeline/context.ts';
import type { WorldServices } from '../../../pipeline/world-services.ts';
import { everyOperation } from '../operations.ts';
import { isChosen } from './chosen.ts';

type Operations = ControlContract['control']['journal'];

const ids = everyOperation.map(({ id }) => id);

/** Operations on the journal of a world. */
export const journal: HandlersOf<Operations> = {
  async list({ services, reject }, { count, cursor, ...filter }) {
    reject.check(checkFilter(filter.operation, ids));
    const open = openJournal(services, reject);
    const before = cursor === undefined ? undefined : placeOf(cursor);
    if (cursor !== undefined && before === undefined) {
      throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'cursor', value: cursor, message: CURSOR });
    }
    const data: JournalCall[] = [];
    let last: Place | undefined;
    for await (const [call, place] of open.calls({ newestFirst: true, ...(before ? { before } : {}) })) {
      if (!isChosen(filter, call)) continue;
      // A page ends with a whole request.
      if (last && data.length >= count && !isSame(last, place)) return { data, next_cursor: cursorOf(last) };
      data.push(call);
      last = place;
    }
    return { data, next_cursor: null };
  },

  async follow({ services, reject }, { position, wait_seconds, count, ...filter }) {
    reject.check(checkFilter(filter.operation, ids));
    const open = openJournal(services, reject);
    const { calls, position: next } = await open.following(position, count, wait_seconds * 1000);
    const began_at = new Date(open.began_ms).toISOString();
    return { calls: calls.filter((call) => isChosen(filter, call)), position: next, began_at };
  },

  async get({ services, reject }, { call_id }) {
    return find(openJournal(services, reject), call_id, reject);
  },

  async code({ services, host, reject }, { world_id, call_id, language, sign }) {
    const call = await find(openJournal(services, reject), call_id, reject);
    const { world } = services;
    if (!sign) {
      const text = codeOf(call, language);
      if (text !== undefined) return { language, text };
      throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'language', value: language, message: NO_CLIENT });
    }
    const credentials = host.credentialsOf(world_id);
    if (language !== 'CURL' || credentials === undefined) {
      throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'sign', message: credentials ? CURL_ONLY : NO_DEMO });
    }
    if (lacksSigned(call)) {
      throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'sign', message: LEFT_OUT });
    }
    const signing = { credentials, now_ms: world.wallClock.now(), random: world.credentialRandom };
    const text = await signedCurl(call, signing);
    if (text !== undefined) return { language, text };
    throw reject.error({ error: 'INVALID_PARAMETER', parameter: 'sign', message: USER_ONLY });
  },

  async har({ services, reject }, { count, ...filter }) {
    reject.check(checkFilter(filter.operation, ids));
    const open = openJournal(services, reject);
    const calls: JournalCall[] = [];
    for await (const [call] of open.calls({ newestFirst: true })) {
      if (isChosen(filter, call)) calls.push(call);
      if (calls.length >= count) break;
    }
    return { log: { ...harOf(calls.reverse()).log } };
  },

  async verify({ services, reject }, { expectations, since }) {
    reject.check(checkExpectations(expectations, ids));
    const open = openJournal(services, reject);
    const verified = await verifyJournal(open, expectations, since);
    return {
      ...verified,
      expectations: verified.expectations.map(({ calls: ids, nearest, ...verdict }) => ({
        ...verdict,
        calls: [...ids],
        nearest: nearest.map(({ differs, ...near }) => ({ ...near, differs: [...differs] })),
      })),
    };
  },

  async clear({ services, reject }) {
    return { requests: await openJournal(services, reject).clear() };
  },
};

const CURSOR = 'Expected the next_cursor of a page of this journal';
const NO_CLIENT =
  'The client has no method for this call, or its body was too long to be kept or is not JSON; ask for CURL or PYTHON';
const CURL_ONLY = 'Only CURL is signed; other languages sign by themselves';
const NO_DEMO = 'This world has no credentials of a demo to sign with';
const LEFT_OUT =
  'A signature covers the form of a call, and that of this one was too long to be kept; ask for PYTHON, which signs what it reads from the file';
const USER_ONLY = 'Only calls of users are signed';

function openJournal({ journal: open }: WorldServices, reject: Reject<'JOURNAL_CLOSED'>): Journal {
  if (open === undefined) throw reject.error('JOURNAL_CLOSED');
  return open;
}

async function find(open: Journal, id: string, reject: Reject<'CALL_NOT_FOUND'>): Promise<JournalCall> {
  for await (const [call] of open.calls({ newestFirst: true })) if (call.id === id) return call;
  throw reject.error({ error: 'CALL_NOT_FOUND', parameter: 'call_id', value: id });
}

const ORDER = 'journal';

function cursorOf({ elapsed_ms, seq }: Place): string {
  return encodeCursor({ order: ORDER, after: [`${elapsed_ms}`, `${seq}`] });
}

function placeOf(cursor: string): Place | undefined {
  const { order, after = [] } = decodeCursor(cursor) ?? {};
  const [elapsed_ms, seq] = after.map(Number);
  if (order !== ORDER || elapsed_ms === undefined || seq === undefined) return undefined;
  return Number.isFinite(elapsed_ms) && Number.isFinite(seq) ? { elapsed_ms, seq } : undefined;
}

function isSame(one: Place, other: Place): boolean {
  return one.elapsed_ms === other.elapsed_ms && one.seq === other.seq;
}
