/** Clients with mistakes in the selection of signed parameters. */
import type { PARAMETER_TEXTS } from '../../texts/parameters.ts';
import {
  addressOf,
  baseString,
  type Encoded,
  enc,
  FORM,
  isOwn,
  joined,
  normalized,
  type Parameter,
  type Plan,
  parametersOf,
  randomPairs,
  randomPlan,
  sorted,
} from '../client.ts';
import { ALNUM, byParameters, encodedPairs, type MistakenClient, signed, withQuery } from '../mistaken-client.ts';
import type { Random } from '../random.ts';

export const PARAMETER_CLIENTS: Readonly<Record<keyof typeof PARAMETER_TEXTS, MistakenClient>> = {
  query_left_out: byParameters(withQuery, (plan) =>
    normalized(parametersOf(plan).filter((each) => each.place !== 'query' || !isOwn(each))),
  ),
  form_left_out: byParameters(
    (random) =>
      randomPlan(random, {
        method: 'POST',
        form: [['objective', 'REACH'], ...randomPairs(random, 0, 4)],
        contentType: FORM,
      }),
    (plan) => normalized(parametersOf(plan).filter((each) => each.place !== 'form' || !isOwn(each))),
  ),
  json_body_signed: (random) => {
    const flat = { name: random.text(`${ALNUM} é,:`, 1, 12), count: random.below(1000), paused: random.chance(50) };
    const value = random.chance(50) ? flat : { ...flat, list: [1, 'b c'], inner: { depth: { x: random.below(9) } } };
    const plan = jsonPlan(random, value);
    const body = plan.body ?? '';
    const extra = random.pick<() => readonly Encoded[]>([
      () => flatten(value),
      () =>
        Object.entries(value).map(
          ([name, member]): Encoded => [name, typeof member === 'object' ? JSON.stringify(member) : String(member)],
        ),
      () => [[body, '']],
      () => [['body', body]],
    ])();
    return signed(plan, random, { text: baseString(plan.method, addressOf(plan), withExtra(plan, extra)) });
  },
  multipart_fields_signed: (random) => {
    const fields = randomPairs(random, 1, 3, `${ALNUM} é,:`).map(([, value], index): Encoded => [`f${index}`, value]);
    const file = random.text(ALNUM, 5, 30);
    const parts = fields.map(
      ([name, value]) => `--b0und\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    parts.push(
      `--b0und\r\nContent-Disposition: form-data; name="media"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${file}\r\n`,
    );
    const contentType = random.pick(['multipart/form-data; boundary=b0und', 'multipart/form-data; boundary="b0und"']);
    const plan = jsonPlan(random, {}, { body: `${parts.join('')}--b0und--\r\n`, contentType });
    const extra: Encoded[] = random.chance(50) ? fields : [...fields, ['media', file]];
    return signed(plan, random, { text: baseString(plan.method, addressOf(plan), withExtra(plan, extra)) });
  },
  content_type_not_form: (random) => {
    const pairs = randomPairs(random, 1, 4);
    const body = pairs.map(([name, value]) => `${enc(name)}=${enc(value)}`).join('&');
    const plan = jsonPlan(
      random,
      {},
      { body, contentType: random.pick([undefined, 'text/plain;charset=UTF-8', 'application/octet-stream']) },
    );
    return signed(plan, random, { text: baseString(plan.method, addressOf(plan), withExtra(plan, pairs)) });
  },
  oauth_parameter_left_out: byParameters(
    (random) => randomPlan(random),
    (plan, random) => {
      const [left] = random.pick(plan.protocol);
      return normalized(parametersOf(plan).filter(({ name }) => name !== left));
    },
  ),
  oauth_parameter_not_sent: byParameters(
    (random) => randomPlan(random),
    (plan, random) => {
      const sent = new Set(plan.protocol.map(([name]) => name));
      const missing = (
        [
          ['oauth_version', '1.0'],
          ['oauth_token', ''],
          ['oauth_callback', 'oob'],
        ] as const
      ).filter(([name]) => !sent.has(name));
      return missing.length === 0 ? normalized(parametersOf(plan)) : withExtra(plan, [random.pick(missing)]);
    },
  ),
  signature_included: byParameters(
    (random) => randomPlan(random),
    (plan) => withExtra(plan, [['oauth_signature', '']]),
  ),
  realm_included: byParameters(
    (random) => randomPlan(random, { realm: random.text(`${ALNUM} /:`, 1, 10), place: 'header' }),
    (plan) => withExtra(plan, [['realm', plan.realm ?? '']]),
  ),
  empty_parameters: byParameters(
    (random) => randomPlan(random, { query: [['a', '1'], ['empty', ''], ...randomPairs(random, 0, 2)] }),
    (plan, random) => {
      if (random.chance(60)) return normalized(parametersOf(plan).filter(({ value }) => value !== ''));
      return sorted(encodedPairs(plan).map(({ pair }) => pair))
        .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
        .join('&');
    },
  ),
  duplicate_parameters: byParameters(
    (random) => {
      const values = random.shuffled(['1', 'two', 'x,y', 'z w']).slice(0, 2 + random.below(3));
      const repeated = values.map((value): [string, string] => ['ids', value]);
      return randomPlan(random, {
        query: random.shuffled([...repeated, ['kept', 'yes'], ...randomPairs(random, 0, 1)]),
      });
    },
    (plan, random) => {
      const values = new Map<string, string[]>();
      for (const { name, value } of parametersOf(plan)) values.set(name, [...(values.get(name) ?? []), value]);
      const one = random.pick([
        (list: string[]) => list.at(0) ?? '',
        (list: string[]) => list.at(-1) ?? '',
        (list: string[]) => list.join(','),
      ]);
      return joined(sorted([...values].map(([name, list]) => [enc(name), enc(one(list))])));
    },
  ),
};

function flatten(value: object, prefix = ''): Encoded[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]): Encoded[] => {
    const key = prefix === '' ? name : `${prefix}[${name}]`;
    return typeof member === 'object' && member !== null ? flatten(member, key) : [[key, String(member)]];
  });
}

function jsonPlan(random: Random, value: object, given: Partial<Plan> = {}): Plan {
  const body = JSON.stringify(value);
  return randomPlan(random, {
    method: random.pick(['POST', 'PUT']),
    form: undefined,
    body,
    contentType: random.pick(['application/json', 'application/json; charset=utf-8', undefined]),
    place: random.pick(['header', 'query']),
    ...given,
  });
}

function withExtra(plan: Plan, extra: readonly Encoded[]): string {
  const added = extra.map(([name, value]): Parameter => ({ name, value, place: 'form' }));
  return normalized([...parametersOf(plan), ...added]);
}
