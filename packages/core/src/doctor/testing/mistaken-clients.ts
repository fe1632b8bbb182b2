/**
 * For each mistake, a client that makes it in random requests, written apart from the code under test. A client gives
 * `undefined` for a request in which its mistake makes no difference, or comes to the same as another one.
 */
import type { ExplainInput } from '../explain.ts';
import type { MistakeName } from '../mistakes.ts';
import {
  addressOf,
  baseString,
  digestOf,
  type Encoded,
  enc,
  encBut,
  FORM,
  hex,
  isOwn,
  joined,
  NOW,
  normalized,
  originOf,
  type Parameter,
  type Plan,
  parametersOf,
  randomPairs,
  randomPlan,
  rightKey,
  rightSignature,
  rightText,
  send,
  sorted,
} from './client.ts';
import { nodeHmac } from './node-hmac.ts';
import type { Random } from './random.ts';

/** A generated request with all that the doctor is told. */
export type Case = Omit<ExplainInput, 'hmac'>;

export type MistakenClient = (random: Random) => Case | undefined;

interface Signing {
  readonly text?: string;
  readonly key?: string;
  readonly digest?: 'sha1' | 'sha256';
  readonly dress?: (signature: string) => string;
  /** What the doctor is told besides. */
  readonly told?: Partial<Case>;
}

const ALNUM = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';

/** The request as a server receives it. */
export function received(plan: Plan, signature: string, random: Random): Case {
  const { host = plan.port === '' ? plan.host : `${plan.host}:${plan.port}` } = plan.headers;
  return {
    request: send(plan, signature, random),
    base: originOf(plan) + plan.prefix,
    otherBases: plan.otherBases,
    headers: { ...plan.headers, host },
    secrets: plan.secrets,
    nowSeconds: NOW,
  };
}

function signed(plan: Plan, random: Random, how: Signing): Case | undefined {
  const { text = rightText(plan), key = rightKey(plan), digest = digestOf(plan), dress, told } = how;
  const changesNothing = text === rightText(plan) && key === rightKey(plan) && digest === digestOf(plan);
  const signature = nodeHmac(digest, key, text);
  const worn = dress?.(signature) ?? signature;
  if (changesNothing && worn === signature && told === undefined) return undefined;
  return { ...received(plan, worn, random), ...told };
}

/** A client that puts the parameters together in its own way. */
function byParameters(make: (random: Random) => Plan, write: (plan: Plan, random: Random) => string): MistakenClient {
  return (random) => {
    const plan = make(random);
    return signed(plan, random, { text: baseString(plan.method, addressOf(plan), write(plan, random)) });
  };
}

function byEncoding(
  characters: string,
  encoders: readonly ((text: string) => string)[],
  outer?: readonly ((text: string) => string)[],
): MistakenClient {
  return (random) => {
    const plan = textual(random, characters);
    const index = random.below(encoders.length);
    const encode = encoders[index] ?? enc;
    const last = random.chance(50) ? (outer?.[index] ?? enc) : enc;
    const text = `${plan.method}&${last(addressOf(plan))}&${last(normalized(parametersOf(plan), encode))}`;
    return signed(plan, random, { text });
  };
}

/** A request whose parameters hold certain characters, under plain names. */
function textual(random: Random, characters: string, given: Partial<Plan> = {}): Plan {
  const query: [string, string][] = [
    ['name', random.text(`${LOWER}${characters}`, 1, 8) + random.text(characters, 1, 4) + random.text(ALNUM, 0, 4)],
    ...randomPairs(random, 0, 2),
  ];
  return randomPlan(random, { query, path: `/12/accounts/${random.text(ALNUM, 5, 9)}`, ...given });
}

function byKey(make: (plan: Plan & { secrets: { token: string } }, random: Random) => string): MistakenClient {
  return (random) => {
    const plan = randomPlan(random);
    const { consumer, token } = plan.secrets;
    if (token === undefined) return undefined;
    return signed(plan, random, { key: make({ ...plan, secrets: { consumer, token } }, random) });
  };
}

function byForm(dress: (signature: string, random: Random) => string): MistakenClient {
  return (random) => signed(randomPlan(random), random, { dress: (signature) => dress(signature, random) });
}

