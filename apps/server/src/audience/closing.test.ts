/** A world that closes while its audiences are processed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { rejectWithAny } from '@broadside/core';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { World } from '../open-world.ts';
import { customAudience } from '../resources/custom-audiences/find.ts';
import { createAudience } from '../resources/custom-audiences/writes.ts';
import { ManualClock } from '../world/clock.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;

test('a world that closes at once after its start leaves audiences to be processed by the next one, without a failure', async () => {
  const dataDirectory = temporaryDirectory();
  const clock = new ManualClock(Date.UTC(2027, 0, 15, 8));
  const first = await World.open({ dataDirectory, clock });
  const acme = { name: 'Acme', business_name: null, timezone: 'UTC', user_id: '1', features: [] };
  const { id: account_id } = await first.ads.sandbox.createAccount(ACTOR, acme);
  const { id } = await first.processing.creation(
    { environment: 'sandbox', account_id },
    () =>
      first.ads.sandbox
        .account(account_id)
        .write(ACTOR, (writer) => createAudience(rejectWithAny, writer, { name: 'Walkers' })),
    (audience) => [audience.id],
  );
  await first.close();
  clock.advance(10_000);
  const world = await World.open({ dataDirectory, clock });
  const closed = Promise.withResolvers<void>();
  const endings: unknown[] = [];
  world.jobs.watch(() => ({
    run: (work) => {
      closed.resolve(world.close());
      return nextTurn().then(work);
    },
    ended: (failure) => endings.push(failure),
  }));
  const errors: unknown[] = [];
  world.jobs.start((error) => errors.push(error));
  await closed.promise;
  expect([endings, errors]).toEqual([[undefined], []]);
  const next = await World.open({ dataDirectory, clock });
  expect(await next.jobs.waiting()).toMatchObject([{ kind: 'audience.process', overdue_ms: 9_000 }]);
  await next.jobs.runDue();
  const audience = await next.ads.sandbox.account(account_id).of(customAudience).get(id);
  expect(audience).toMatchObject({ processing: false, matched_count: 0 });
  await next.close();
});
