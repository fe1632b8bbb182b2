import { describe, expect, test } from 'vitest';
import { rejectionOf } from '../../../wire/types.ts';
import { expectations } from './expectations.ts';
import { type Forgotten, type TimedCall, verify } from './verify.ts';

let count = 0;

/** A call, which arrives when those that were made before it have been answered. */
function call(given: Partial<TimedCall>): TimedCall {
  const id = `r-${++count}`;
  return {
    id,
    time: '2026-01-15T08:00:00.000Z',
    world_time: '2026-01-15T08:00:00.000Z',
    listener: 'ads',
    adapter: 'REST',
    operation: 'campaigns.create',
    writes: !/\.(list|get)$/.test(given.operation ?? 'campaigns.create'),
    method: 'POST',
    path: '/12/accounts/18ce54d4x5t/campaigns',
    query: '',
    base_url: 'http://localhost:8001',
    caller: { kind: 'USER', user_id: '7', screen_name: 'ada', app_id: '9' },
    consumer_key: 'key',
    account_id: '18ce54d4x5t',
    params: {},
    content_type: null,
    body: null,
    left_out_bytes: 0,
    user_agent: null,
    client_request: null,
    status: 200,
    answer: { headers: {}, body: null, size: 0 },
    errors: [],
    diagnosis: null,
    rate_limit: null,
    fired: [],
    duration_ms: 1,
    changes: [],
    changes_left_out: 0,
    delivery: 'SENT',
    arrived_ms: 10_000 * count,
    answered_ms: 10_000 * count + 10,
    ...given,
  };
}

/** When a call arrives, and is answered, by a clock of its own. */
function at(arrived_ms: number, answered_ms: number): Pick<TimedCall, 'arrived_ms' | 'answered_ms'> {
  return { arrived_ms, answered_ms };
}

/** The verdicts on expectations as they are sent. */
function verdicts(sent: unknown, calls: readonly TimedCall[], forgotten?: Forgotten) {
  return expectations.parse(sent).map((expectation) => verify(expectation, calls, forgotten));
}

/** What is wrong with expectations, as place and expectation. */
function mistakes(sent: unknown): readonly string[] {
  const read = expectations.safeParse(sent);
  return read.success
    ? []
    : read.error.issues.map((issue) => `${issue.path.join('.')}: ${rejectionOf(issue)?.expected}`);
}

/** A call with those that are to follow it. */
function followed(first: object, steps: readonly object[]): object {
  return Object.fromEntries([...Object.entries(first), ['then', steps]]);
}

