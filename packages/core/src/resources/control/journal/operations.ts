/** Operations on the journal of a world. */

import * as z from 'zod';
import { object } from '../../../wire/object.ts';
import { boolean, id, instant, int, list as listOf, members, oneOf, text } from '../../../wire/types.ts';
import { inWorld } from '../on-world.ts';
import { JournalCall } from './entity.ts';
import { expectations } from './expectations.ts';

/** Calls in an archive. */
const MOST_CALLS = 1000;
/** Seconds that a request waits for calls, at most. */
const MOST_WAIT = 30;

const exampleCall: z.input<typeof JournalCall> = {
  id: 'k3v9q2m4xw-1f',
  time: '2026-01-15T08:00:01.250Z',
  world_time: '2026-01-15T08:00:01.000Z',
  listener: 'sandbox',
  adapter: 'REST',
  operation: 'campaigns.create',
  writes: true,
  method: 'POST',
  path: '/12/accounts/19df65e5y6u/campaigns',
  query: '',
  base_url: 'http://localhost:8002',
  caller: {
    kind: 'USER',
    user_id: '1503831318555086849',
    screen_name: 'demo_advertiser',
    app_id: '1503831318555086848',
  },
  consumer_key: 'T3pYbV0cR8sLdNfHaXk2mQ9wE',
  account_id: '19df65e5y6u',
  params: { account_id: '19df65e5y6u', name: 'Autumn' },
  content_type: 'application/x-www-form-urlencoded',
  body: 'name=Autumn',
  left_out_bytes: 0,
  user_agent: 'example/1.0',
  client_request: null,
  status: 400,
  answer: {
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'k3v9q2m4xw-1f' },
    body: null,
    size: 0,
  },
  errors: [
    { code: 'MISSING_PARAMETER', parameter: 'funding_instrument_id', message: '"funding_instrument_id" is required' },
  ],
  diagnosis: null,
  rate_limit: { user: { limit: 450, remaining: 449, reset: '2026-01-15T08:01:00.000Z' } },
  fired: [],
  duration_ms: 2.4,
  changes: [],
  changes_left_out: 0,
  delivery: 'SENT',
};

const call_id = id().describe('The call: the `x-request-id` of its answer.');

const count = int({ min: 1, max: 200 }).default(100).describe('Calls in one answer.');

const archived = int({ min: 1, max: MOST_CALLS }).default(MOST_CALLS).describe('Calls in the archive, the newest.');

/** Calls that are chosen. */
const filter = object(() => ({
  operation: text().optional().describe('Calls of this operation; `*` stands for any characters, as in `campaigns.*`.'),
  status: int({ min: 100, max: 599 }).optional().describe('Calls that were answered with this status.'),
  account_id: id().optional().describe('Calls for this account.'),
  user_id: id().optional().describe('Calls of this user.'),
  app_id: id().optional().describe('Calls through this app.'),
  since: instant().optional().describe('Calls that arrived at this time of the machine or later.'),
  text: text().optional().describe('Calls that have this text in their address, parameters, body or answer.'),
  failed: boolean()
    .optional()
    .describe('`true` for calls that were rejected or whose answer was lost, `false` for others.'),
  writes: boolean().optional().describe('`true` for calls that change something, `false` for those that read.'),
}));

const list = inWorld('control.journal.list', 'GET', '/worlds/:world_id/journal', {
  summary: 'List the last calls of a world, the newest first',
  description:
    'Calls of all interfaces, rejected ones and unknown paths included. The journal keeps a bounded number of them, also while the world is closed; secrets are left out. In production mode it is closed unless BROADSIDE_JOURNAL opens it.',
  envelope: 'list',
  params: () => ({
    ...filter.shape,
    count,
    cursor: text({ max: 500 }).optional().describe('The page: `next_cursor` of the one before.'),
  }),
  data: JournalCall,
  errors: ['INVALID_PARAMETER', 'JOURNAL_CLOSED'],
  example: { params: { failed: true }, data: exampleCall },
});

const follow = inWorld('control.journal.follow', 'GET', '/worlds/:world_id/journal/follow', {
  summary: 'Wait for calls of a world',
  description:
    'Answers as soon as there are calls after `position`, the earliest first, or when the time is over. Repeat it with the position of the answer: no call is missed, as long as the journal keeps them.',
  envelope: 'entity',
  params: () => ({
    position: int({ min: 0 })
      .optional()
      .describe(
        'The `position` of the answer before; 0 begins with what is kept; left out, with calls to come. Positions only grow, also over restarts and resets.',
      ),
    wait_seconds: int({ min: 0, max: MOST_WAIT }).default(20).describe('The time to wait for the first call.'),
    ...filter.shape,
    count,
  }),
  data: object(() => ({
    calls: z.array(JournalCall).describe('Calls.'),
    position: int({ min: 0 }).describe('Where the next request goes on.'),
    began_at: instant().describe(
      'Since when the journal has kept calls. It begins anew with a reset of its world, after a crash, and when it was cleared.',
    ),
  })),
  errors: ['INVALID_PARAMETER', 'JOURNAL_CLOSED'],
  example: {
    params: { position: 0 },
    data: { calls: [exampleCall], position: 1_768_464_001_250_001, began_at: '2026-01-15T08:00:00.000Z' },
  },
});

const get = inWorld('control.journal.get', 'GET', '/worlds/:world_id/journal/calls/:call_id', {
  summary: 'Get a call of a world',
  envelope: 'entity',
  params: () => ({ call_id }),
  data: JournalCall,
  errors: ['JOURNAL_CLOSED', 'CALL_NOT_FOUND'],
  example: { params: { call_id: exampleCall.id }, data: exampleCall },
});

