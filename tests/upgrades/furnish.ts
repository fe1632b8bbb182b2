/** What a server of any version is given beside its demo before a fixture is made of it, and what it answers then. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { credentialsIn, type DemoCredentials, send } from './client.ts';
import type { Fixture } from './fixture.ts';

/** People who are added to the audience. */
const PEOPLE = 300;

const entity = z.object({ data: z.object({ id: z.string() }) });
const list = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Writes what a demo does not have; an operation that the version lacks is left out. @throws Error where another one fails */
export async function furnish(directory: string): Promise<Pick<Fixture, 'audience' | 'world'>> {
  const credentials = credentialsIn(directory);
  const account = `/12/accounts/${credentials.sandbox_account_id}`;
  const write = async (to: string, query: Readonly<Record<string, string>>, json?: unknown) => {
    const request = { method: 'POST', path: `${account}/${to}`, query };
    const { status, body } = await send(credentials, json === undefined ? request : { ...request, json });
    if (status === 404) return undefined;
    if (status >= 300) throw new Error(`POST ${to} was answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const [funding] = list.parse((await send(credentials, { path: `${account}/funding_instruments` })).body).data;
  if (!funding) throw new Error('the demo has no funding instrument');
  await write('campaigns', {
    name: 'Before the upgrade',
    funding_instrument_id: funding.id,
    daily_budget_amount_local_micro: '5000000',
    entity_status: 'PAUSED',
  });
  await write('draft_posts', { text: 'A draft of an earlier version', as_user_id: credentials.user_id });
  const made = await write('custom_audiences', { name: 'Readers of an earlier version' });
  if (made === undefined) return { audience: null, world: null };
  const { id } = entity.parse(made).data;
  const users = Array.from({ length: PEOPLE }, (_, n) => ({
    email: [createHash('sha256').update(`reader${n}@example.com`).digest('hex')],
  }));
  await write(`custom_audiences/${id}/users`, {}, [{ operation_type: 'Update', params: { users } }]);
  return { audience: { id, keys: PEOPLE }, world: await makeWorld(directory) };
}

/** Makes another world by the control of a server, where there is one. */
async function makeWorld(directory: string): Promise<string | null> {
  const file = path.join(directory, 'server.json');
  const { control_url } = existsSync(file)
    ? z.object({ control_url: z.string().optional() }).parse(JSON.parse(readFileSync(file, 'utf8')))
    : {};
  if (control_url === undefined) return null;
  const token = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
  const answer = await fetch(`${control_url}/worlds`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'earlier', from: { empty: true } }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the world was not made: ${text}`);
  return entity.parse(JSON.parse(text)).data.id;
}

const document = z.object({
  paths: z.record(
    z.string(),
    z.object({
      parameters: z.array(z.unknown()).optional(),
      get: z
        .object({
          parameters: z
            .array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() }))
            .optional(),
        })
        .optional(),
    }),
  ),
});

/** Reads all lists of an account that need no further parameter, in both environments, and the posts of the demo. */
export async function readAll(directory: string): Promise<Fixture['answers']> {
  const credentials = credentialsIn(directory);
  const answers: { request: Fixture['answers'][number]['request']; body: unknown }[] = [];
  for (const request of [...(await listsOf(credentials)), postsOf(credentials)]) {
    const { status, body } = await send(credentials, request);
    if (status === 200) answers.push({ request, body: dataOf(body) });
  }
  return answers;
}

/** The part of an answer that is not about the request. */
export function dataOf(body: unknown): unknown {
  return z.object({ data: z.unknown() }).parse(body).data;
}

function postsOf({ post_ids }: DemoCredentials): { listener: 'api'; path: string } {
  return { listener: 'api', path: `/2/posts?ids=${post_ids.join(',')}` };
}

async function listsOf(credentials: DemoCredentials): Promise<Fixture['answers'][number]['request'][]> {
  const text = await (await fetch(`${credentials.ads_sandbox_base_url}/openapi.json`)).text();
  const { paths } = document.parse(JSON.parse(text));
  const simple = Object.entries(paths).flatMap(([route, { get }]) => {
    const needed = get?.parameters?.filter(({ required }) => required).map(({ name }) => name);
    return needed?.join() === 'account_id' && route.startsWith('/12/') ? [route] : [];
  });
  return simple.flatMap((route) => [
    { listener: 'ads' as const, path: route.replace('{account_id}', credentials.account_id) },
    { listener: 'sandbox' as const, path: route.replace('{account_id}', credentials.sandbox_account_id) },
  ]);
}