describe('a count', () => {
  const autumn = call({ params: { name: 'Autumn', budget: '5' } });
  const calls = [call({ params: { name: 'Spring' } }), autumn, call({ operation: 'campaigns.list' })];

  test.each([
    [{ times: 1 }, true],
    [{ times: 2 }, false],
    [{ at_least: 1 }, true],
    [{ at_least: 2 }, false],
    [{ at_most: 1 }, true],
    [{ at_most: 0 }, false],
    [{ never: true }, false],
    [{}, true],
  ])('%j of a call that was made once', (times, passed) => {
    const [verdict] = verdicts([{ operation: 'campaigns.create', params: { name: 'Autumn' }, ...times }], calls);
    expect(verdict).toMatchObject({ passed, calls: [autumn.id] });
  });

  test('is of calls that mean what is expected: numbers and lists are texts in a query', () => {
    const sent = call({ params: { budget: '5', ids: 'a,b', targeting: { age: { min: 18 } } } });
    for (const params of [{ budget: 5 }, { ids: ['a', 'b'] }, { targeting: { age: { min: '18' } } }]) {
      expect(verdicts([{ operation: 'campaigns.*', params, times: 1 }], [sent])).toMatchObject([{ passed: true }]);
    }
    for (const params of [{ budget: 6 }, { ids: ['b', 'a'] }, { ids: ['a'] }, { name: null }]) {
      expect(verdicts([{ operation: 'campaigns.*', params, never: true }], [sent])).toMatchObject([{ passed: true }]);
    }
  });

  test('that is not reached shows the nearest calls first, with what differs', () => {
    const near = call({ params: { name: 'Autum', budget: '5' } });
    const all = [call({ params: { name: 'Spring' } }), near, call({ params: { name: 'Winter' } })];
    const [verdict] = verdicts([{ operation: 'campaigns.create', params: { name: 'Autumn' }, times: 1 }], all);
    expect(verdict?.message).toBe(
      `campaigns.create with name "Autumn" was not called; expected: exactly once. Nearest: campaigns.create (${near.id}, 200), where params.name was "Autum" instead of "Autumn".`,
    );
    expect(verdict?.nearest[0]).toEqual({
      id: near.id,
      operation: 'campaigns.create',
      status: 200,
      differs: [{ of: 'params.name', expected: '"Autumn"', sent: '"Autum"' }],
    });
    expect(verdict?.nearest).toHaveLength(3);
  });

  test('of an account and a user has calls that failed before either was known', () => {
    const sent = { caller: null, account_id: null, params: { account_id: '18ce54d4x5t' } };
    const all = [call({}), call({ ...sent, token_user_id: '7' }), call({ ...sent, token_user_id: '8' })];
    const ofBoth = { operation: 'campaigns.create', account_id: '18ce54d4x5t' };
    const expected = [
      { ...ofBoth, times: 3 },
      { ...ofBoth, user_id: '7', times: 2 },
      { ...ofBoth, user_id: '9', never: true },
      { operation: 'campaigns.create', account_id: 'other', never: true },
    ];
    expect(verdicts(expected, all)).toMatchObject(expected.map(() => ({ passed: true })));
  });

  test('of an operation that was never called shows the one that is called most like it', () => {
    const [verdict] = verdicts([{ operation: 'campaigns.creat' }], calls);
    expect(verdict?.nearest[0]).toMatchObject({
      operation: 'campaigns.create',
      differs: [{ of: 'operation', expected: 'campaigns.creat', sent: 'campaigns.create' }],
    });
  });

  test('can be of calls of one outcome', () => {
    const all = [call({ status: 503 }), call({})];
    expect(verdicts([{ operation: 'campaigns.create', outcome: 'succeeded', times: 1 }], all)[0]?.passed).toBe(true);
    expect(verdicts([{ operation: 'campaigns.create', times: 1 }], all)[0]?.passed).toBe(false);
  });

  test.each([
    ['campaigns.*', 'campaigns.create', true],
    ['*.create', 'campaigns.create', true],
    ['c*s.cr*te', 'campaigns.create', true],
    ['c*create*create', 'campaigns.create', false],
    ['*', 'campaigns.create', true],
    ['campaigns.create*campaigns.create', 'campaigns.create', false],
  ])('%s matches %s: %s', (operation, called, passed) => {
    expect(verdicts([{ operation, times: 1 }], [call({ operation: called })])[0]?.passed).toBe(passed);
  });
});

describe('an order', () => {
  const order = followed({ operation: 'campaigns.create' }, [{ operation: 'line_items.create' }]);

  test('holds with other calls in between', () => {
    const calls = [call({}), call({ operation: 'campaigns.get' }), call({ operation: 'line_items.create' })];
    expect(verdicts([order], calls)).toMatchObject([{ passed: true, calls: [calls[0]?.id, calls[2]?.id] }]);
  });

  test('does not hold the other way round, and says so', () => {
    const early = call({ operation: 'line_items.create' });
    const [verdict] = verdicts([order], [early, call({})]);
    expect(verdict?.passed).toBe(false);
    expect(verdict?.message).toBe(
      `line_items.create was not called after campaigns.create. It was called before, as ${early.id}.`,
    );
  });
});

describe('no write was rejected', () => {
  test('concerns writes only, and names the error', () => {
    const errors = [{ code: 'MISSING_PARAMETER', parameter: 'name', message: '"name" is required' }];
    const read = call({ operation: 'campaigns.list', status: 404 });
    expect(verdicts(['No write was refused.'], [read, call({})])).toMatchObject([{ passed: true }]);
    const rejected = call({ status: 400, errors });
    const [verdict] = verdicts(['no write was rejected'], [read, rejected]);
    expect(verdict).toMatchObject({ passed: false, calls: [rejected.id] });
    expect(verdict?.message).toContain('was rejected with 400 MISSING_PARAMETER: "name" is required');
  });

  test('passes where faults have dropped writes before the work, which is no answer, and counts them', () => {
    const dropped = call({ status: 500, delivery: 'LOST', dropped: true, fired: ['3'] });
    expect(verdicts(['no write was rejected'], [dropped, call({})])).toMatchObject([
      { passed: true, message: 'No write was rejected; faults dropped 1 before the work.' },
    ]);
    const answered = [
      call({ status: 503, fired: ['3'] }),
      call({ status: 400, delivery: 'LOST' }),
      // By a latency, in which the client has given up.
      call({ status: 400, delivery: 'LOST', fired: ['4'] }),
      // Cut in the middle.
      call({ status: 500, delivery: 'LOST', fired: ['5'] }),
      // In one request with a call that was dropped.
      call({ status: 400, delivery: 'LOST', dropped: true, fired: ['3'] }),
    ];
    const [verdict] = verdicts(['no write was rejected'], [dropped, ...answered]);
    expect(verdict).toMatchObject({ passed: false, calls: answered.map(({ id }) => id) });
  });
});

