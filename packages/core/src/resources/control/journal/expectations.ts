/** Expectations as they are sent. */
import { nested, type Place, type Report, unknownMember } from '../../../wire/nested.ts';
import type { JsonSchema } from '../../../wire/types.ts';
import type { CallPattern } from './match.ts';
import { type CallCount, callRules, type Expectation } from './verify.ts';

/** Expectations in one request: our choice. */
export const MOST_EXPECTATIONS = 50;
/** Calls in one order. */
const MOST_STEPS = 50;
const MOST_TEXT = 2000;
const MOST_TIMES = 1_000_000;

/** Reads a member. @returns `undefined` once it has reported a mistake */
type Member = (raw: unknown, place: Place, report: Report) => unknown;

const textMember: Member = (raw, place, report) =>
  typeof raw === 'string' && raw !== '' && raw.length <= MOST_TEXT
    ? raw
    : invalid(report, place, `a text of up to ${MOST_TEXT} characters`);

const wholeMember =
  (least: number, most: number): Member =>
  (raw, place, report) =>
    typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most
      ? raw
      : invalid(report, place, `a whole number from ${least} to ${most}`);

const timesMember = wholeMember(0, MOST_TIMES);

const wordMember =
  (...words: readonly string[]): Member =>
  (raw, place, report) =>
    words.find((word) => word === raw) ?? invalid(report, place, `one of ${words.join(', ')}`);

const trueMember: Member = (raw, place, report) => (raw === true ? true : invalid(report, place, 'true'));

const objectMember: Member = (raw, place, report) => membersOf(raw) ?? invalid(report, place, 'an object');

const patternMembers = {
  operation: textMember,
  params: objectMember,
  method: textMember,
  path: textMember,
  status: wholeMember(100, 599),
  account_id: textMember,
  user_id: textMember,
  app_id: textMember,
  outcome: wordMember('succeeded', 'rejected'),
} as const satisfies Readonly<Record<keyof CallPattern, Member>>;

const countMembers = { times: timesMember, at_least: timesMember, at_most: timesMember, never: trueMember } as const;

const expectationMembers: Readonly<Record<string, Member>> = {
  name: textMember,
  rule: (raw, place, report) => ruleOf(raw) ?? invalid(report, place, RULES),
  ...patternMembers,
  ...countMembers,
  // biome-ignore lint/suspicious/noThenProperty: the word in which an order is said
  then: readSteps,
};

const RULES = `one of ${callRules.map((rule) => `"${rule}"`).join(', ')}`;

const schemaOfPattern = {
  operation: { type: 'string', description: 'The id of an operation; `*` stands for any characters.' },
  params: { type: 'object', additionalProperties: true, description: 'Parameters that were sent, among others.' },
  method: { type: 'string' },
  path: { type: 'string' },
  status: { type: 'integer' },
  account_id: { type: 'string' },
  user_id: { type: 'string' },
  app_id: { type: 'string' },
  outcome: { type: 'string', enum: ['succeeded', 'rejected'] },
} as const satisfies Readonly<Record<keyof CallPattern, JsonSchema>>;

const schemaOfTimes = { type: 'integer', minimum: 0 };

const json: JsonSchema = {
  type: 'array',
  minItems: 1,
  maxItems: MOST_EXPECTATIONS,
  items: {
    anyOf: [
      { type: 'string', enum: [...callRules] },
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          name: { type: 'string', description: 'What the result calls it.' },
          rule: { type: 'string', enum: [...callRules] },
          ...schemaOfPattern,
          times: schemaOfTimes,
          at_least: schemaOfTimes,
          at_most: schemaOfTimes,
          never: { type: 'boolean', enum: [true] },
          // biome-ignore lint/suspicious/noThenProperty: the word in which an order is said
          then: {
            type: 'array',
            items: { type: 'object', additionalProperties: false, properties: schemaOfPattern },
            description: 'Calls that come after it, in this order.',
          },
        },
      },
    ],
  },
};

/** A list of expectations: rules as sentences, and objects that describe calls. */
export const expectations = nested<readonly Expectation[], unknown>(
  json,
  `a list of 1 to ${MOST_EXPECTATIONS} expectations`,
  (raw, report) => {
    if (!Array.isArray(raw) || raw.length === 0 || raw.length > MOST_EXPECTATIONS) {
      return invalid(report, [], `a list of 1 to ${MOST_EXPECTATIONS} expectations`);
    }
    return raw.flatMap((one: unknown, at) => readExpectation(one, [at], report) ?? []);
  },
);

