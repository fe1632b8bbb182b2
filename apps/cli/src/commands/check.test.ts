import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, runCli } from '../testing/run-cli.ts';

test('a directory is checked beside its server, and repaired without one', async () => {
  const directory = emptyDirectory();
  const data = path.join(directory, 'data');
  const cli = (line: string) => runCli(line, { cwd: directory });
  const server = await startOperated(data, { demo: false });
  let isOpen = true;
  onTestFinished(async () => {
    if (isOpen) await server.close();
  });
  expect(await cli('check --data-dir data')).toMatchObject({ code: 0, stdout: 'Nothing is wrong.\n' });
  expect(await cli('check --data-dir data --repair')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A server runs'),
  });
  await server.close();
  isOpen = false;
  mkdirSync(path.join(data, 'media/blobs/aa/bb'), { recursive: true });
  writeFileSync(path.join(data, 'media/blobs/aa/bb/nobodys'), '');
  expect(await cli('check --data-dir data')).toMatchObject({
    code: 1,
    stdout: 'media blobs nobodys: no medium refers to these bytes (a repair would remove them)\n',
    stderr: expect.stringContaining('`broadside check --repair` sets 1 of them right'),
  });
  const repaired = await cli('check --data-dir data --repair --json');
  expect(repaired).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(repaired.stdout)).toMatchObject([{ store: 'media', id: 'nobodys', repaired: true }]);
  expect(await cli('check --data-dir data')).toMatchObject({ code: 0 });
  expect(await cli('check --data-dir none')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is no data directory'),
  });
  mkdirSync(path.join(directory, 'empty'));
  expect(await cli('check --data-dir empty')).toMatchObject({ code: 1 });
  expect(readdirSync(path.join(directory, 'empty'))).toEqual([]);
});
