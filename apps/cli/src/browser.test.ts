import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { emptyDirectory } from './testing/run-cli.ts';

const url = 'http://127.0.0.1:8000/oauth/authorize?oauth_token=t&force_login=true&name=$(id);`id`';
const folder = emptyDirectory();

// Bundled, as the published program is: it then starts the `xdg-open` of the system.
beforeAll(async () => {
  await build({
    stdin: {
      contents: [
        `import { openBrowser } from './browser.ts';`,
        `await openBrowser(process.argv[2], 'linux', process.env);`,
        `console.log('still here');`,
      ].join('\n'),
      resolveDir: import.meta.dirname,
    },
    outfile: path.join(folder, 'open.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
});

/** Opens an address in a process of its own, with nothing on the PATH but what `folder` holds. */
async function openIn(bin: string, address: string, env: Record<string, string>): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path.join(folder, 'open.mjs'), address], {
    env: { PATH: bin, ...env },
  });
  expect({ stdout, stderr }).toEqual({ stdout: 'still here\n', stderr: '' });
}

describe.skipIf(process.platform !== 'linux')('on a desktop of Linux', () => {
  const launcher = '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.part"\n/bin/mv "$0.part" "$0.words"\n';

  test.each(['DISPLAY', 'WAYLAND_DISPLAY'])(
    'the address is one word of a program, and no shell reads it: %s',
    async (name) => {
      const bin = emptyDirectory();
      writeFileSync(path.join(bin, 'xdg-open'), launcher, { mode: 0o755 });
      await openIn(bin, url, { [name]: '0' });
      const words = path.join(bin, 'xdg-open.words');
      // The browser is not awaited, so the test polls.
      while (!existsSync(words)) await sleep(20);
      expect(readFileSync(words, 'utf8')).toBe(`${url}\n`);
    },
  );

  test('a missing browser on the PATH is not an error', async () => {
    await openIn(emptyDirectory(), url, { DISPLAY: ':0' });
  });

  test('a browser that cannot be started is not an error', async () => {
    const bin = emptyDirectory();
    writeFileSync(path.join(bin, 'xdg-open'), 'nothing that runs', { mode: 0o755 });
    await openIn(bin, url, { DISPLAY: ':0' });
  });

  test.each([
    ['without a desktop', url, {}],
    ['for what is no web address', 'file:///etc/passwd', { DISPLAY: ':0' }],
  ])('%s nothing is started', async (_, address, env) => {
    const bin = emptyDirectory();
    writeFileSync(path.join(bin, 'xdg-open'), launcher, { mode: 0o755 });
    await openIn(bin, address, env);
    await sleep(100);
    expect(existsSync(path.join(bin, 'xdg-open.words'))).toBe(false);
  });
});