/** A request that is signed well and that something else is wrong with. */
function byFact(told: (random: Random) => Partial<Case>): MistakenClient {
  return (random) => signed(randomPlan(random), random, { told: told(random) });
}

function byProtocol(
  change: (plan: Plan, random: Random) => readonly Encoded[],
  told: Partial<Case> = {},
): MistakenClient {
  return (random) => {
    const plan = randomPlan(random);
    return signed({ ...plan, protocol: change(plan, random) }, random, { told });
  };
}

function at(seconds: (random: Random) => string): MistakenClient {
  return byProtocol((plan, random) =>
    plan.protocol.map(([name, value]) => [name, name === 'oauth_timestamp' ? seconds(random) : value]),
  );
}

function breakSent(
  change: (request: Case['request'], random: Random) => Case['request'],
  make = randomPlan,
): MistakenClient {
  return (random) => {
    const plan = make(random);
    const whole = received(plan, rightSignature(plan), random);
    return { ...whole, request: change(whole.request, random) };
  };
}

const inHeader = (random: Random) => randomPlan(random, { place: 'header' });

function withQuery(random: Random): Plan {
  return randomPlan(random, { query: [['count', String(random.below(100))], ...randomPairs(random, 0, 3)] });
}

function encodedPairs(plan: Plan): { pair: Encoded; from: Parameter }[] {
  return parametersOf(plan).map((from) => ({ pair: [enc(from.name), enc(from.value)], from }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function latin1(text: string): string {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0);
    return code > 0xff ? enc('?') : code > 0x7f ? hex(code) : enc(character);
  }).join('');
}

