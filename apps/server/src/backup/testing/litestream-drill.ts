/**
 * Has Litestream follow the stores of a process that writes and backs up, kills that process, and restores what Litestream has:
 * `litestream-drill.ts <directory> [binary] [seconds]`. Ends with 0 and a message where there is no Litestream.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fileOf } from '../../world/store-locations.ts';
import { storeNames } from '../../world/world-options.ts';
import { openPlace } from '../open-place.ts';
import { verifyBackup } from '../verify-backup.ts';
import { settle, written } from './written.ts';

const [root = '', binary = 'litestream', seconds = '20'] = process.argv.slice(2);
if (root === '') throw new TypeError('litestream-drill.ts <directory> [binary] [seconds]');
const version = spawnSync(binary, ['version'], { encoding: 'utf8' });
if (version.error) {
  process.stdout.write(`skipped: there is no ${binary}; see https://litestream.io/install, or name the binary\n`);
  process.exit(0);
}
const source = path.resolve(root, 'source');
const config = path.resolve(root, 'litestream.yml');
mkdirSync(root, { recursive: true });
const dbs = storeNames.map((name) => ({
  path: path.join(source, fileOf(name)),
  'truncate-page-n': 0,
  'min-checkpoint-page-count': 50,
  'checkpoint-interval': '1s',
  replica: { url: `file://${path.resolve(root, 'replicas', name)}`, 'sync-interval': '100ms' },
}));
// JSON is YAML.
writeFileSync(config, JSON.stringify({ dbs }));

const acknowledged = new Set<number>();
let backups = 0;
const file = fileURLToPath(new URL('backing-up.ts', import.meta.url));
const writer = spawn(process.execPath, ['--conditions=@broadside/source', file, root, '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => writer.once('close', resolve));
let follower: ReturnType<typeof spawn> | undefined;
for await (const line of createInterface({ input: writer.stdout })) {
  const [what, number = ''] = line.split(' ');
  if (what === 'failed') throw new Error(line);
  if (what === 'done') acknowledged.add(Number(number));
  if (what === 'backup') backups += 1;
  if (what !== 'ready') continue;
  follower = spawn(binary, ['replicate', '-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  void delay(Number(seconds) * 1000).then(() => writer.kill('SIGKILL'));
}
await ended;
// It sends what is left, and ends.
const stopped = new Promise((resolve) => follower?.once('close', resolve));
await delay(2000);
follower?.kill('SIGTERM');
await stopped;

const restored = path.resolve(root, 'restored');
mkdirSync(restored, { mode: 0o700 });
for (const { path: store } of dbs) {
  const target = path.join(restored, path.basename(store));
  const { status } = spawnSync(binary, ['restore', '-config', config, '-o', target, store], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${store} was not restored`);
}
const beside = ['secret.key', 'media', 'members'].filter((name) => existsSync(path.join(source, name)));
for (const name of beside) cpSync(path.join(source, name), path.join(restored, name), { recursive: true });
const { posts, cards } = await written(restored);
const lost = [...acknowledged].filter((number) => !posts.has(number) || !cards.has(number));
if (lost.length > 0)
  throw new Error(`of ${acknowledged.size} acknowledged writes ${lost.length} are not in what Litestream has`);
await settle(restored);
await settle(source);
// The backups that the process made while Litestream checkpointed its stores.
const place = openPlace(path.resolve(root, 'backups'), undefined);
for (const id of await place.list()) {
  const scratch = path.resolve(root, 'verify');
  const { problems } = await verifyBackup({ place, id, scratch, passphrase: undefined, onProgress: () => {} });
  if (problems.length > 0) throw new Error(`the backup ${id}: ${problems.join(' ')}`);
}
process.stdout.write(`${version.stdout.trim()}: ${acknowledged.size} writes restored, ${backups} backups beside it\n`);
