/** Calls the actions of the platform over the adapter of a scenario: REST of the control interface, or its tRPC. */
import { parseJson } from '@broadside/core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Stage } from './scenario.ts';

/** The token of the operator in worlds of such scenarios. */
export const OPERATOR_TOKEN = 'the-operator-of-these-tests';

const Changed = z.object({ entity: z.string(), id: z.string(), after: z.record(z.string(), z.unknown()) });
const Outcome = z.object({
  changed: z.array(Changed),
  user_ids: z.array(z.string()).default([]),
  generated: z.number().default(0),
});
const Errors = z.array(z.object({ code: z.string(), parameter: z.string().optional(), message: z.string() }).loose());
const Rest = z.object({ data: Outcome.optional(), errors: Errors.optional() });
const Trpc = z.object({
  result: z.object({ data: Outcome }).optional(),
  error: z.object({ data: z.object({ errors: Errors }) }).optional(),
});

/** Amounts are of any size, which JSON writes as numbers, and tRPC in a form of its own. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('$bigint' in value) return Number(value.$bigint);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

type Params = Readonly<Record<string, unknown>>;

/** An answer of an action. */
export interface Acted {
  readonly status: number;
  readonly data: z.output<typeof Outcome> | undefined;
  readonly errors: z.output<typeof Errors>;
}

/** Calls an action in the world of a scenario, on its account in the sandbox unless the parameters say otherwise. */
export async function act(
  { world, adapter }: Pick<Stage, 'world' | 'adapter'>,
  verb: string,
  params: Params,
): Promise<Acted> {
  if (adapter.name === 'trpc') {
    const answer = await world.control('POST', `/trpc/control.actions.${verb}`, { world_id: 'default', ...params });
    const { result, error } = Trpc.parse(plain(parseJson(answer.text)));
    return { status: answer.status, data: result?.data, errors: error?.data.errors ?? [] };
  }
  const answer = await world.control('POST', `/worlds/default/actions/${verb}`, params);
  const { data, errors = [] } = Rest.parse(plain(parseJson(answer.text)));
  return { status: answer.status, data, errors };
}

/** Calls an action on the account of a scenario, which must succeed. @returns what it changed, by kind */
export async function acted(
  stage: Pick<Stage, 'world' | 'adapter'> & { readonly account_id?: string },
  verb: string,
  params: Params,
): Promise<NonNullable<Acted['data']>> {
  const { data, errors } = await act(stage, verb, params);
  expect(errors, `${verb} ${JSON.stringify(params)}`).toEqual([]);
  if (!data) throw new TypeError(`${verb} gave no data`);
  return data;
}

/** The account of a scenario as parameters of an action. */
export function onAccount({ account_id }: Pick<Stage, 'account_id'>): Params {
  return { environment: 'sandbox', account_id };
}
