/** A signed request as a curl command. The client makes it as always; only what would send it is replaced. */
import type { RawRequest } from '@broadside/client';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { openSession } from '../session.ts';
import { shellWord } from '../text.ts';

/** Headers that curl sends of itself, or that no server looks at. */
const LEFT_OUT = new Set(['user-agent', 'accept-encoding', 'content-length']);

/** Signs a request and returns the command that sends it. */
export async function curlOf(io: Io, flags: FlagValues, request: RawRequest): Promise<string> {
  let line = '';
  const fetch: Io['fetch'] = async (url, init) => {
    line = lineOf(url, init);
    return new Response('{}');
  };
  const { client } = await openSession({ ...io, fetch }, flags);
  await client.request(request, { retry: false });
  return line;
}

function lineOf(url: string, { method = 'GET', headers, body }: RequestInit): string {
  const parts = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${shellWord(url)}`];
  for (const [name, value] of new Headers(headers)) {
    if (!LEFT_OUT.has(name)) parts.push(`-H ${shellWord(`${name}: ${value}`)}`);
  }
  if (typeof body === 'string') parts.push(`--data-raw ${shellWord(body)}`);
  return parts.join(' \\\n  ');
}
