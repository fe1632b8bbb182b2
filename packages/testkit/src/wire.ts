/** URLs, methods, headers and bodies of requests that reach the listeners in process. */
import { parseJson } from '@broadside/core';

/** A URL object or a Request may have normalized the URL; a string is exactly as signed by the caller. */
export function urlAsGiven(input: Parameters<typeof globalThis.fetch>[0]): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'] as const;

export function isMethod(method: string): method is (typeof methods)[number] {
  return methods.some((name) => name === method);
}

export function hostOf(url: string): { readonly host?: string } {
  const host = /^[a-z]+:\/\/([^/?#]+)/.exec(url)?.[1];
  return host === undefined ? {} : { host };
}

export function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\?.*$/s, '');
}

export function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

export function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
