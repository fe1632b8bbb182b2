// In CI the threads of servers that tests open run the build, as processes of servers do there: from the sources, each thread parses and
// compiles them for seconds. Everywhere else they run the sources, which are never out of date.
import process from 'node:process';
import { vi } from 'vitest';

if (process.env.CI !== undefined) {
  const server = new URL('../../apps/server/', import.meta.url);
  vi.doMock('../../apps/server/src/thread-file.ts', () => ({
    threadFile: (/** @type {URL} */ _source, /** @type {string} */ built) => ({
      url: new URL(built, server),
      execArgv: [],
    }),
  }));
}
