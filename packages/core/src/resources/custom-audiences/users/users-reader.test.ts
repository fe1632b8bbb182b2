/// <reference types="node" />
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBatch } from '../../../operation/parse-batch.ts';
import { parseJson } from '../../../wire/json.ts';
import { findJsonFault } from '../../../wire/json-bounds.ts';
import { timestampMs } from '../../../wire/timestamp.ts';
import { identifierKinds, keyOf } from '../identifiers/index.ts';
import { MAX_IDENTIFIERS, MAX_USER_OPERATIONS } from './limits.ts';
import { KEY_BYTES } from './packed-users.ts';
import { AudienceUsersParams, ListUsersParams } from './params.ts';
import { MAX_USERS_ISSUES, type ReadUsers } from './users-outcome.ts';
import { UsersReader } from './users-reader.ts';
import { audienceUsersShape, listUsersShape, type UsersShape } from './users-shape.ts';

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const hash = sha('support@example.com');

function read(body: string | Uint8Array, shape: UsersShape = audienceUsersShape, size = 64): ReadUsers {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const reader = new UsersReader(bytes, shape, digest);
  // At least one byte a step, or it would never end.
  for (let steps = 0; !reader.step(size); steps++) expect(steps).toBeLessThan(bytes.length / size + 1);
  return reader.result;
}

const update = (params: unknown) => ({ operation_type: 'Update', params });
const users = (...records: unknown[]) => JSON.stringify([update({ users: records })]);

/** The keys of each user, in hex. */
function keysOf({ packed }: ReadUsers): string[][] {
  if (!packed) throw new Error('nothing was packed');
  const { buffer, byteOffset, byteLength } = packed.users;
  const view = new DataView(buffer, byteOffset, byteLength);
  const people: string[][] = [];
  for (let at = 0; at < byteLength; ) {
    const count = view.getUint16(at, true);
    at += 2;
    const keys: string[] = [];
    for (let key = 0; key < count; key++, at += KEY_BYTES) {
      keys.push(Buffer.from(packed.users.subarray(at, at + KEY_BYTES)).toString('hex'));
    }
    people.push(keys);
  }
  expect(people).toHaveLength(packed.user_count);
  return people;
}

const messages = ({ issues, itemIssues }: ReadUsers) => [...issues, ...itemIssues.flat()].map(({ message }) => message);

