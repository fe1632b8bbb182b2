import { expect, test } from 'vitest';
import { Jobs } from '../jobs/jobs.ts';
import { guardedCall } from './guarded-call.ts';
import { clock, database, useAudienceWorld } from './testing/audience-world.ts';

useAudienceWorld();

test('a job stands before a call, for later, and after it, for now', async () => {
  const jobs = new Jobs({ database, clock });
  const job = () => ({ kind: 'audience.process', subject: 'sandbox/acc/a', due_ms: clock.now() + 1000 });
  const overdue = async () => (await jobs.waiting()).map(({ count, overdue_ms }) => ({ count, overdue_ms }));
  const result = await guardedCall({ database, jobs }, job, async () => {
    clock.advance(2000);
    // Another process that looks now finds nothing to do, and nothing to remove.
    expect(await overdue()).toEqual([{ count: 1, overdue_ms: 0 }]);
    expect(await jobs.has('audience.process', 'sandbox/acc/a')).toBe(false);
    return 'done';
  });
  expect(result).toBe('done');
  clock.advance(1000);
  expect(await overdue()).toEqual([{ count: 1, overdue_ms: 0 }]);
  clock.advance(500);
  expect(await overdue()).toEqual([{ count: 1, overdue_ms: 500 }]);
  expect(await jobs.has('audience.process', 'sandbox/acc/a')).toBe(true);
});

test('a call that fails may have been done, so its job stays', async () => {
  const jobs = new Jobs({ database, clock });
  const job = () => ({ kind: 'audience.process', subject: 'sandbox/acc/a', due_ms: clock.now() });
  const failed = guardedCall({ database, jobs }, job, () => Promise.reject(new Error('unknown')));
  await expect(failed).rejects.toThrow('unknown');
  expect(await jobs.waiting()).toEqual([{ kind: 'audience.process', count: 1, overdue_ms: 0 }]);
});
