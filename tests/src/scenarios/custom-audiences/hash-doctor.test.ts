/** Warnings about hashes in development mode; the guide on hashing. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();
const inProduction = scenarios({ mode: 'production' });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const ACTOR = { user_id: null, platform: 'SERVER' } as const;
let serial = 0;

/** A person of the platform with an address, by the part of it before the @. */
async function person({ world }: Stage): Promise<string> {
  const name = `nora.finch.${++serial}`;
  await world.platform.identity.users.create(ACTOR, {
    screen_name: `Nora_Finch_${serial}`,
    name: 'Nora',
    password: null,
    traits: { email: `${name}@example.com`, phone_numbers: [`+150055501${10 + serial}`] },
  });
  return name;
}

const operations = (name: string) => [
  { operation_type: 'Update', params: { users: [{ email: [sha256(`${name}@example.com`)] }] } },
  {
    operation_type: 'Delete',
    params: {
      users: [
        { partner_user_id: ['1'] },
        { email: [sha256(`${name}@example.com`), sha256(`${name.toUpperCase()}@EXAMPLE.COM`).toUpperCase()] },
        { phone_number: [sha256(`${name}@example.com`)] },
      ],
    },
  },
];

async function send(stage: Stage, name: string): Promise<unknown> {
  const { id } = await stage.one('custom_audiences.create', { name: 'People' });
  return stage.ok('custom_audiences.users', { custom_audience_id: id, operations: operations(name) } as never);
}

scenario('B-USERS-DOCTOR', async (stage) => {
  const name = await person(stage);
  const data = await send(stage, name);
  expect(data).toEqual({
    success_count: 4,
    total_count: 4,
    warning_count: 2,
    warnings: [
      {
        operation: 1,
        user: 1,
        field: 'email',
        index: 1,
        mistake: 'capitals',
        message: expect.stringMatching(/^The identifier has capital letters\. Turn /),
      },
      {
        operation: 1,
        user: 2,
        field: 'phone_number',
        index: 0,
        mistake: 'wrong_field',
        message: expect.stringMatching(/^This is the hash of an identifier of another kind\. /),
      },
    ],
  });
  expect(JSON.stringify(data)).not.toContain(name);
  expect(JSON.stringify(data)).not.toMatch(/[0-9a-f]{16}/i);
});

scenario('B-LIST-USERS-DOCTOR', async (stage) => {
  const name = await person(stage);
  const { id } = await stage.one('do_not_reach_lists.create');
  const users = (text: string) => ({
    operation_type: 'Update',
    params: { users: [{ email: [sha256(`${name}@example.com`), sha256(text)] }] },
  });
  const sent = { do_not_reach_list_id: id, operations: [users('a'), users(`"${name}@example.com"`)] };
  expect(await stage.ok('do_not_reach_lists.users', sent as never)).toEqual([
    { success_count: 1, total_count: 1 },
    {
      success_count: 1,
      total_count: 1,
      warning_count: 1,
      warnings: [expect.objectContaining({ operation: 1, user: 0, field: 'email', index: 1, mistake: 'quotes_kept' })],
    },
  ]);
});

inProduction('B-USERS-DOCTOR-MODE', async (stage) => {
  expect(await send(stage, await person(stage))).toEqual({ success_count: 4, total_count: 4 });
});
