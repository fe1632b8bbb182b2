/** Bodies of errors, in the words of a dialect. */
import { parseJson, stringifyJson } from '../wire/json.ts';
import { show } from '../wire/show.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The words of what was sent. */
export interface SentWords {
  /** The value of a parameter as an error repeats it. */
  readonly showValue: (name: string, value: unknown) => unknown;
  /** `request`, or its `params`. */
  readonly showEcho: (echo: unknown) => unknown;
  /** A part of sentences that stays as it is. */
  readonly stays?: string | undefined;
}

/** Members whose values are names. */
const NAMING: ReadonlySet<string> = new Set(['parameter', 'attribute', 'field', 'resource_type', 'label']);

/** Members that are sentences, or words of one. */
const SENTENCES: ReadonlySet<string> = new Set(['message', 'details', 'detail']);

/**
 * Paths, words in quotes, and other words. Of these, the ones with an underscore or a dot in them are names or values and nothing else, and
 * those in capitals values or methods; another plain word can be one of the sentence.
 */
const TOKEN = /(?:\/[\d.]+(?:\/:?\w[\w.]*)+)|(["`])\w[\w.]*\1|\w+(?:\.\w+)*/g;

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns a sentence with the names and values in it in the words of the dialect. */
export function sentenceOut(text: string, vocabulary: Vocabulary): string {
  return text.replace(TOKEN, (token) => {
    if (token.startsWith('/')) return pathOut(token, vocabulary);
    const quote = token.startsWith('"') || token.startsWith('`') ? token.slice(0, 1) : '';
    if (quote !== '') return quote + vocabulary.valueOut(token.slice(1, -1)) + quote;
    return /[_.]|^[A-Z]{2,}$/.test(token) && !METHODS.has(token) ? vocabulary.valueOut(token) : token;
  });
}

/** Returns a path with its parts in the words of the dialect; parameters are written `:name`. */
function pathOut(path: string, vocabulary: Vocabulary): string {
  return path
    .split('/')
    .map((part) => (part.startsWith(':') ? `:${vocabulary.nameOut(part.slice(1))}` : vocabulary.nameOut(part)))
    .join('/');
}

/** Returns the body of an error in the words of the dialect. `diagnosis` is about the request as it was sent, and stays. */
export function failureOut(body: string, vocabulary: Vocabulary, sent: SentWords): string {
  const read = parseJson(body);
  if (!isRecord(read)) return body;
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(read)) {
    if (name === 'errors' && Array.isArray(value))
      written[name] = value.map((each) => entryOut(each, vocabulary, sent));
    else if (name === 'operation_errors' && Array.isArray(value)) {
      written[name] = value.map((each: unknown) =>
        Array.isArray(each) ? each.map((entry) => entryOut(entry, vocabulary, sent)) : each,
      );
    } else if (name === 'request') written[name] = sent.showEcho(value);
    else if (name === 'detail' && typeof value === 'string') written[name] = sentenceOut(value, vocabulary);
    else written[name] = value;
  }
  return stringifyJson(written);
}

/** One error, or one problem of a lookup. */
export function entryOut(entry: unknown, vocabulary: Vocabulary, sent: Omit<SentWords, 'showEcho'>): unknown {
  if (!isRecord(entry)) return entry;
  const { parameter, parameters, value, code, resource_type } = entry;
  const showValue = (name: unknown, of: unknown) => (typeof name === 'string' ? sent.showValue(name, of) : of);
  // What was sent is repeated in sentences, and is no name there.
  const repeated = isRecord(parameters)
    ? Object.entries(parameters).flatMap(([name, values]) =>
        (Array.isArray(values) ? values : []).map((each): Repeated => [each, showValue(name, each)]),
      )
    : [[value, showValue(parameter, value)] as const];
  const written: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(entry)) {
    if (name === 'value') written[name] = showValue(parameter, member);
    else if (name === 'parameters' && isRecord(member)) {
      written[name] = Object.fromEntries(
        Object.entries(member).map(([each, values]) => [
          vocabulary.nameOut(each),
          Array.isArray(values) ? values.map((of) => showValue(each, of)) : values,
        ]),
      );
    } else if (typeof member !== 'string') written[name] = member;
    else if (NAMING.has(name)) written[name] = placeOut(member, vocabulary);
    else if (SENTENCES.has(name)) written[name] = around(sent.stays, member, vocabulary, repeated);
    else written[name] = member;
  }
  if (typeof code === 'string') written['code'] = vocabulary.valueOut(code);
  if (typeof parameter === 'string' && /^\w+$/.test(parameter) && typeof written['message'] === 'string') {
    // The sentence has a plain name of a parameter as its object.
    const object = new RegExp(`\\bfor ${parameter}\\b`);
    written['message'] = written['message'].replace(object, `for ${vocabulary.nameOut(parameter)}`);
  }
  if (typeof resource_type === 'string' && typeof written['detail'] === 'string') {
    // The sentence has the kind of resource as a plain word, once.
    const kind = new RegExp(`\\b${resource_type}\\b`);
    written['detail'] = written['detail'].replace(kind, vocabulary.nameOut(resource_type));
  }
  return written;
}

/** Returns a place such as `params.users[0].post_id` with its names in the words of the dialect. */
function placeOut(place: string, vocabulary: Vocabulary): string {
  return place.replace(/\w+(?:\.\w+)*/g, (names) => vocabulary.nameOut(names));
}

/** Translates a sentence around a part that stays. */
function around(
  stays: string | undefined,
  text: string,
  vocabulary: Vocabulary,
  repeated: readonly Repeated[],
): string {
  const at = stays ? text.indexOf(stays) : -1;
  if (!stays || at === -1) return sentence(text, vocabulary, repeated);
  const [before, after] = [text.slice(0, at), text.slice(at + stays.length)];
  return sentence(before, vocabulary, repeated) + stays + sentence(after, vocabulary, repeated);
}

/** A value that was sent: in the words of the interface, and in those of the dialect. */
type Repeated = readonly [ours: unknown, theirs: unknown];

/** Translates a sentence, in which values that were sent stand as they were sent. */
function sentence(text: string, vocabulary: Vocabulary, [first, ...others]: readonly Repeated[]): string {
  if (first === undefined) return sentenceOut(text, vocabulary);
  const [ours, theirs] = first;
  if (ours === undefined || ours === '') return sentence(text, vocabulary, others);
  return text
    .split(show(ours))
    .map((part) => sentence(part, vocabulary, others))
    .join(show(theirs));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