const code = inWorld('control.journal.code', 'GET', '/worlds/:world_id/journal/calls/:call_id/code', {
  summary: 'Write a call of a world as code',
  envelope: 'entity',
  params: () => ({
    call_id,
    language: oneOf(['CURL', 'TYPESCRIPT', 'PYTHON'])
      .default('CURL')
      .describe('A command of curl, the client `@broadside/client`, or Python with requests-oauthlib.'),
    sign: boolean()
      .default(false)
      .describe('Signs the command of curl with the credentials of the demo, as it can be run for five minutes.'),
  }),
  data: object(() => ({
    language: oneOf(['CURL', 'TYPESCRIPT', 'PYTHON']).describe('The language.'),
    text: text({ max: 100_000 }).describe('The call. Placeholders stand for secrets, unless it is signed.'),
  })),
  errors: ['INVALID_PARAMETER', 'JOURNAL_CLOSED', 'CALL_NOT_FOUND'],
  example: {
    params: { call_id: exampleCall.id },
    data: {
      language: 'CURL',
      text: "curl http://localhost:8002/12/accounts/19df65e5y6u/campaigns \\\n  -H 'Authorization: OAuth ...' \\\n  -d name=Autumn",
    },
  },
});

const har = inWorld('control.journal.har', 'GET', '/worlds/:world_id/journal/har', {
  summary: 'Export the last calls of a world as an HTTP archive',
  description: 'HAR 1.2, which the developer tools of browsers open. `broadside journal har` writes it as a file.',
  envelope: 'entity',
  params: () => ({ ...filter.shape, count: archived }),
  data: object(() => ({ log: members().describe('The archive: `version`, `creator` and `entries`.') })),
  errors: ['INVALID_PARAMETER', 'JOURNAL_CLOSED'],
  example: {
    data: { log: { version: '1.2', creator: { name: 'Broadside', version: '1.0.0' }, entries: [] } },
  },
});

const Verdict = object(() => ({
  name: text({ max: 5000 }).describe('The expectation.'),
  passed: boolean().describe('Whether it holds, whatever the journal has not kept.'),
  decided: boolean().describe(
    '`false` where calls that the journal has pushed out, or what it has not kept of the others, could make it hold or fail; `passed` is `false` then, and the message says what to do.',
  ),
  message: text({ max: 10_000 }).describe('What was found.'),
  calls: listOf(text(), { min: 0, max: 100 }).describe('The calls that it is about.'),
  nearest: z
    .array(
      z.object({
        id: text().describe('The call.'),
        operation: text().nullable().describe('What was called.'),
        status: int().describe('The status of its answer.'),
        differs: z
          .array(
            z.object({
              of: text({ max: 1000 }).describe('The property, or the parameter as `params.name`.'),
              expected: text({ max: 1000 }).describe('What was expected.'),
              sent: text({ max: 1000 }).nullable().describe('What the call has; null for what was not sent.'),
            }),
          )
          .describe('What differs.'),
      }),
    )
    .describe('The calls that come nearest to what was expected.'),
}));

const verify = inWorld('control.journal.verify', 'POST', '/worlds/:world_id/journal/verify', {
  summary: 'Verify the calls of a world against what a test expects',
  description:
    'An expectation that does not hold is a result, and no error: `passed` is false then. All are verified together. Where calls that the journal has pushed out, or parameters that it has not kept, could decide one, it does not hold, and its `decided` is `false`: the message says what to do.',
  body: 'json',
  envelope: 'entity',
  params: () => ({
    expectations: expectations.describe(
      'What is expected. A call is described by `operation`, `params` and the like, with `times`, `at_least`, `at_most` or `never`, or with `then` and the calls that follow it. A rule is a sentence: "no write was rejected", "nothing was retried after a lost answer without looking first".',
    ),
    since: filter.shape.since,
  }),
  data: object(() => ({
    passed: boolean().describe('Whether all hold: `false` too where one is not decided.'),
    calls: int({ min: 0 }).describe('The number of calls that were looked at.'),
    forgotten: int({ min: 0 }).describe(
      'The number of requests that the journal has pushed out, and could not look at; 0 where all of them arrived before `since`.',
    ),
    forgotten_until: instant()
      .nullable()
      .describe('When the last of them arrived: calls since a later time are all there. Null where there are none.'),
    expectations: z.array(Verdict).describe('What became of each.'),
  })),
  errors: ['INVALID_PARAMETER', 'JOURNAL_CLOSED'],
  example: {
    params: {
      expectations: [{ operation: 'campaigns.create', params: { name: 'Autumn' }, times: 1 }],
    },
    data: {
      passed: true,
      calls: 12,
      forgotten: 0,
      forgotten_until: null,
      expectations: [
        {
          name: 'campaigns.create with name "Autumn" exactly once',
          passed: true,
          decided: true,
          message: 'campaigns.create with name "Autumn" was called once.',
          calls: [exampleCall.id],
          nearest: [],
        },
      ],
    },
  },
});

const clear = inWorld('control.journal.clear', 'DELETE', '/worlds/:world_id/journal', {
  summary: 'Forget the calls of a world',
  envelope: 'entity',
  data: object(() => ({ requests: int({ min: 0 }).describe('The number of requests that were forgotten.') })),
  errors: ['JOURNAL_CLOSED'],
  example: { data: { requests: 12 } },
});

/** Operations on the journal of a world. */
export const journal = { list, follow, get, code, har, verify, clear };
