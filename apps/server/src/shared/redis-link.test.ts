import { execFile } from 'node:child_process';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { noRedis, RedisServer } from '@broadside/test-servers/redis';
import { expect, onTestFinished, test } from 'vitest';
import { RedisLink } from './redis-link.ts';

test.skipIf(noRedis !== undefined)('an answer that arrived while the process was stopped is not late', async () => {
  const redis = await RedisServer.start();
  onTestFinished(() => redis.close());
  const deadline_ms = 1000;
  const link = await RedisLink.open({ url: redis.url }, { deadline_ms });
  onTestFinished(() => link.close());
  const answer = link.publish('news', 'x');
  // It is sent, and then nothing of this process runs until the deadline is past.
  await turn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * deadline_ms);
  await expect(answer).resolves.toBeUndefined();
});

// A process of its own, since the order of its turns matters.
test.skipIf(noRedis !== undefined)('a command is sent that was not yet when the process was stopped', async () => {
  const redis = await RedisServer.start();
  onTestFinished(() => redis.close());
  const program = path.join(import.meta.dirname, 'testing/stopped-link.ts');
  const args = ['--conditions=@broadside/source', program, redis.url];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual({ outcome: 'published', problems: [] });
});
