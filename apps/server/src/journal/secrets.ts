/** Leaves secrets out of what the journal shows: by what the contract says of a parameter, and by the names that secrets have. */
import { type AnyOperation, wireTypeOf } from '@broadside/core';

/** Stands in place of a secret. */
export const LEFT_OUT = '[left out]';

const SECRET_NAME =
  /^(?:oauth_|x_auth_)|secret|password|^(?:access_token|bearer_token|refresh_token|id_token|authorization|email|phone_numbers)$/i;

/** Bytes of media in a body of text. */
const BYTES_NAME = /^media(?:_data)?$/;

/** The parameters of a call without secrets; texts of media as their length. */
export function withoutSecrets(
  { params: schema }: Pick<AnyOperation, 'params'>,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) {
    const member = schema.shape[name];
    const isSecret = member !== undefined && wireTypeOf(member)?.secret === true;
    shown[name] = isSecret ? LEFT_OUT : shownMember(name, value);
  }
  return shown;
}

function shownMember(name: string, value: unknown): unknown {
  if (SECRET_NAME.test(name)) return LEFT_OUT;
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

/** A query or a form without secrets. */
export function formWithoutSecrets(form: string): string {
  const pairs = form.split('&').map((pair) => {
    const mark = pair.indexOf('=');
    if (mark === -1) return pair;
    const name = decoded(pair.slice(0, mark));
    if (SECRET_NAME.test(name)) return `${pair.slice(0, mark)}=${LEFT_OUT}`;
    return BYTES_NAME.test(name) ? `${pair.slice(0, mark)}=${bytesText(pair.length - mark - 1)}` : pair;
  });
  return pairs.join('&');
}

/** An address without the secrets of its query. */
export function addressWithoutSecrets(address: string): string {
  const mark = address.indexOf('?') + 1;
  return mark === 0 ? address : address.slice(0, mark) + formWithoutSecrets(address.slice(mark));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

/** A member of JSON, whose text need not be whole. */
const MEMBER = /"((?:[^"\\]|\\.){1,100})"(\s*:\s*)("(?:[^"\\]|\\.)*"?|\[[^\]]*\]?)/g;

/** A protocol parameter in a base string, in which it is encoded once more. */
const IN_BASE_STRING = /(oauth_(?:token|verifier|signature)(?:%3D|=))[^%&"',\s]+/g;

function textWithoutSecrets(text: string): string {
  return text.replace(IN_BASE_STRING, `$1${LEFT_OUT}`);
}

/** A body without secrets, which may be JSON or a form, and may have been cut off. */
export function bodyWithoutSecrets(body: string): string {
  if (!/^\s*[[{]/.test(body)) return /^[\w%.+*-]+=/.test(body) ? formWithoutSecrets(body) : body;
  return textWithoutSecrets(body).replace(MEMBER, (whole, name: string, colon: string) =>
    SECRET_NAME.test(name) ? `"${name}"${colon}"${LEFT_OUT}"` : whole,
  );
}
