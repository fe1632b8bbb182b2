import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
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

test.skipIf(noRedis !== undefined).each([
  ["READONLY You can't write against a read only replica."],
  // As Redis 6 reports it of a script.
  ["ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write against a read only replica."],
])('a server that takes no writes any more is left: %s', async (message) => {
  const redis = await RedisServer.start();
  onTestFinished(() => redis.close());
  const link = await RedisLink.open({ url: redis.url });
  onTestFinished(() => link.close());
  const text = `return redis.error_reply(${JSON.stringify(message)})`;
  const sha = createHash('sha1').update(text).digest('hex');
  await expect(link.evaluate({ text, sha }, [], [])).rejects.toThrow('READONLY');
  expect(link.problem).toContain('READONLY');
});
