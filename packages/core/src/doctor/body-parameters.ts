/** Parameters that signers take from bodies that no signature covers. */

import type { Pair } from '../auth/percent.ts';
import { readJson } from '../wire/json-bounds.ts';

/** The way in which a language writes JSON values other than strings when it converts them to text. */
interface Spelling {
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
}

const PLAIN: Spelling = { yes: 'true', no: 'false', nothing: 'null' };
const SPELLINGS: readonly Spelling[] = [
  PLAIN,
  { yes: 'true', no: 'false', nothing: '' },
  { yes: 'True', no: 'False', nothing: 'None' },
  { yes: '1', no: '', nothing: '' },
];

/** Derives the name of a member of an object or list from the name of its container. */
type Naming = (outer: string, inner: string, inList: boolean) => string;

const NAMINGS: readonly Naming[] = [
  (outer, inner) => `${outer}[${inner}]`,
  (outer, inner, inList) => (inList ? `${outer}[]` : `${outer}[${inner}]`),
  (outer, inner, inList) => (inList ? outer : `${outer}.${inner}`),
  (outer, inner) => `${outer}.${inner}`,
];

/** Deeper values are skipped. */
const MAX_DEPTH = 8;
const MAX_PARAMETERS = 1000;
/** Longer bodies are not looked into: a mistake in signing shows with a short one too. */
const MAX_JSON_LENGTH = 50_000;

/**
 * Yields the parameters that a JSON body can be taken for, one list for each way of flattening; none when it is not an
 * object.
 */
export function* jsonParameters(body: string): Generator<readonly Pair[]> {
  const read = body.length > MAX_JSON_LENGTH ? undefined : readJson(body);
  if (!read?.ok || !isRecord(read.value)) return;
  const members = Object.entries(read.value).slice(0, MAX_PARAMETERS);
  for (const spelling of SPELLINGS) {
    yield members.map(([name, member]): Pair => [name, textOf(member, spelling)]);
  }
  if (!members.some(([, member]) => isHolder(member))) return;
  yield members.map(([name, member]): Pair => {
    return [name, Array.isArray(member) ? member.map((each) => textOf(each)).join(',') : textOf(member)];
  });
  for (const naming of NAMINGS) {
    const pairs: Pair[] = [];
    for (const [name, member] of members) flatten(name, member, naming, PLAIN, pairs, 0);
    yield pairs;
  }
  yield members.filter(([, member]) => !isHolder(member)).map(([name, member]): Pair => [name, write(member, PLAIN)]);
}

function flatten(name: string, value: unknown, naming: Naming, spelling: Spelling, pairs: Pair[], depth: number): void {
  if (pairs.length === MAX_PARAMETERS || depth > MAX_DEPTH) return;
  if (!isHolder(value)) {
    pairs.push([name, write(value, spelling)]);
    return;
  }
  const inList = Array.isArray(value);
  for (const [inner, member] of Object.entries(value)) {
    flatten(naming(name, inner, inList), member, naming, spelling, pairs, depth + 1);
  }
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isHolder(value) && !Array.isArray(value);
}

function write(value: unknown, { yes, no, nothing }: Spelling): string {
  if (value === null) return nothing;
  if (typeof value === 'boolean') return value ? yes : no;
  return String(value);
}

function textOf(value: unknown, spelling: Spelling = PLAIN): string {
  return isHolder(value) ? jsonText(value) : write(value, spelling);
}

/** Writes JSON with long whole numbers, which are read as bigint, a type that JSON cannot represent. */
function jsonText(value: object): string {
  return JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? Number(member) : member));
}

/** A field of a multipart body. */
export interface MultipartField {
  readonly name: string;
  readonly value: string;
  readonly isFile: boolean;
}

/** Parses the fields of a multipart body (RFC 7578), as far as possible; parts without a name are skipped. */
export function multipartFields(contentType: string, body: string): readonly MultipartField[] {
  const boundary = /;[ \t]*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  const delimiter = boundary?.[1] ?? boundary?.[2];
  if (delimiter === undefined) return [];
  const fields: MultipartField[] = [];
  for (const part of body.split(`--${delimiter}`).slice(1)) {
    const end = /\r?\n\r?\n/.exec(part);
    if (end === null || part.startsWith('--')) continue;
    const head = part.slice(0, end.index);
    const name = /[;\s]name="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) continue;
    const value = part.slice(end.index + end[0].length).replace(/\r?\n$/, '');
    fields.push({ name, value, isFile: /[;\s]filename\*?=/i.test(head) });
  }
  return fields;
}