describe('nothing was retried after a lost answer without looking first', () => {
  const rule = ['nothing was retried after a lost answer without looking first'];
  const params = { name: 'Autumn', budget: '5' };
  const lost = call({ params, delivery: 'LOST' });
  const unproved = call({ params, caller: null, account_id: null, token_user_id: '7', status: 502 });

  test.each([
    ['a retry at once', [lost, call({ params })], false],
    ['a retry that means the same', [lost, call({ params: { budget: 5, name: 'Autumn' } })], false],
    ['a retry after a failure of a proxy', [call({ params, status: 502 }), call({ params })], false],
    ['a retry after a read', [lost, call({ operation: 'campaigns.list' }), call({ params })], true],
    [
      'a retry after a read whose answer was lost',
      [lost, call({ operation: 'campaigns.list', delivery: 'LOST' }), call({ params })],
      false,
    ],
    ['a retry after a read of another family', [lost, call({ operation: 'line_items.list' }), call({ params })], false],
    [
      'a retry after a rejection that says that nothing was done',
      [call({ params, status: 503 }), call({ params })],
      true,
    ],
    ['another write', [lost, call({ params: { ...params, name: 'Winter' } })], true],
    [
      'another write of as many bytes that are not kept',
      [
        call({ params, delivery: 'LOST', left_out_bytes: 900, left_out_digest: 'x' }),
        call({ params, left_out_bytes: 900, left_out_digest: 'y' }),
      ],
      true,
    ],
    [
      'a retry of bytes that are not kept',
      [
        call({ params, delivery: 'LOST', left_out_bytes: 900, left_out_digest: 'x' }),
        call({ params, left_out_bytes: 900, left_out_digest: 'x' }),
      ],
      false,
    ],
    [
      'another write that is too long to be kept, on another path',
      [
        call({ body: '[{"', delivery: 'LOST', path: '/12/batch/accounts/1/campaigns' }),
        call({ body: '[{"', path: '/12/batch/accounts/2/campaigns' }),
      ],
      true,
    ],
    [
      'the same write of another user',
      [lost, call({ params, caller: { kind: 'USER', user_id: '8', screen_name: null, app_id: '9' } })],
      true,
    ],
    ['a retry after one that failed before its caller was proved', [unproved, call({ params })], false],
    [
      'a retry after a read of who was not proved before',
      [unproved, call({ operation: 'campaigns.list' }), call({ params })],
      true,
    ],
    [
      'two that failed before their callers were proved',
      [unproved, { ...unproved, ...at(90_000_000, 90_000_010) }],
      false,
    ],
    [
      'two that failed before their callers were proved, and a read in between',
      [unproved, call({ operation: 'campaigns.list' }), { ...unproved, ...at(90_000_000, 90_000_010) }],
      true,
    ],
    [
      'the same write after one of another user that failed before its caller was proved',
      [{ ...unproved, token_user_id: '8' }, call({ params })],
      true,
    ],
    [
      'the same write after one by another app that failed before its caller was proved',
      [{ ...unproved, consumer_key: 'other' }, call({ params })],
      true,
    ],
    ['the same write after an answer that arrived', [call({ params }), call({ params })], true],
    [
      'a third write after a retry that was answered',
      [lost, call({ operation: 'campaigns.get' }), call({ params }), call({ params })],
      true,
    ],
    [
      'a retry by a client that has given up waiting',
      [call({ params, ...at(1_000, 1_010) }), call({ params, delivery: 'LOST', ...at(0, 5_000) })],
      false,
    ],
    [
      'a retry by a client that has given up waiting, and has looked',
      [
        call({ operation: 'campaigns.list', ...at(900, 910) }),
        call({ params, ...at(1_000, 1_010) }),
        call({ params, delivery: 'LOST', ...at(0, 5_000) }),
      ],
      true,
    ],
    [
      'a retry before a read is answered',
      [
        call({ params, ...at(1_000, 1_010) }),
        call({ operation: 'campaigns.list', ...at(900, 1_100) }),
        call({ params, delivery: 'LOST', ...at(0, 5_000) }),
      ],
      false,
    ],
    [
      'a retry after a read that came before the first call',
      [
        call({ operation: 'campaigns.list', ...at(-10, 20) }),
        call({ params, ...at(1_000, 1_010) }),
        call({ params, delivery: 'LOST', ...at(0, 5_000) }),
      ],
      false,
    ],
    [
      'the same write twice in one request',
      [call({ params, delivery: 'LOST', ...at(0, 10) }), call({ params, delivery: 'LOST', ...at(0, 10) })],
      true,
    ],
  ] as const)('%s', (_, calls, passed) => {
    const [verdict] = verdicts(rule, calls);
    expect(verdict?.passed).toBe(passed);
    if (!passed) expect(verdict?.message).toContain('was called again as');
  });
});

