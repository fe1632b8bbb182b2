/** Mistakes in the encoding of names and values, and in combining the parts into the base string. */
import { percentDecode, percentEncode } from '../auth/percent.ts';
import { type Evidence, isProtocol, type Variant } from './evidence.ts';
import type { SigningMistake } from './signing-mistake.ts';
import { type Encoder, type SourcePair, same } from './signing-model.ts';

const MARKS = "!*'()";
/** Sets of marks that common functions leave unencoded. */
const MARK_SETS = [MARKS, '*', '!*()', "!'()", "!*'", '!()', '!'];
/** Sets of reserved characters that common functions leave unencoded, and single ones. */
const RESERVED_SETS = [
  `;,/?:@&=+$#${MARKS}`,
  ',:',
  '/',
  `!$&'()*+,;=:@`,
  ',',
  ':',
  ':/',
  ',:/',
  '@',
  ';',
  '+',
  '=',
  '[]',
  `;,/?:@&=+$#[]${MARKS}`,
  `!$&'()*+,;=`,
  `!$&'()*+,;=:@/?`,
  `/?:@-._~!$'()*,;`,
  `,:/@$;${MARKS}`,
  `"<>\\^\`{|}`,
  '?',
  '$',
  '#',
  '&',
  '|',
];
const UNRESERVED_SETS = ['~', '-', '.', '_', '-.', '-._', '-._~'];

/** Characters of Windows-1252 in place of Latin-1's control characters. */
const WINDOWS =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Mistakes in encoding, the likelier ones first. */
export const ENCODING_MISTAKES: readonly SigningMistake[] = [
  {
    id: 'parameters_not_encoded',
    *variants() {
      yield { change: { encodeParameters: same } };
      yield { change: { encodeParameters: same, encodeAddress: same } };
    },
  },
  {
    id: 'address_not_encoded',
    *variants() {
      yield { change: { encodeAddress: same } };
    },
  },
  {
    id: 'parts_encoded_twice',
    *variants() {
      const twice: Encoder = (text) => percentEncode(percentEncode(text));
      yield { change: { encodeParameters: twice } };
      yield { change: { encodeAddress: twice } };
      yield { change: { encodeParameters: twice, encodeAddress: twice } };
      yield { change: { finish: percentEncode } };
    },
  },
  {
    id: 'plus_for_space',
    *variants({ characters }) {
      if (!characters.has(' ')) return;
      yield* respelled((encoded) => encoded.replaceAll('%20', '+'));
      yield* respelled((encoded) => encoded.replaceAll('%20', '%2B'), 'A sent + was signed as itself.');
      const asForms = leaving('*');
      const older = encodingAlso('~');
      yield* respelled((encoded) => older(encoded).replaceAll('%20', '+'));
      yield* respelled((encoded) => older(asForms(encoded)).replaceAll('%20', '+'));
    },
  },
  { id: 'marks_left_raw', variants: (evidence) => respelledSets(evidence, MARK_SETS, leaving) },
  { id: 'reserved_left_raw', variants: (evidence) => respelledSets(evidence, RESERVED_SETS, leaving) },
  {
    id: 'lower_case_hex',
    *variants({ characters }) {
      const lower = (encoded: string) => encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
      yield { change: { respellParts: lower } };
      if (percentEncode([...characters].join('')).includes('%')) {
        yield { change: { respell: lower, respellParts: lower } };
        yield { change: { respell: lower } };
      }
    },
  },
  {
    id: 'unreserved_encoded',
    *variants(evidence) {
      yield* respelledSets(evidence, UNRESERVED_SETS, encodingAlso);
    },
  },
  {
    id: 'values_encoded_twice',
    *variants({ characters, standard }) {
      if (!percentEncode([...characters].join('')).includes('%')) return;
      yield { change: { encode: (text) => percentEncode(percentEncode(text)) } };
      yield { change: { encode: (text) => percentEncode(percentDecode(text) ?? text) } };
      for (const place of ['query', 'form', 'header'] as const) {
        if (standard.pairs.some((pair) => pair.place === place && /%[0-9a-f]{2}/i.test(pair.name + pair.value))) {
          const pairs = standard.pairs.map((pair) => (pair.place === place ? decodedPair(pair) : pair));
          yield { change: { pairs } };
        }
      }
      for (const respell of scoped(percentEncode)) yield { change: { respell } };
      const spaced = (text: string) => percentEncode(percentEncode(text).replaceAll('%20', '+'));
      yield { change: { encode: spaced } };
      yield { change: { encode: (text) => percentEncode(encodeURI(text.toWellFormed())) }, rare: true };
      yield { change: { encode: (text) => percentEncode(encodeURIComponent(text.toWellFormed())) }, rare: true };
    },
  },
  {
    id: 'values_not_encoded',
    *variants({ characters }) {
      if (!percentEncode([...characters].join('')).includes('%')) return;
      yield { change: { encode: same } };
      const decode = (encoded: string) => percentDecode(encoded) ?? encoded;
      for (const respell of scoped(decode)) yield { change: { respell } };
    },
  },
  {
    id: 'utf8_twice',
    *variants({ characters }) {
      if ([...characters].every((character) => character < '\u0080')) return;
      for (const table of ['', WINDOWS]) {
        yield { change: { encode: (text) => percentEncode(asText(utf8Bytes(text), table)) } };
      }
      for (const codeOf of [latin1Code, windowsCode]) {
        yield { change: { encode: (text) => encodeOnceLess(text, codeOf) } };
      }
    },
  },
  {
    id: 'text_not_utf8',
    *variants({ characters }) {
      if ([...characters].every((character) => character < '\u0080')) return;
      yield { change: { encode: (text) => encodeBytes(text, latin1Code) } };
      yield { change: { encode: (text) => encodeBytes(text, windowsCode) } };
      yield { change: { encode: (text) => encodeBytes(text, (character) => codeBelow(character, 0x80)) } };
      yield { change: { encode: escapeText }, rare: true };
    },
  },
];