function readExpectation(raw: unknown, place: Place, report: Report): Expectation | undefined {
  const rule = ruleOf(raw);
  if (rule) return { rule };
  if (typeof raw === 'string') return invalid(report, place, `${RULES}, or an object`);
  const members = membersOf(raw);
  if (!members) return invalid(report, place, 'an object, or the sentence of a rule');
  const read = readMembers(members, expectationMembers, place, report);
  if (!read) return undefined;
  const named = typeof read['name'] === 'string' ? { name: read['name'] } : {};
  const others = Object.keys(read).filter((name) => name !== 'name');
  if ('rule' in read) {
    const known = ruleOf(read['rule']);
    if (known && others.length === 1) return { ...named, rule: known };
    return invalid(report, place, 'a rule, or a call; not both');
  }
  const pattern = patternOf(read);
  if (Object.keys(pattern).length === 0) {
    return invalid(report, place, `a rule, or a call by one of ${Object.keys(patternMembers).join(', ')}`);
  }
  const counts = Object.keys(countMembers).filter((name) => name in read);
  const { then: steps } = read;
  if (isSteps(steps)) {
    return counts.length === 0
      ? { ...named, order: [pattern, ...steps] }
      : invalid(report, place, `an order (then) or a count (${counts.join(', ')}); not both`);
  }
  const count = countOf(read, counts);
  return count
    ? { ...named, call: pattern, count }
    : invalid(report, place, 'times, never, or at_least and at_most of which the first is not the larger one');
}

function isSteps(value: unknown): value is readonly CallPattern[] {
  return Array.isArray(value);
}

/** How often the call is expected: at least once where nothing is said. */
function countOf(read: Readonly<Record<string, unknown>>, counts: readonly string[]): CallCount | undefined {
  const { times, at_least, at_most, never } = read;
  if ((times !== undefined || never !== undefined) && counts.length > 1) return undefined;
  if (never !== undefined) return { at_least: 0, at_most: 0 };
  if (typeof times === 'number') return { at_least: times, at_most: times };
  const most = typeof at_most === 'number' ? at_most : Number.POSITIVE_INFINITY;
  const least = typeof at_least === 'number' ? at_least : counts.length === 0 ? 1 : 0;
  return least <= most ? { at_least: least, at_most: most } : undefined;
}

function readSteps(raw: unknown, place: Place, report: Report): readonly CallPattern[] | undefined {
  const steps: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  if (steps.length === 0 || steps.length > MOST_STEPS)
    return invalid(report, place, `a list of 1 to ${MOST_STEPS} calls`);
  return steps.flatMap((step, at) => {
    const own = Array.isArray(raw) ? [...place, at] : place;
    const members = membersOf(step);
    const read = members ? readMembers(members, patternMembers, own, report) : invalid(report, own, 'an object');
    if (!read) return [];
    const pattern = patternOf(read);
    if (Object.keys(pattern).length > 0) return [pattern];
    return invalid(report, own, `a call by one of ${Object.keys(patternMembers).join(', ')}`) ?? [];
  });
}

function readMembers(
  members: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, Member>>,
  place: Place,
  report: Report,
): Readonly<Record<string, unknown>> | undefined {
  const read: Record<string, unknown> = {};
  let isSound = true;
  for (const [name, raw] of Object.entries(members)) {
    const member = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!member) report([...place, name.slice(0, 100)], unknownMember(Object.keys(known)));
    const value = member?.(raw, [...place, name], report);
    if (value === undefined) isSound = false;
    else read[name] = value;
  }
  return isSound ? read : undefined;
}

function patternOf(read: Readonly<Record<string, unknown>>): CallPattern {
  return Object.fromEntries(Object.entries(read).filter(([name]) => name in patternMembers));
}

/** The rule that a sentence says; "refused" is read as "rejected", and a full stop does not matter. */
function ruleOf(raw: unknown): (typeof callRules)[number] | undefined {
  if (typeof raw !== 'string' || raw.length > MOST_TEXT) return undefined;
  const sentence = raw.trim().toLowerCase().replace(/\.$/, '').replace('refused', 'rejected');
  return callRules.find((rule) => rule === sentence);
}

function membersOf(raw: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? { ...raw } : undefined;
}

function invalid(report: Report, place: Place, expected: string): undefined {
  report(place, { reason: 'invalid', expected });
  return undefined;
}
