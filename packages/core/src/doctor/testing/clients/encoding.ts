/** Clients with mistakes in the encoding, sorting and joining of parameters. */
import type { ENCODING_TEXTS } from '../../texts/encoding.ts';
import {
  addressOf,
  baseString,
  type Encoded,
  enc,
  encBut,
  hex,
  isOwn,
  joined,
  normalized,
  type Plan,
  parametersOf,
  randomPairs,
  randomPlan,
  rightText,
  sorted,
} from '../client.ts';
import { ALNUM, byParameters, encodedPairs, LOWER, type MistakenClient, signed } from '../mistaken-client.ts';
import type { Random } from '../random.ts';

export const ENCODING_CLIENTS: Readonly<Record<keyof typeof ENCODING_TEXTS, MistakenClient>> = {
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
    // Signed correctly, and encoded twice on the wire.
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
};

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

/** Generates a request whose parameters contain certain characters, under plain names. */
function textual(random: Random, characters: string, given: Partial<Plan> = {}): Plan {
  const query: [string, string][] = [
    ['name', random.text(`${LOWER}${characters}`, 1, 8) + random.text(characters, 1, 4) + random.text(ALNUM, 0, 4)],
    ...randomPairs(random, 0, 2),
  ];
  return randomPlan(random, { query, path: `/12/accounts/${random.text(ALNUM, 5, 9)}`, ...given });
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

function lowerHex(text: string): string {
  return enc(text).replace(/%../g, (digits) => digits.toLowerCase());
}

function encodesAlso(also: string): (text: string) => string {
  return (text) =>
    [...enc(text)].map((character) => (also.includes(character) ? hex(character.charCodeAt(0)) : character)).join('');
}