describe('calls that were forgotten', () => {
  const forgotten = { requests: 3, arrived_ms: Date.UTC(2026, 0, 15, 7, 59), answered_ms: 0 };
  const create = { operation: 'campaigns.create' };
  const blind = 'nothing was retried after a lost answer without looking first';
  const params = { name: 'Autumn' };
  const lost = call({ params, delivery: 'LOST' });

  test.each([
    ['at least once, where it was', [{ ...create, at_least: 1 }], [call({})], 'holds'],
    ['as often as one likes', [{ ...create, at_least: 0 }], [], 'holds'],
    ['at least twice, where it was once', [{ ...create, at_least: 2 }], [call({})], 'open'],
    ['exactly once, where it was', [{ ...create, times: 1 }], [call({})], 'open'],
    ['exactly once, where it was not', [{ ...create, times: 1 }], [], 'open'],
    ['exactly once, where it was twice', [{ ...create, times: 1 }], [call({}), call({})], 'fails'],
    ['at most twice, where it was once', [{ ...create, at_most: 2 }], [call({})], 'open'],
    ['at most once, where it was twice', [{ ...create, at_most: 1 }], [call({}), call({})], 'fails'],
    ['never, where it was not', [{ ...create, never: true }], [], 'open'],
    ['never, where it was', [{ ...create, never: true }], [call({})], 'fails'],
    ['an order that is there', [followed(create, [create])], [call({}), call({})], 'holds'],
    ['an order that is not there', [followed(create, [create])], [call({})], 'open'],
    ['no rejected write, where there is none', ['no write was rejected'], [call({})], 'open'],
    ['no rejected write, where there is one', ['no write was rejected'], [call({ status: 400 })], 'fails'],
    ['no blind retry, where there is none', [blind], [call({})], 'open'],
    ['no blind retry, where there is one', [blind], [lost, call({ params })], 'fails'],
  ] as const)('%s', (_, sent, calls, expected) => {
    const [verdict] = verdicts(sent, calls, forgotten);
    const decided = expected !== 'open';
    expect(verdict).toMatchObject({ passed: expected === 'holds', decided });
    expect(verdict?.message.includes('Not decided:')).toBe(!decided);
    // Where nothing was forgotten, all is decided.
    expect(verdicts(sent, calls)).toMatchObject([{ decided: true }]);
  });

  test('may be the look before a retry, where they were answered after the first call has arrived', () => {
    const [late, retry] = [call({ params, delivery: 'LOST', ...at(0, 5_000) }), call({ params, ...at(1_000, 1_010) })];
    const [open] = verdicts([blind], [retry, late], { ...forgotten, answered_ms: 910 });
    expect(open).toMatchObject({ passed: false, decided: false, calls: [late.id, retry.id] });
    expect(verdicts([blind], [retry, late], { ...forgotten, answered_ms: -100 })).toMatchObject([{ decided: true }]);
  });

  test('are counted, with what to do', () => {
    const [verdict] = verdicts([{ ...create, times: 1 }], [call({})], forgotten);
    expect(verdict?.message).toBe(
      'campaigns.create was called once. Not decided: the journal has pushed out 3 earlier requests (the last one arrived at 2026-01-15T07:59:00.000Z), and one of them could decide this. Verify earlier, verify calls since a later time only, clear the journal before the test, or have it keep more calls (BROADSIDE_JOURNAL).',
    );
    const [one] = verdicts(['no write was rejected'], [], { ...forgotten, requests: 1 });
    expect(one?.message).toContain('1 earlier request (it arrived at 2026-01-15T07:59:00.000Z), and it could decide');
  });
});