function mojibake(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

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

/** One client for each mistake. */
export const MISTAKEN_CLIENTS: Readonly<Record<MistakeName, MistakenClient>> = {
  wrong_method: (random) => {
    const plan = randomPlan(random);
    const method = random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']);
    return signed(plan, random, { text: baseString(method, addressOf(plan), normalized(parametersOf(plan))) });
  },
  method_not_upper_case: (random) => {
    const plan = randomPlan(random);
    const lower = plan.method.toLowerCase();
    const method = random.chance(70) ? lower : plan.method.charAt(0) + lower.slice(1);
    return signed(plan, random, { text: baseString(method, addressOf(plan), normalized(parametersOf(plan))) });
  },
  wrong_scheme: byAddress((plan, random) => {
    const scheme = plan.scheme === 'http' ? 'https' : 'http';
    return originOf({ ...plan, scheme, port: random.chance(30) ? '' : plan.port }) + plan.prefix + plan.path;
  }),
  wrong_host: (random) => {
    if (random.chance(40)) {
      const [host, other] = random.shuffled(['localhost', '127.0.0.1', '[::1]']);
      if (host === undefined || other === undefined) return undefined;
      return addressCase(
        randomPlan(random, { host }),
        random,
        (plan) => originOf({ ...plan, host: other }) + plan.prefix + plan.path,
      );
    }
    const host = `${random.text(LOWER, 3, 9)}.example.net`;
    const port = random.pick(['', '8443']);
    const public_ = port === '' ? host : `${host}:${port}`;
    const headers = random.chance(50) ? { host: public_ } : { host: 'inner', 'x-forwarded-host': `${public_}, proxy` };
    const scheme = random.pick(['http', 'https']);
    return addressCase(
      randomPlan(random, { host: 'inner', port: '8001', headers }),
      random,
      (plan) => `${scheme}://${public_}${plan.prefix}${plan.path}`,
    );
  },
  other_listener: (random) => {
    const other = originOf({
      scheme: random.pick(['http', 'https']),
      host: `${random.text(LOWER, 3, 9)}.example.net`,
      port: random.pick(['', '9001']),
    });
    const otherBases = random.shuffled(['http://127.0.0.1:9000', other, 'https://example.com']);
    return addressCase(randomPlan(random, { otherBases, prefix: '' }), random, (plan) => other + plan.path);
  },
  default_port_kept: byAddress(
    (plan) => originOf({ ...plan, port: plan.scheme === 'http' ? '80' : '443' }) + plan.prefix + plan.path,
    { port: '' },
  ),
  port_left_out: byAddress((plan) => originOf({ ...plan, port: '' }) + plan.prefix + plan.path),
  wrong_port: (random) => {
    const port = String(2000 + random.below(6000));
    const plan = randomPlan(random);
    const headers = random.chance(50) ? { host: `${plan.host}:${port}` } : { 'x-forwarded-port': port };
    return addressCase({ ...plan, headers }, random, () => originOf({ ...plan, port }) + plan.prefix + plan.path);
  },
  address_not_lower_case: (random) => {
    const host = random.pick(['Ads.Example.Com', 'ADS.EXAMPLE.COM', 'aDs.example.com']);
    const plan = randomPlan(random, { host: 'ads.example.com' });
    const typed = plan.port === '' ? host : `${host}:${plan.port}`;
    if (random.chance(30)) {
      return addressCase(
        plan,
        random,
        () => originOf({ ...plan, scheme: plan.scheme.toUpperCase() }) + plan.prefix + plan.path,
      );
    }
    return addressCase(
      { ...plan, headers: { host: typed } },
      random,
      () => originOf({ ...plan, host }) + plan.prefix + plan.path,
    );
  },
  origin_left_out: byAddress((plan) => plan.prefix + plan.path),
  query_in_address: (random) => {
    const plan = withQuery(random);
    // The query must go out as it was signed, so it is written by hand.
    const query = plan.query.map(([name, value]) => `${enc(name)}=${enc(value)}`).join('&');
    if (plan.place === 'query') return undefined;
    const signedTwice = random.chance(50);
    const parameters = parametersOf(plan).filter(({ place }) => place !== 'query' || signedTwice);
    const text = baseString(plan.method, `${addressOf(plan)}?${query}`, normalized(parameters));
    const whole = signed(plan, random, { text });
    return whole && { ...whole, request: { ...whole.request, target: `${plan.path}?${query}` } };
  },
  trailing_slash: byAddress((plan) => {
    const address = addressOf(plan);
    return address.endsWith('/') ? address.slice(0, -1) : `${address}/`;
  }),
  path_spelled_anew: byAddress(
    (plan, random) => {
      const segments = (plan.prefix + plan.path).split('/');
      const spelled = random.pick([
        () => decodeURIComponent(plan.prefix + plan.path),
        () => segments.map((segment) => enc(decodeURIComponent(segment))).join('/'),
        () => segments.map((segment) => enc(segment)).join('/'),
      ])();
      return originOf(plan) + spelled;
    },
    undefined,
    (plan) => plan.path.includes('%') || /[!*'(),:@$;]/.test(plan.path),
  ),
  path_prefix: (random) => {
    if (random.chance(70)) {
      const plan = randomPlan(random, { prefix: random.pick(['/ads', '/p/v1']), otherBases: [] });
      const prefix = random.chance(50) ? '' : plan.prefix + plan.prefix;
      return addressCase(plan, random, () => originOf(plan) + prefix + plan.path);
    }
    return addressCase(
      randomPlan(random, { prefix: '', headers: { 'x-forwarded-prefix': '/outer/' } }),
      random,
      (plan) => `${originOf(plan)}/outer${plan.path}`,
    );
  },
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
  marks_left_raw: byEncoding(
    "!*'()",
    ["!*'()", '*', "!'()", '!*()'].map((raw) => (text) => encBut(text, raw)),
    ["!*'()", '*', "!'()", '!*()'].map((raw) => (text) => encBut(text, raw)),
  ),
  reserved_left_raw: byEncoding(
    ',:/@;=[]',
    [',', ':', '/', ',:', ":/?#[]@!$&'()*+,;=", ";,/?:@&=+$#!'()*", '/,:'].map((raw) => (text) => encBut(text, raw)),
    [',', ':', '/', ',:', ":/?#[]@!$&'()*+,;=", ";,/?:@&=+$#!'()*"].map((raw) => (text) => encBut(text, raw)),
  ),
  plus_for_space: byEncoding(' ', [
    (text) => enc(text).replaceAll('%20', '+'),
    (text) => enc(text.replaceAll(' ', '+')),
    (text) => new URLSearchParams([['', text]]).toString().slice(1),
  ]),
  lower_case_hex: byEncoding(',:;é', [lowerHex, lowerHex, enc], [lowerHex, enc, lowerHex]),
  unreserved_encoded: byEncoding(
    '-._~',
    ['~', '.', '-', '_', '-._~'].map((also) => encodesAlso(also)),
    ['~', '.', '-', '_', '-._~'].map((also) => encodesAlso(also)),
  ),
  values_encoded_twice: (random) => {
    const plan = textual(random, ',:/é');
    if (random.chance(70)) {
      return signed(plan, random, {
        text: baseString(
          plan.method,
          addressOf(plan),
          normalized(parametersOf(plan), (text) => enc(enc(text))),
        ),
      });
    }
    // Signed well, and encoded twice on the wire.
    const query = plan.query.map(([name, value]): Encoded => [enc(name), enc(value)]);
    const sent = { ...plan, query };
    return signed(sent, random, { text: rightText(plan) });
  },
  values_not_encoded: byEncoding(' é', [(text) => text]),
  text_not_utf8: byEncoding('éüßñ', [latin1]),
  utf8_twice: (random) => {
    const plan = textual(random, 'éüßñ€漢');
    if (random.chance(60)) {
      return signed(plan, random, {
        text: baseString(
          plan.method,
          addressOf(plan),
          normalized(parametersOf(plan), (text) => enc(mojibake(text))),
        ),
      });
    }
    const wrong = (pairs: readonly Encoded[]) =>
      pairs.map(([name, value]): Encoded => [mojibake(name), mojibake(value)]);
    return signed({ ...plan, query: wrong(plan.query), form: plan.form && wrong(plan.form) }, random, {
      text: rightText(plan),
    });
  },
  sorted_before_encoding: byParameters(
    (random) => {
      const stem = random.text(LOWER, 1, 3);
      const last = random.pick(['é', '~', ':', '[0]', '{']);
      const query = [
        [stem + last, '1'],
        [stem + random.text(ALNUM, 1, 2), '2'],
        [`${stem}-`, '3'],
      ] as const;
      return randomPlan(random, { query: random.shuffled([...query, ...randomPairs(random, 0, 1, LOWER)]) });
    },
    (plan) =>
      joined(
        encodedPairs(plan)
          .sort((a, b) => compare(a.from.name, b.from.name) || compare(a.from.value, b.from.value))
          .map(({ pair }) => pair),
      ),
  ),
  sorted_by_name_only: byParameters(
    (random) => {
      const values = random.shuffled(['9', '10', 'b', 'a', 'A']).map((value): [string, string] => ['ids', value]);
      return randomPlan(random, {
        query: [...values, ...randomPairs(random, 0, 2, LOWER)],
        form: undefined,
        contentType: undefined,
      });
    },
    (plan) =>
      joined(
        encodedPairs(plan)
          .map(({ pair }) => pair)
          .sort(([a], [b]) => compare(a, b)),
      ),
  ),
  sorted_as_joined: byParameters(
    (random) =>
      randomPlan(random, {
        query: random.shuffled([
          ['a', random.text(LOWER, 1, 4)],
          [`a${random.pick(['1', '-b', '.c'])}`, 'x'],
          ...randomPairs(random, 0, 2, LOWER),
        ]),
        form: undefined,
        contentType: undefined,
      }),
    (plan) =>
      encodedPairs(plan)
        .map(({ pair }) => pair.join('='))
        .sort(compare)
        .join('&'),
  ),
  sorted_by_alphabet: byParameters(
    (random) =>
      randomPlan(random, {
        query: [
          [`B${random.text(LOWER, 1, 4)}`, '1'],
          [`a${random.text(LOWER, 1, 4)}`, '2'],
          ...randomPairs(random, 0, 2, LOWER),
        ],
        form: undefined,
        contentType: undefined,
      }),
    (plan) =>
      joined(
        encodedPairs(plan)
          .map(({ pair }) => pair)
          .sort(([a], [b]) => compare(a.toLowerCase(), b.toLowerCase())),
      ),
  ),
  not_sorted: byParameters(
    (random) =>
      randomPlan(random, {
        query: random.shuffled([
          ['zone', '1'],
          ['alpha', '2'],
          ['m', '3'],
        ]),
        form: undefined,
        contentType: undefined,
      }),
    (plan, random) => {
      const pairs = encodedPairs(plan);
      const own = pairs.filter(({ from }) => isOwn(from)).map(({ pair }) => pair);
      const protocol = pairs.filter(({ from }) => !isOwn(from)).map(({ pair }) => pair);
      return joined(
        random.pick([
          () => pairs.map(({ pair }) => pair),
          () => [...protocol, ...own],
          () => [...own, ...protocol],
          () => [...sorted(protocol), ...sorted(own)],
          () => [...sorted(own), ...sorted(protocol)],
        ])(),
      );
    },
  ),
  parameters_not_encoded: (random) => {
    const plan = randomPlan(random);
    const address = random.chance(70) ? enc(addressOf(plan)) : addressOf(plan);
    return signed(plan, random, { text: `${plan.method}&${address}&${normalized(parametersOf(plan))}` });
  },
  address_not_encoded: (random) => {
    const plan = randomPlan(random);
    return signed(plan, random, { text: `${plan.method}&${addressOf(plan)}&${enc(normalized(parametersOf(plan)))}` });
  },
  parts_encoded_twice: (random) => {
    const plan = randomPlan(random);
    const [address, parameters] = [enc(addressOf(plan)), enc(normalized(parametersOf(plan)))];
    const text = random.pick([
      `${plan.method}&${address}&${enc(parameters)}`,
      `${plan.method}&${enc(address)}&${parameters}`,
      `${plan.method}&${enc(address)}&${enc(parameters)}`,
      enc(`${plan.method}&${address}&${parameters}`),
    ]);
    return signed(plan, random, { text });
  },
  secrets_swapped: byKey(({ secrets }) => `${enc(secrets.token)}&${enc(secrets.consumer)}`),
  token_secret_left_out: byKey(
    ({ secrets }, random) => `${enc(secrets.consumer)}&${random.pick(['', 'undefined', 'null'])}`,
  ),
  consumer_secret_left_out: byKey(
    ({ secrets }, random) => `${random.pick(['', 'undefined', 'None'])}&${enc(secrets.token)}`,
  ),
  ampersand_missing: (random) => {
    const plan = randomPlan(random);
    const { consumer, token } = plan.secrets;
    const alone = token === undefined || random.chance(30);
    return signed(plan, random, { key: alone ? enc(consumer) : enc(consumer) + enc(token) });
  },
  secrets_not_encoded: (random) => {
    const plan = withOddSecrets(random);
    return signed(plan, random, { key: `${plan.secrets.consumer}&${plan.secrets.token ?? ''}` });
  },
  secrets_encoded_twice: (random) => {
    const plan = withOddSecrets(random);
    return signed(plan, random, { key: `${enc(enc(plan.secrets.consumer))}&${enc(enc(plan.secrets.token ?? ''))}` });
  },
  space_around_secret: byKey(({ secrets }, random) => {
    const more = random.pick(['\n', '\r\n', ' ', '\t', '"']);
    const around = more === '"' ? (text: string) => more + text + more : (text: string) => text + more;
    return random.pick([
      `${enc(around(secrets.consumer))}&${enc(secrets.token)}`,
      `${enc(secrets.consumer)}&${enc(around(secrets.token))}`,
      `${enc(around(secrets.consumer))}&${enc(around(secrets.token))}`,
    ]);
  }),
  key_used_as_secret: byKey(({ secrets, protocol }, random) => {
    const value = (wanted: string) => protocol.find(([name]) => name === wanted)?.[1] ?? '';
    return random.pick([
      `${enc(value('oauth_consumer_key'))}&${enc(secrets.token)}`,
      `${enc(secrets.consumer)}&${enc(value('oauth_token'))}`,
      `${enc(value('oauth_consumer_key'))}&${enc(value('oauth_token'))}`,
    ]);
  }),
  wrong_consumer_secret: (random) => {
    const plan = randomPlan(random);
    const others = otherSecrets(random);
    const { consumer } = random.pick(others);
    return signed(plan, random, {
      key: `${enc(consumer)}&${enc(plan.secrets.token ?? '')}`,
      told: { otherSecrets: others },
    });
  },
  wrong_token_secret: (random) => {
    const plan = randomPlan(random);
    const others = otherSecrets(random);
    const { token } = random.pick(others);
    return signed(plan, random, { key: `${enc(plan.secrets.consumer)}&${enc(token)}`, told: { otherSecrets: others } });
  },
  wrong_digest: (random) => {
    const plan = randomPlan(random);
    return signed(plan, random, { digest: digestOf(plan) === 'sha1' ? 'sha256' : 'sha1' });
  },
  plaintext_signature: (random) => {
    const plan = randomPlan(random);
    const { consumer, token = '' } = plan.secrets;
    return signed(plan, random, { dress: () => random.pick([rightKey(plan), `${consumer}&${token}`, consumer]) });
  },
  signature_as_hex: byForm((signature, random) => {
    const digits = Array.from(atob(signature), (byte) => hex(byte.charCodeAt(0)).slice(1)).join('');
    return random.chance(50) ? digits.toLowerCase() : random.chance(50) ? digits : btoa(digits.toLowerCase());
  }),
  signature_as_base64url: byForm((signature, random) => {
    const url = signature.replaceAll('+', '-').replaceAll('/', '_');
    return url === signature ? signature : random.chance(50) ? url : url.replace('=', '');
  }),
  signature_without_padding: byForm((signature) => signature.replace('=', '')),
  signature_encoded_twice: byForm((signature) => enc(signature)),
  signature_plus_as_space: byForm((signature) => signature.replaceAll('+', ' ')),
  signature_with_line_break: byForm((signature, random) => signature + random.pick(['\n', '\r\n', ' '])),
  signature_malformed: byForm((signature, random) =>
    random.pick([
      () => signature.slice(0, 8 + random.below(12)),
      () => `${signature}${signature}`,
      () => `?${signature}`,
    ])(),
  ),
  not_signed: (random) => {
    const plan = randomPlan(random);
    const whole = received({ ...plan, place: 'header' }, 'x', random);
    const authorization = random.pick([undefined, `Bearer ${random.text(ALNUM, 20, 40)}`, '']);
    return { ...whole, request: { ...whole.request, authorization } };
  },
  clock_skew: at((random) => String(NOW + random.pick([-1, 1]) * (301 + random.below(1200)))),
  timestamp_in_local_time: at((random) =>
    String(NOW + random.pick([-8, -5, -4, 1, 2, 3, 5.5, 9]) * 3600 + random.below(121) - 60),
  ),
  timestamp_in_milliseconds: at((random) => random.pick([`${NOW}${100 + random.below(900)}`, `${NOW}123456`])),
  reused_nonce: byFact(() => ({ facts: { nonceUsed: true } })),
  unknown_consumer_key: byFact((random) => ({
    secrets: undefined,
    ...(random.chance(50) ? {} : { facts: { consumer: 'unknown' as const } }),
  })),
  unknown_token: (random) => {
    const plan = randomPlan(random);
    if (plan.secrets.token === undefined) return undefined;
    return signed(plan, random, {
      told: { secrets: { consumer: plan.secrets.consumer }, facts: { token: 'unknown' } },
    });
  },
  token_of_other_app: byFact((random) => ({
    facts: { token: 'other_app' },
    ...(random.chance(50) ? {} : { secrets: undefined }),
  })),
  revoked_token: byFact(() => ({ facts: { token: 'revoked' } })),
  token_missing: byFact(() => ({ facts: { token: 'missing' } })),
  wrong_body_hash: byFact(() => ({ facts: { bodyHashWrong: true } })),
  malformed_host: byFact((random) => ({ base: random.pick(['http://', 'http://a b', 'ftp://x', 'http://h?x', '']) })),
  malformed_target: breakSent((request) => ({ ...request, target: `${request.target}#top` })),
  malformed_query: breakSent((request) => ({
    ...request,
    target: `${request.target}${request.target.includes('?') ? '&' : '?'}discount=50%`,
  })),
  malformed_form: breakSent(
    (request) => ({ ...request, body: `${request.body}&discount=50%` }),
    (random) => randomPlan(random, { method: 'POST', form: [['a', 'b']], contentType: FORM, place: 'header' }),
  ),
  malformed_header: breakSent(
    ({ authorization = '', ...request }, random) => ({
      ...request,
      authorization: random.pick([
        authorization.replaceAll('"', ''),
        `${authorization}, x`,
        authorization.replaceAll(', ', '; '),
      ]),
    }),
    inHeader,
  ),
  header_too_long: breakSent(
    (request) => ({ ...request, authorization: `${request.authorization}, x="${'y'.repeat(9000)}"` }),
    inHeader,
  ),
  too_many_parameters: breakSent(
    (request) => ({ ...request, target: `${request.target.split('?', 1)[0]}?${'a=1&'.repeat(1001)}` }),
    inHeader,
  ),
  duplicate_parameter: breakSent(
    (request) => ({ ...request, authorization: `${request.authorization}, oauth_nonce="again"` }),
    inHeader,
  ),
  credentials_in_two_places: breakSent(
    (request) => ({ ...request, target: `${request.target.split('?', 1)[0]}?oauth_signature_method=HMAC-SHA1` }),
    inHeader,
  ),
  unsupported_parameter: breakSent(
    (request) => ({ ...request, authorization: `${request.authorization}, oauth_x="1"` }),
    inHeader,
  ),
  missing_parameter: byProtocol((plan, random) => {
    const left = random.pick(['oauth_consumer_key', 'oauth_nonce', 'oauth_timestamp', 'oauth_signature_method']);
    return plan.protocol.filter(([name]) => name !== left);
  }),
  unsupported_signature_method: byProtocol((plan, random) =>
    plan.protocol.map(([name, value]) => [
      name,
      name === 'oauth_signature_method' ? random.pick(['PLAINTEXT', 'RSA-SHA1', 'hmac-sha1']) : value,
    ]),
  ),
  unsupported_version: byProtocol((plan) => [
    ...plan.protocol.filter(([name]) => name !== 'oauth_version'),
    ['oauth_version', '2.0'],
  ]),
  malformed_timestamp: at((random) => random.pick(['now', '1790000000.5', '-5', '0179', '2026-11-21T00:00:00Z'])),
  invalid_nonce: byProtocol((plan) =>
    plan.protocol.map(([name, value]) => [name, name === 'oauth_nonce' ? `${value} x` : value]),
  ),
};

function byAddress(
  write: (plan: Plan, random: Random) => string,
  given: Partial<Plan> = {},
  matters: (plan: Plan) => boolean = () => true,
): MistakenClient {
  return (random) => {
    const plan = randomPlan(random, given);
    return matters(plan) ? addressCase(plan, random, () => write(plan, random)) : undefined;
  };
}

function addressCase(plan: Plan, random: Random, write: (plan: Plan) => string): Case | undefined {
  return signed(plan, random, { text: baseString(plan.method, write(plan), normalized(parametersOf(plan))) });
}

function lowerHex(text: string): string {
  return enc(text).replace(/%../g, (digits) => digits.toLowerCase());
}

function encodesAlso(also: string): (text: string) => string {
  return (text) =>
    [...enc(text)].map((character) => (also.includes(character) ? hex(character.charCodeAt(0)) : character)).join('');
}

function withOddSecrets(random: Random): Plan {
  const odd = () =>
    `${random.text(ALNUM, 5, 20)}${random.pick(['+', '/', '=', '%', ' ', '!'])}${random.text(ALNUM, 5, 20)}`;
  const plan = randomPlan(random);
  return { ...plan, secrets: { consumer: odd(), token: plan.secrets.token === undefined ? undefined : odd() } };
}

function otherSecrets(random: Random): { name: string; consumer: string; token: string }[] {
  return ['app Two', 'app Three', 'app Four'].map((name) => ({
    name,
    consumer: random.text(ALNUM, 40, 50),
    token: random.text(ALNUM, 40, 45),
  }));
}
