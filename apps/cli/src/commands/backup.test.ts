/** Backups by a server that runs and by the command itself, and a platform that goes on from one. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OPERATOR_TOKEN, startOperated } from '../testing/operated-server.ts';
import { emptyDirectory, runCli } from '../testing/run-cli.ts';

const PASSPHRASE = 'a passphrase of tests';
const sealing = { BROADSIDE_BACKUP_PASSPHRASE: PASSPHRASE };

test('a server backs itself up, and what is restored serves the credentials from before', async () => {
  const directory = emptyDirectory();
  const data = path.join(directory, 'data');
  const server = await startOperated(data, { demo: true, env: sealing });
  let isOpen = true;
  onTestFinished(async () => {
    if (isOpen) await server.close();
  });
  const cli = (line: string, dataDirectory = data) =>
    runCli(line, {
      cwd: directory,
      env: { BROADSIDE_DATA_DIR: dataDirectory, BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN, ...sealing },
      fetch: (url, init) => globalThis.fetch(url, init),
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
    });
  const named = async (dataDirectory: string) => {
    const listed = await cli('campaigns list --sandbox --json', dataDirectory);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const found: { name: string }[] = JSON.parse(listed.stdout);
    return found.map(({ name }) => name);
  };
  const create = (name: string) =>
    cli(
      `campaigns create --sandbox --funding-instrument-id ${fundingId} --name ${name} --daily-budget-amount-local-micro 1000000 --entity-status PAUSED --json`,
    );
  const [{ id: fundingId }] = JSON.parse((await cli('funding-instruments list --sandbox --json')).stdout);
  expect(await create('Before')).toMatchObject({ code: 0, stderr: '' });
  const made = await cli('backup create backups --keep 2 --json');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { backup, place } = JSON.parse(made.stdout);
  expect(place).toBe(path.join(directory, 'backups'));
  expect(backup).toMatchObject({ worlds: 1, has_keys: true });
  expect(await create('After')).toMatchObject({ code: 0 });
  expect(await named(data)).toEqual(expect.arrayContaining(['Before', 'After']));

  expect(JSON.parse((await cli('admin backups list --at nowhere --json')).stdout)).toEqual([]);
  expect(await cli('admin backups get --number 99')).toMatchObject({ code: 4 });
  expect(await cli('backup list nowhere')).toMatchObject({ code: 0, stderr: 'There is no backup there.\n' });
  expect(await cli('backup verify backups --backup no-such')).toMatchObject({ code: 4 });
  const file = path.join('data', 'secret.key');
  for (const command of ['list', 'create']) {
    const stderr = expect.stringContaining('BROADSIDE_BACKUP_URL');
    expect(await cli(`backup ${command}`)).toMatchObject({ code: 2, stderr });
    const refused = await cli(`backup ${command} ${file}`);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is a file; backups are in a directory'),
    });
  }
  expect(await cli('backup create s3://backups/one')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ACCESS_KEY_ID'),
  });
  expect(JSON.parse((await cli('backup list backups --json')).stdout)).toEqual([backup]);
  expect(await cli('backup verify backups')).toMatchObject({ code: 0, stdout: expect.stringContaining(backup.id) });
  await server.close();
  isOpen = false;

  // The command itself, where no server runs.
  const offline = await cli('backup create backups --worlds --snapshots');
  expect(offline).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/media +\d+, 0 of them new/) });
  expect(JSON.parse((await cli('backup list backups --json')).stdout)).toHaveLength(2);

  const restored = path.join(directory, 'restored');
  const restoring = await cli(`backup restore backups --backup ${backup.id} --data-dir ${restored}`);
  expect(restoring).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`broadside start --data-dir ${restored}`),
  });
  expect(await cli(`backup restore backups --data-dir ${restored}`)).toMatchObject({ code: 1 });
  const other = await startOperated(restored, { demo: true });
  onTestFinished(() => other.close());
  expect(readFileSync(path.join(restored, 'secret.key'))).toEqual(readFileSync(path.join(data, 'secret.key')));
  const names = await named(restored);
  expect(names).toContain('Before');
  expect(names).not.toContain('After');
});

test('the words of what is left out, of wrong flags and of places without backups', async () => {
  const directory = emptyDirectory();
  const cli = (line: string, env: Record<string, string> = {}) => runCli(line, { cwd: directory, env });
  const server = await startOperated(path.join(directory, 'data'), { demo: false });
  await server.close();
  expect(await cli('backup create backups --data-dir data')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Left out: secret.key'),
  });
  expect(await cli('backup create backups --data-dir data --keep 0')).toMatchObject({ code: 2 });
  expect(await cli('backup create --data-dir data')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('BROADSIDE_BACKUP_URL'),
  });
  expect(await cli('backup create backups --data-dir none')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no platform in'),
  });
  expect(await cli('backup verify none')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('There is no backup in'),
  });
  expect(await cli('backup list none --json')).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await cli('backup restore backups --data-dir restored')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('put secret.key of the platform into'),
  });
  const short = await cli('backup list backups', { BROADSIDE_BACKUP_PASSPHRASE: 'short' });
  expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining('12 characters or more') });
});

test('other worlds and snapshots are in a backup that asks for them, and are there after it is restored', async () => {
  const directory = emptyDirectory();
  const data = path.join(directory, 'data');
  const env = { ...sealing, BROADSIDE_CONTROL: '1', BROADSIDE_CONTROL_PORT: '0' };
  const server = await startOperated(data, { demo: true, env });
  let isOpen = true;
  onTestFinished(async () => {
    if (isOpen) await server.close();
  });
  const cli = (line: string, dataDirectory = data) =>
    runCli(line, {
      cwd: directory,
      env: { BROADSIDE_DATA_DIR: dataDirectory, BROADSIDE_OPERATOR_TOKEN: OPERATOR_TOKEN, ...sealing },
      fetch: (url, init) => globalThis.fetch(url, init),
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
    });
  const worlds = async (dataDirectory: string) => {
    const listed: { id: string; name: string }[] = JSON.parse((await cli('world list --json', dataDirectory)).stdout);
    return listed.map(({ id, name }) => `${id} ${name}`);
  };
  expect(await cli('world create --name autumn')).toMatchObject({ code: 0 });
  const listed = await worlds(data);
  expect(listed).toHaveLength(2);
  const [id = ''] = (listed[1] ?? '').split(' ');
  const taken = await cli(`world snapshot ${id} --json`);
  expect(taken).toMatchObject({ code: 0 });
  const made = await cli('backup create backups --worlds --snapshots --json');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  // Both worlds, how each began, and the snapshot.
  expect(JSON.parse(made.stdout).backup.worlds).toBe(5);
  const credentials = async (dataDirectory: string) => {
    const found = JSON.parse((await cli(`world get ${id} --json`, dataDirectory)).stdout);
    const { consumer_key, consumer_secret, access_token, access_token_secret } = found.credentials;
    return { consumer_key, consumer_secret, access_token, access_token_secret };
  };
  const before = await credentials(data);
  await server.close();
  isOpen = false;
  const restored = path.join(directory, 'restored');
  expect(await cli(`backup restore backups --data-dir ${restored}`)).toMatchObject({ code: 0 });
  const other = await startOperated(restored, { demo: true, env });
  onTestFinished(() => other.close());
  expect(await worlds(restored)).toEqual(listed);
  expect(await credentials(restored)).toEqual(before);
  const snapshots = await cli(`world snapshots ${id} --json`, restored);
  expect(JSON.parse(snapshots.stdout)).toMatchObject([{ id: JSON.parse(taken.stdout).id }]);
  expect(await cli(`world reset ${id}`, restored)).toMatchObject({ code: 0 });
});