function decodedPair({ name, value, place }: SourcePair): SourcePair {
  return { name: percentDecode(name) ?? name, value: percentDecode(value) ?? value, place };
}

/** Yields a different spelling of names and values only, of the parts of the base string too, or of the latter only. */
function* respelled(respell: Encoder, detail?: string): Generator<Variant> {
  const note = detail === undefined ? {} : { detail };
  yield { change: { respell }, ...note };
  yield { change: { respell, respellParts: respell }, ...note };
  yield { change: { respellParts: respell }, ...note, rare: true };
}

/** Returns a spelling for the protocol's parameters only, and one for all others only. */
function scoped(encoder: Encoder): readonly ((encoded: string, source: SourcePair) => string)[] {
  return [
    (encoded, source) => (isProtocol(source) ? encoded : encoder(encoded)),
    (encoded, source) => (isProtocol(source) ? encoder(encoded) : encoded),
  ];
}

/** Yields a spelling for each set of characters, as far as they occur in the request, without duplicates. */
function* respelledSets(
  { characters, standard }: Evidence,
  sets: readonly string[],
  spelling: (characters: string) => Encoder,
): Generator<Variant> {
  const inParts = new Set([...characters, ...standard.origin, ...standard.path, '&', '=']);
  const seen = new Set<string>();
  for (const set of sets) {
    const inner = [...set].filter((character) => characters.has(character)).join('');
    const outer = [...set].filter((character) => inParts.has(character)).join('');
    if (outer === '' || seen.has(`${inner} ${outer}`)) continue;
    seen.add(`${inner} ${outer}`);
    const change = spelling(set);
    if (inner !== '') {
      yield { change: { respell: change } };
      yield { change: { respell: change, respellParts: change } };
    }
    // Functions for whole URLs, or paths, are also used for the last encoding alone.
    if (inner === '') yield { change: { respellParts: change } };
    else if (set.length > 4 || set.includes('/')) yield { change: { respellParts: change }, rare: true };
  }
}

/** Creates each encoder once: there are few sets, and creating a pattern is costly. */
function cached(make: (characters: string) => Encoder): (characters: string) => Encoder {
  const made = new Map<string, Encoder>();
  return (characters) => {
    let encoder = made.get(characters);
    if (encoder === undefined) {
      encoder = make(characters);
      made.set(characters, encoder);
    }
    return encoder;
  };
}

/** Decodes some characters again. */
const leaving = cached((characters) => {
  const raw = new Map([...characters].map((character) => [percentEncode(character), character]));
  const pattern = new RegExp([...raw.keys()].map((hex) => hex.replace(/\W/g, '\\$&')).join('|'), 'g');
  return (encoded) => encoded.replace(pattern, (hex) => raw.get(hex) ?? hex);
});

/** Encodes some unreserved characters too. */
const encodingAlso = cached((characters) => {
  const pattern = new RegExp(`[${characters.replace(/\W/g, '\\$&')}]`, 'g');
  return (encoded) => encoded.replace(pattern, hexOf);
});

function hexOf(character: string): string {
  return hexOfByte(character.charCodeAt(0));
}

function hexOfByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function codeBelow(character: string, limit: number): number | undefined {
  const code = character.codePointAt(0) ?? limit;
  return code < limit ? code : undefined;
}

function latin1Code(character: string): number | undefined {
  return codeBelow(character, 0x100);
}

function windowsCode(character: string): number | undefined {
  const index = WINDOWS.indexOf(character);
  return index === -1 ? latin1Code(character) : 0x80 + index;
}

/** Percent-encodes text in a single-byte character set, with `?` for characters that it lacks. */
function encodeBytes(text: string, codeOf: (character: string) => number | undefined): string {
  let encoded = '';
  for (const character of text) {
    const code = codeOf(character) ?? 0x3f;
    encoded += code < 0x80 ? percentEncode(String.fromCharCode(code)) : hexOfByte(code);
  }
  return encoded;
}

/** Returns the text whose UTF-8 bytes were taken for text, encoded once; other text unchanged. */
function encodeOnceLess(text: string, codeOf: (character: string) => number | undefined): string {
  for (const character of text) if (codeOf(character) === undefined) return percentEncode(text);
  const bytes = encodeBytes(text, codeOf);
  return percentDecode(bytes) === undefined ? percentEncode(text) : bytes;
}

function utf8Bytes(text: string): readonly number[] {
  const bytes: number[] = [];
  const encoded = percentEncode(text);
  for (let at = 0; at < encoded.length; at += 1) {
    const isHex = encoded[at] === '%';
    bytes.push(isHex ? Number.parseInt(encoded.slice(at + 1, at + 3), 16) : encoded.charCodeAt(at));
    if (isHex) at += 2;
  }
  return bytes;
}

/** Decodes bytes in a single-byte character set; `table` contains its differences from Latin-1, from 0x80 on. */
function asText(bytes: readonly number[], table: string): string {
  return bytes.map((byte) => (byte < 0x80 ? '' : table[byte - 0x80]) || String.fromCharCode(byte)).join('');
}

/** Encodes text like JavaScript's deprecated `escape`. */
function escapeText(text: string): string {
  let encoded = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const code = text.charCodeAt(at);
    if (/[A-Za-z0-9@*_+\-./]/.test(character)) encoded += character;
    else encoded += code < 0x100 ? hexOfByte(code) : `%u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return encoded;
}