describe('calls of which not all is kept', () => {
  const autumn = { operation: 'campaigns.create', params: { name: 'Autumn' } };
  const kept = call({ params: { name: 'Autumn' } });
  const long = call({ left_out_digest: 'd', left_out_bytes: 9000 });
  const secret = call({ params: { name: '[left out]' } });
  const people = call({ params: { name: 'Spring', operations: '[left out]' }, left_out_digest: 'd' });

  test.each([
    ['one that may be meant', [autumn], [long], 'open'],
    ['one with a secret in its place', [autumn], [secret], 'open'],
    ['one with another value', [autumn], [people], 'fails'],
    ['one beside the one that is meant', [{ ...autumn, at_least: 1 }], [kept, long], 'holds'],
    ['exactly one, and another that may be', [{ ...autumn, times: 1 }], [kept, long], 'open'],
    ['at most two of two', [{ ...autumn, at_most: 2 }], [kept, long], 'holds'],
    ['three of two', [{ ...autumn, times: 3 }], [kept, long], 'fails'],
    ['never, and one that may be', [{ ...autumn, never: true }], [secret], 'open'],
    ['never, and one that is', [{ ...autumn, never: true }], [kept, secret], 'fails'],
    ['of another operation', [{ ...autumn, operation: 'line_items.create' }], [long], 'fails'],
    ['of another status', [{ ...autumn, status: 400 }], [long], 'fails'],
    ['an order that is there', [followed(autumn, [autumn])], [long, kept, kept], 'holds'],
    ['an order that may be there', [followed(autumn, [autumn])], [long, kept], 'open'],
    ['an order that is not there even so', [followed(autumn, [autumn, autumn])], [long, kept], 'fails'],
  ] as const)('%s', (_, sent, calls, expected) => {
    const [verdict] = verdicts(sent, calls);
    expect(verdict).toMatchObject({ passed: expected === 'holds', decided: expected !== 'open' });
  });

  test('are named, with what to do', () => {
    const [verdict] = verdicts([{ ...autumn, never: true }], [long, secret]);
    expect(verdict?.message).toBe(
      `campaigns.create with name "Autumn" was not called. Not decided: what was sent in ${long.id} and 1 more is not kept, since it is too long, secret, or people, and could decide this. Expect such calls without those parameters, or have the journal keep longer bodies (BROADSIDE_JOURNAL).`,
    );
    const [missed] = verdicts([autumn], [secret]);
    expect(missed?.nearest).toMatchObject([{ differs: [{ of: 'params.name', sent: '[left out]' }] }]);
  });
});

describe('expectations', () => {
  test.each([
    [[], ': a list of 1 to 50 expectations'],
    [{ operation: 'campaigns.create' }, ': a list of 1 to 50 expectations'],
    [
      ['every write was read back'],
      '0: one of "no write was rejected", "nothing was retried after a lost answer without looking first", or an object',
    ],
    [
      [{ operation: 'campaigns.create', time: 1 }],
      '0.time: one of name, rule, operation, params, method, path, status, account_id, user_id, app_id, outcome, times, at_least, at_most, never, then',
    ],
    [[{ operation: 'campaigns.create', times: '1' }], '0.times: a whole number from 0 to 1000000'],
    [
      [{ operation: 'campaigns.create', times: 1, never: true }],
      '0: times, never, or at_least and at_most of which the first is not the larger one',
    ],
    [
      [{ operation: 'campaigns.create', at_least: 2, at_most: 1 }],
      '0: times, never, or at_least and at_most of which the first is not the larger one',
    ],
    [
      [{ name: 'nothing' }],
      '0: a rule, or a call by one of operation, params, method, path, status, account_id, user_id, app_id, outcome',
    ],
    [
      [followed({ operation: 'a' }, [{ operation: 'b', times: 1 }])],
      '0.then.0.times: one of operation, params, method, path, status, account_id, user_id, app_id, outcome',
    ],
    [[followed({ operation: 'a', times: 1 }, [{ operation: 'b' }])], '0: an order (then) or a count (times); not both'],
    [[{ rule: 'no write was rejected', times: 1 }], '0: a rule, or a call; not both'],
    [[{ operation: 'a', never: false }], '0.never: true'],
  ])('%j are wrong: %s', (sent, mistake) => {
    expect(mistakes(sent)).toEqual([mistake]);
  });

  test('are named by themselves where they have no name', () => {
    const names = verdicts(
      [
        { operation: 'a', params: { name: 'x' }, at_most: 2 },
        { name: 'mine', operation: 'a', never: true },
        { status: 500, at_least: 3 },
      ],
      [],
    ).map(({ name }) => name);
    expect(names).toEqual(['a with name "x" at most 2 times', 'mine', 'any call with status 500 at least 3 times']);
  });
});
