/** Leaves secrets out of what the journal shows: by what the contract says of a parameter, and by the names that secrets have. */
import { type AnyOperation, wireTypeOf } from '@broadside/core';
import { LEFT_OUT } from '@broadside/core/resources/control/journal';
import { identifierFields } from '@broadside/core/resources/users';

const SECRET_NAME =
  /^(?:oauth_|x_auth_)|secret|password|^(?:access_token|bearer_token|refresh_token|id_token|authorization)$/i;

/** People are known by them wherever they stand, such as in an export. */
const identifiers: ReadonlySet<string> = new Set(identifierFields);

/** Bytes of media in a body of text. */
const BYTES_NAME = /^media(?:_data)?$/;

const NONE: ReadonlySet<string> = new Set();

function isSecretName(name: string, secret: ReadonlySet<string>): boolean {
  return secret.has(name) || identifiers.has(name) || SECRET_NAME.test(name);
}

const known = new WeakMap<object, ReadonlySet<string>>();

/** The names of the parameters of an operation that are secret by the contract. */
export function secretParams({ params }: Pick<AnyOperation, 'params'>): ReadonlySet<string> {
  let names = known.get(params);
  if (names === undefined) {
    const secret = Object.entries(params.shape).filter(([, member]) => wireTypeOf(member)?.secret === true);
    names = new Set(secret.map(([name]) => name));
    known.set(params, names);
  }
  return names;
}

/** The parameters of a call without secrets; texts of media as their length. */
export function withoutSecrets(
  operation: Pick<AnyOperation, 'params'>,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const secret = secretParams(operation);
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shownMember(name, value, secret)]));
}

function shownMember(name: string, value: unknown, secret = NONE): unknown {
  if (isSecretName(name, secret)) return LEFT_OUT;
  if (BYTES_NAME.test(name) && typeof value === 'string') return bytesText(value.length);
  return shownValue(value);
}

/** A value without the members of objects in it that are called as secrets are; times as text. */
export function shownValue(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return bytesText(value.length);
  if (typeof value === 'string') return textWithoutSecrets(value);
  if (Array.isArray(value)) return value.map(shownValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shownMember(name, member)]));
}

function bytesText(length: number): string {
  return `[${length} characters]`;
}

/** A query or a form without secrets. @param secret names of parameters that are secret, beside the usual ones */
export function formWithoutSecrets(form: string, secret: ReadonlySet<string> = NONE): string {
  const pairs = form.split('&').map((pair) => {
    const mark = pair.indexOf('=');
    if (mark === -1) return pair;
    const name = decoded(pair.slice(0, mark));
    if (isSecretName(name, secret)) return `${pair.slice(0, mark)}=${LEFT_OUT}`;
    if (BYTES_NAME.test(name)) return `${pair.slice(0, mark)}=${bytesText(pair.length - mark - 1)}`;
    const value = decoded(pair.slice(mark + 1));
    // As the input of a procedure.
    const shown = isJson(value) ? jsonWithoutSecrets(value, secret) : value;
    return shown === value ? pair : `${pair.slice(0, mark)}=${encodeURIComponent(shown)}`;
  });
  return pairs.join('&');
}

/** An address without the secrets of its query. */
export function addressWithoutSecrets(address: string): string {
  const mark = address.indexOf('?') + 1;
  return mark === 0 ? address : address.slice(0, mark) + formWithoutSecrets(address.slice(mark));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A protocol parameter in a base string, in which it is encoded once more. */
const IN_BASE_STRING = /(oauth_(?:token|verifier|signature)(?:%3D|=))[^%&"',\s]+/g;

function textWithoutSecrets(text: string): string {
  return text.replace(IN_BASE_STRING, `$1${LEFT_OUT}`);
}

/**
 * A body without secrets, which may be JSON or a form, and may have been cut off.
 * @param secret names of members that are secret, beside the usual ones
 */
export function bodyWithoutSecrets(body: string, secret: ReadonlySet<string> = NONE): string {
  if (isJson(body)) return jsonWithoutSecrets(textWithoutSecrets(body), secret);
  return /^[\w%.+*-]+=/.test(body) ? formWithoutSecrets(body, secret) : body;
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** A text in JSON, whose end may be missing, and the colon behind it where it is a name. */
const TEXT = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)(?:"(\s*:\s*)?|\\?$)/g;
/** Values that say nothing. */
const LITERAL = /(?:true|false|null)\b/y;

/** JSON, whose end may be missing, without the values of members that are called as secrets are. The rest is as it was sent. */
function jsonWithoutSecrets(json: string, secret: ReadonlySet<string>): string {
  let shown = '';
  let from = 0;
  for (const { 0: text, 1: name = '', 2: colon, index } of json.matchAll(TEXT)) {
    // One inside of a secret value is behind where the rest begins.
    if (index < from || colon === undefined || !isSecretName(unescaped(name), secret)) continue;
    const value = index + text.length;
    LITERAL.lastIndex = value;
    if (LITERAL.test(json)) continue;
    shown += `${json.slice(from, value)}"${LEFT_OUT}"`;
    from = endOfValue(json, value);
  }
  return shown + json.slice(from);
}

function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}

const PART = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|[[\]{},]|[^"[\]{},]+/g;

/** The end of a value that begins at a place. */
function endOfValue(json: string, from: number): number {
  let depth = 0;
  const parts = json.slice(from).matchAll(PART);
  for (const { 0: part, index } of parts) {
    const isEnd = part === ']' || part === '}';
    if (depth === 0 && (isEnd || part === ',')) return from + index;
    if (isEnd) depth--;
    else if (part === '[' || part === '{') depth++;
  }
  return json.length;
}
