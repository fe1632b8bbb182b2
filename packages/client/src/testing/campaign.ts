import { contract, stringifyJson } from '@broadside/core';
import type { FakeAnswer } from './fake-server.ts';

/** Returns a campaign as the server sends it. */
export function campaign(members: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { ...contract.campaigns.get.example.data, ...members };
}

/** A successful response. */
export function answer(data: unknown, more: Readonly<Record<string, unknown>> = {}): FakeAnswer {
  return { body: stringifyJson({ request: { params: {} }, data, ...more }) };
}

/** A page of campaigns named by their ids. */
export function page(
  ids: readonly string[],
  next_cursor: string | null,
  more: Readonly<Record<string, unknown>> = {},
): FakeAnswer {
  return answer(
    ids.map((id) => campaign({ id })),
    { next_cursor, ...more },
  );
}

/** A rejection for one reason. */
export function refusal(status: number, code: string, headers: Readonly<Record<string, string>> = {}): FakeAnswer {
  const errors = [{ code, message: `because of ${code}` }];
  return { status, headers, body: stringifyJson({ errors, request: { params: {} } }) };
}