describe('a batch of users', () => {
  it('is packed: operations with their times, users with their keys', () => {
    const body = [
      update({ users: [{ email: [hash, hash.toUpperCase()], partner_user_id: ['Abc 1'] }, { handle: [hash] }] }),
      {
        params: {
          expires_at: '2026-03-01',
          users: [{ device_id: [hash], platform_id: [hash], phone_number: [hash] }],
          effective_at: '2026-02-01T01:00:00.123+01:00',
        },
        operation_type: 'Delete',
      },
    ];
    const result = read(JSON.stringify(body));
    const bytes = Buffer.from(hash, 'hex');
    const key = (kind: (typeof identifierKinds)[number], of = bytes) => Buffer.from(keyOf(kind, of)).toString('hex');
    expect(keysOf(result)).toEqual([
      [key('email'), key('email'), key('partner_user_id', digest(Buffer.from('Abc 1')))],
      [key('handle')],
      [key('device_id'), key('platform_id'), key('phone_number')],
    ]);
    const [from, to] = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'];
    expect(result.packed?.operations).toEqual([
      { operation_type: 'Update', effective_at: undefined, expires_at: undefined, user_count: 2 },
      { operation_type: 'Delete', effective_at: timestampMs(from), expires_at: timestampMs(to), user_count: 1 },
    ]);
    expect(result.echo).toEqual([
      { operation_type: 'Update', params: {} },
      { operation_type: 'Delete', params: { effective_at: from, expires_at: to } },
    ]);
    expect(result.itemIssues).toEqual([[], []]);
  });

  it('may be written with escapes and blanks', () => {
    const escaped = [...hash].map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`).join('');
    const plain = read(users({ email: [hash], partner_user_id: ['ä\n😀"'] }));
    const body = ` [ {"\\u006fperation_type" :"\\u0055pdate", "params":\t{"users":[\r\n{"\\u0065mail":["${escaped}" ],"partner_user_id" : [ "\\u00e4\\n\\ud83d\\ude00\\u0022" ]} ] } } ]\n`;
    expect(keysOf(read(body))).toEqual(keysOf(plain));
  });

  it.each([1, 7, 64, 65_536])('is the same in steps of %i bytes', (size) => {
    const people = Array.from({ length: 40 }, (_, i) => ({ email: [sha(`${i}`)], partner_user_id: [`p${i}`] }));
    const body = users(...people);
    expect(read(body, audienceUsersShape, size)).toEqual(read(body, audienceUsersShape, 1_000_000));
  });

  it('is read in steps whatever it holds', () => {
    const long = 'x'.repeat(1000);
    const bodies = [
      users(...Array.from({ length: 2000 }, () => ({ email: [hash] }))),
      users({ email: Array.from({ length: 2000 }, () => hash) }),
      users({ other: Array.from({ length: 2000 }, () => ({ a: [1, long] })) }),
      `[${'0,'.repeat(2000)}0]`,
      JSON.stringify(Array.from({ length: 2000 }, () => update({ users: [{ email: [hash] }] }))),
    ];
    for (const body of bodies) {
      const reader = new UsersReader(Buffer.from(body), audienceUsersShape, digest);
      let steps = 1;
      while (!reader.step(1000)) steps++;
      // A step passes its size by one string at most.
      expect(steps).toBeGreaterThanOrEqual(body.length / 2100);
    }
  });
});

describe('an operation is rejected, with its place,', () => {
  const wrong = 'not a hash: jack@example.com';
  it.each<[string, unknown, string, RegExp]>([
    ['without a type', { params: { users: [{ email: [hash] }] } }, 'operation_type', /required/],
    ['of another type', { operation_type: 'Create', params: {} }, 'operation_type', /one of Update, Delete/],
    ['without parameters', { operation_type: 'Update' }, 'params', /required/],
    ['whose parameters are a list', update([]), 'params', /an object/],
    ['without users', update({}), 'users', /required/],
    ['with no user', update({ users: [] }), 'params.users', /one or more user records/],
    ['whose users are an object', update({ users: {} }), 'params.users', /array of user records/],
    ['with a time that is none', update({ users: [{ email: [hash] }], expires_at: 'soon' }), 'expires_at', /time/],
    ['with a number as time', update({ users: [{ email: [hash] }], effective_at: 0 }), 'effective_at', /time/],
    ['with a user that is text', update({ users: [hash] }), 'params.users[0]', /object with identifiers/],
    [
      'with a user without identifiers',
      update({ users: [{ email: [hash] }, {}] }),
      'params.users[1]',
      /one or more of/,
    ],
    ['with an unknown kind', update({ users: [{ emails: [hash] }] }), 'params.users[0]', /did you mean "email"/],
    ['with an identifier outside a list', update({ users: [{ email: hash }] }), 'params.users[0].email', /array/],
    ['with an empty list', update({ users: [{ email: [] }] }), 'params.users[0].email', /one or more identifiers/],
    ['with a number', update({ users: [{ email: [hash, 7] }] }), 'params.users[0].email[1]', /text/],
    ['with null', update({ users: [{ email: [null] }] }), 'params.users[0].email[0]', /text/],
    ['with other text', update({ users: [{}, {}, {}, { email: [wrong] }] }), 'params.users[3].email[0]', /SHA-256/],
    ['with an empty id', update({ users: [{ partner_user_id: [''] }] }), 'params.users[0].partner_user_id[0]', /1 to/],
    ['with NUL', update({ users: [{ partner_user_id: ['\0'] }] }), 'params.users[0].partner_user_id[0]', /NUL/],
    [
      'with half a character',
      update({ users: [{ partner_user_id: ['\ud800'] }] }),
      'params.users[0].partner_user_id[0]',
      /halves/,
    ],
    [
      'with too many identifiers',
      update({ users: [{ email: Array(MAX_IDENTIFIERS + 1).fill(hash) }] }),
      'params.users[0].email',
      /up to 500/,
    ],
  ])('%s', (_title, operation, parameter, message) => {
    const result = read(JSON.stringify([update({ users: [{ email: [hash] }] }), operation]));
    expect(result.packed).toBeUndefined();
    expect(result.issues).toEqual([]);
    expect(result.itemIssues).toHaveLength(2);
    expect(result.itemIssues[0]).toEqual([]);
    const issue = { parameter, message: expect.stringMatching(message) };
    expect(result.itemIssues[1]).toContainEqual(expect.objectContaining(issue));
  });

  it.each<[string, string, RegExp]>([
    ['email', ' Support@Example.com', /e-mail address is not hashed.*small letters.*SHA-256/],
    ['handle', '@jack', /handle is not hashed.*leave the @ out/],
    ['phone_number', '(500) 555-0100', /telephone number is not hashed.*code of its country/],
    ['platform_id', '143567', /id of a person is not hashed/],
    ['device_id', '4B61639E-47CC-4056-A16A-C8217E029462', /id of a device is not hashed/],
    ['email', 'a'.repeat(32), /length of an MD5/],
    ['email', 'a'.repeat(40), /length of a SHA-1/],
    ['email', 'a'.repeat(128), /length of a SHA-512/],
    ['email', `${hash}\n`, /before or after/],
    ['email', `0x${hash}`, /before or after/],
    ['email', Buffer.from(hash, 'hex').toString('base64'), /base64/],
    ['email', hash.slice(1), /64 hex digits/],
    ['email', `g${hash.slice(1)}`, /64 hex digits/],
    ['handle', 'ж'.repeat(64), /64 hex digits/],
  ])('when %s is %j, with advice and without repeating it', (kind, value, message) => {
    const result = read(users({ [kind]: [value] }));
    expect(messages(result)).toEqual([expect.stringMatching(message)]);
    expect(JSON.stringify(result)).not.toContain(value.trim());
  });

  it('once for each error, up to a limit, and its list stands at its index', () => {
    const bad = update({ users: Array.from({ length: MAX_USERS_ISSUES }, () => ({ email: ['x'] })) });
    const { itemIssues } = read(JSON.stringify([update({ users: [{ email: [hash] }] }), bad, bad]));
    expect(itemIssues.map((list) => list.length)).toEqual([0, MAX_USERS_ISSUES, 0]);
  });

  it('of a do-not-reach list, for other kinds and for effective_at', () => {
    expect(read(users({ email: [hash], phone_number: [hash] }), listUsersShape).packed).toBeDefined();
    expect(messages(read(users({ handle: [hash] }), listUsersShape))).toEqual([
      expect.stringContaining('known: email, phone_number'),
    ]);
    const body = JSON.stringify([update({ users: [{ email: [hash] }], effective_at: '2026-01-01' })]);
    expect(messages(read(body, listUsersShape))).toEqual([expect.stringContaining('known: users, expires_at')]);
  });
});

describe('a body is rejected as a whole', () => {
  const good = users({ email: [hash] });
  const item = good.slice(1, -1);
  it.each<[string, string | Uint8Array, RegExp]>([
    ['if it is empty', '', /valid JSON/],
    ['if it ends early', good.slice(0, -1), /valid JSON/],
    ['if something follows', `${good}]`, /valid JSON/],
    ['with a byte order mark', `\ufeff${good}`, /valid JSON/],
    ['with a comma too many', `[${item},]`, /valid JSON/],
    ['with a comma too few', `[${item}${item}]`, /valid JSON/],
    ['with a line break in a text', users({ partner_user_id: ['a'] }).replace('"a"', '"\n"'), /valid JSON/],
    ['with an unknown escape', users({ partner_user_id: ['a'] }).replace('"a"', '"\\x"'), /valid JSON/],
    ['with a broken number', '[{"a":01}]', /valid JSON/],
    ['if it is not UTF-8', Buffer.from(users({ partner_user_id: ['é'] }), 'latin1'), /valid UTF-8/],
    ['with a member twice', good.replace('"params"', '"params":{},"params"'), /"params" is given more than once/],
    ['with a kind twice', good.replace('"email"', '"email":[],"\\u0065mail"'), /"email" is given more than once/],
    ['if it lies too deep', `[${'['.repeat(40)}${']'.repeat(40)}]`, /too deep/],
    ['if it is an object', item, /JSON array/],
    ['without operations', '[]', /1 to 2500 operations/],
    [
      'with too many operations',
      `[${Array(MAX_USER_OPERATIONS + 1)
        .fill(item)
        .join()}]`,
      /1 to 2500 operations/,
    ],
  ])('%s', (_title, body, message) => {
    const result = read(body);
    expect(result.packed).toBeUndefined();
    expect(result.issues).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
  });

  it.each([
    ['', 'line 1, column 1: unexpected the end'],
    [`${good}\n]`, 'line 2, column 1: unexpected "]"'],
    [`[\n ${item},\n]`, 'line 3, column 1: unexpected "]"'],
    [`[${item}${item}]`, `line 1, column ${item.length + 2}: unexpected "{"`],
    ['[{"ä": 1, "a": 01}]', 'line 1, column 17: unexpected "1"'],
    ['[{"ä": ü}]', 'line 1, column 8: unexpected U+00FC'],
    ['[{"a": "b}]', 'line 1, column 8: a text that is not expected or not complete'],
  ])('and the place is named where %j stops being JSON', (body, place) => {
    expect(read(body).issues.map(({ message }) => message)).toEqual([`The body is not valid JSON: ${place}`]);
  });

  it('but not with as many operations as are allowed', () => {
    expect(read(`[${Array(MAX_USER_OPERATIONS).fill(item).join()}]`).packed?.user_count).toBe(MAX_USER_OPERATIONS);
  });
});

describe('the reader takes what the contract takes, and nothing else:', () => {
  const oracle = (body: Uint8Array, params: typeof AudienceUsersParams | typeof ListUsersParams) => {
    let text: string;
    let value: unknown;
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
      value = parseJson(text) ?? null;
    } catch {
      return { where: 'body' };
    }
    if (findJsonFault(text)) return { where: 'body' };
    const batch = readBatch({ max: MAX_USER_OPERATIONS, Update: params, Delete: params }, value, {});
    if (batch.issues.length > 0) return { where: 'body' };
    const wrong = batch.itemIssues.map((list) => list.length > 0);
    return wrong.includes(true)
      ? { where: 'items', wrong }
      : { where: undefined, items: batch.items.flatMap((item) => item ?? []) };
  };

  const compare = (
    body: Uint8Array,
    shape: UsersShape,
    params: typeof AudienceUsersParams | typeof ListUsersParams,
  ) => {
    const expected = oracle(body, params);
    const result = read(body, shape, 100);
    const { packed, issues, itemIssues } = result;
    const shown = Buffer.from(body).toString();
    if (expected.where === undefined) {
      expect([...issues, ...itemIssues.flat()], shown).toEqual([]);
      const items = expected.items ?? [];
      expect(packed?.operations, shown).toEqual(
        items.map(({ operation_type, params: { users: list, effective_at, expires_at } }) => ({
          operation_type,
          effective_at: typeof effective_at === 'string' ? timestampMs(effective_at) : undefined,
          expires_at: typeof expires_at === 'string' ? timestampMs(expires_at) : undefined,
          user_count: Array.isArray(list) ? list.length : Number.NaN,
        })),
      );
      // A schema gives members in its own order, the reader in theirs.
      const inOrder = (people: string[][]) => people.map((keys) => keys.sort());
      const expectedPeople = items.flatMap(({ params: { users: list } }) => expectedKeys(list));
      expect(inOrder(keysOf(result)), shown).toEqual(inOrder(expectedPeople));
    } else {
      expect(packed, shown).toBeUndefined();
      // Names that the contract does not know, twice: one speaks of the operation, the other of the body.
      if (issues.length === 0 && expected.where === 'body') return expected.where;
      if (issues.length === 0)
        expect(
          itemIssues.map((list) => list.length > 0),
          shown,
        ).toEqual(expected.wrong);
      else if (expected.where === 'items') expect(issues[0]?.error, shown).toBe('never');
    }
    return expected.where;
  };

  /** Kinds in the order in which the record has them. */
  const expectedKeys = (list: unknown): string[][] => {
    if (!Array.isArray(list)) return [];
    return list.map((record: Record<string, string[]>) =>
      Object.entries(record).flatMap(([name, values]) => {
        const kind = identifierKinds.find((one) => one === name);
        return kind === undefined
          ? []
          : values.map((value) => {
              const bytes = kind === 'partner_user_id' ? digest(Buffer.from(value)) : Buffer.from(value, 'hex');
              return Buffer.from(keyOf(kind, bytes)).toString('hex');
            });
      }),
    );
  };

  const rarely = <T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 30, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: other });
  const anything = fc.jsonValue({ maxDepth: 3 });
  const hashed = rarely(
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
    fc.oneof(fc.string(), anything, fc.constant(hash.toUpperCase())),
  );
  const partner = rarely(
    fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
    fc.oneof(anything, fc.constant('\ud800'), fc.constant('x'.repeat(513)), fc.constant('😀'.repeat(512))),
  );
  const arrayOf = (item: fc.Arbitrary<unknown>) => rarely(fc.array(item, { minLength: 1, maxLength: 3 }), anything);
  const record = rarely(
    fc.record(
      Object.fromEntries(identifierKinds.map((kind) => [kind, arrayOf(kind === 'partner_user_id' ? partner : hashed)])),
      { requiredKeys: ['email'] },
    ),
    fc.oneof(
      anything,
      fc.dictionary(fc.constantFrom('email', 'mail', '__proto__', 'handle'), arrayOf(hashed), { maxKeys: 2 }),
    ),
  );
  const time = rarely(
    fc.constantFrom('2026-01-01', '2026-02-03T04:05:06Z', '2026-02-03T04:05:06.789+0100'),
    fc.oneof(fc.string(), anything),
  );
  const operation = rarely(
    fc.record(
      {
        params: rarely(
          fc.record(
            {
              users: rarely(fc.array(record, { minLength: 1, maxLength: 3 }), anything),
              effective_at: time,
              expires_at: time,
            },
            { requiredKeys: ['users'] },
          ),
          anything,
        ),
        operation_type: rarely(fc.constantFrom('Update', 'Delete'), fc.oneof(fc.constant('Create'), anything)),
      },
      { requiredKeys: ['params', 'operation_type'] },
    ),
    anything,
  );
  const batch = fc.array(operation, { maxLength: 4 });
  const written = fc
    .tuple(batch, fc.constantFrom(undefined, 1, '\t'))
    .map(([value, space]) => JSON.stringify(value, null, space));

  it('any batch', () => {
    const seen = new Set<string | undefined>();
    fc.assert(
      fc.property(written, (body) => {
        seen.add(compare(Buffer.from(body), audienceUsersShape, AudienceUsersParams));
        compare(Buffer.from(body), listUsersShape, ListUsersParams);
      }),
      { numRuns: 2000 },
    );
    expect(seen).toEqual(new Set([undefined, 'items', 'body']));
  });

  it('any damaged batch', () => {
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat({ max: 3 }),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 2 }),
        fc
          .constantFrom(
            '"',
            '\\',
            '\\u0041',
            '{',
            '}',
            '[',
            ']',
            ',',
            ':',
            ' ',
            '1',
            '-',
            'e',
            'null',
            '"email":[],',
            '\u00e9',
          )
          .map((text) => Buffer.from(text)),
      ),
    });
    fc.assert(
      fc.property(written, fc.array(damage, { minLength: 1, maxLength: 3 }), (body, damages) => {
        let bytes: Uint8Array = Buffer.from(body);
        for (const { at, remove, insert } of damages) {
          const place = Math.floor(at * bytes.length);
          bytes = Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + remove)]);
        }
        compare(bytes, audienceUsersShape, AudienceUsersParams);
      }),
      { numRuns: 5000 },
    );
  });
});
