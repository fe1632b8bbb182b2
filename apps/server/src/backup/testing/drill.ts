/**
 * Kills a process that writes and backs up, again and again, and restores what it left: `drill.ts <directory> [rounds]`. Ends with 1 where a backup is
 * not whole, where what was acknowledged before its instant is not in it, or where anything is half in it.
 */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPlace } from '../open-place.ts';
import { restoreBackup } from '../restore-backup.ts';
import { verifyBackup } from '../verify-backup.ts';
import { settle, written } from './written.ts';

const [root = '', count = '20'] = process.argv.slice(2);
if (root === '') throw new TypeError('drill.ts <directory> [rounds]');
const place = openPlace(path.join(root, 'backups'), undefined);
const passphrase = 'the passphrase of the drill';

/** When each write was acknowledged, by its number. */
const done = new Map<number, number>();
const began = new Map<number, number>();
let restored = 0;

for (let round = 0; round < Number(count); round++) {
  const announced = await killOnce(round);
  const present = await place.list();
  for (const id of announced.slice(-3)) if (!present.includes(id)) throw new Error(`the backup ${id} is gone`);
  for (const id of present) await verify(id);
  const latest = present.at(-1);
  if (latest !== undefined) await restoreAndCompare(latest);
  await verifySource();
}
process.stdout.write(`${count} rounds, ${restored} backups restored, ${done.size} writes acknowledged\n`);

/** Starts a process, and kills it after some time. @returns ids of backups that it has announced */
async function killOnce(round: number): Promise<string[]> {
  const file = fileURLToPath(new URL('backing-up.ts', import.meta.url));
  const first = String((round + 1) * 1_000_000);
  const child = spawn(process.execPath, ['--conditions=@broadside/source', file, root, first], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const announced: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, id = '', ms = ''] = line.split(' ');
    if (what === 'failed') throw new Error(line);
    if (what === 'began') began.set(Number(id), Number(ms));
    if (what === 'done') done.set(Number(id), Number(ms));
    if (what === 'backup') announced.push(id);
    // In the first round once there is a backup; later at any point of one.
    const isTime = round === 0 ? what === 'backup' && announced.length === 1 : what === 'ready';
    if (isTime) void delay(((round * 7919) % 29) * 60 + 20).then(() => child.kill('SIGKILL'));
  }
  await ended;
  return announced;
}

async function verify(id: string): Promise<void> {
  const scratch = path.join(root, 'verify');
  const { problems } = await verifyBackup({ place, id, scratch, passphrase, onProgress: () => {} });
  if (problems.length > 0) throw new Error(`the backup ${id}: ${problems.join(' ')}`);
}

async function restoreAndCompare(id: string): Promise<void> {
  const dataDirectory = path.join(root, 'restored');
  await rm(dataDirectory, { recursive: true, force: true });
  const { manifest } = await restoreBackup({
    ...{ place, id, dataDirectory, passphrase },
    withoutKeys: false,
    objects: undefined,
    config: { stores: {}, shards: {}, media: undefined, shared: undefined, acceptWeakDurability: false },
    now: () => Date.now(),
    onProgress: () => {},
  });
  const { posts, cards } = await written(dataDirectory);
  for (const [number, ms] of done) {
    const isIn = posts.has(number) && cards.has(number);
    if (ms < manifest.instant_ms && !isIn)
      throw new Error(`the write ${number} was acknowledged before ${id} and is not in it`);
  }
  for (const number of cards) if (!posts.has(number)) throw new Error(`the write ${number} is half in ${id}`);
  for (const number of posts) if (!began.has(number)) throw new Error(`nobody began the write ${number} in ${id}`);
  await settle(dataDirectory);
  restored += 1;
}

/** What was acknowledged is in the source, which is whole. */
async function verifySource(): Promise<void> {
  const source = path.join(root, 'source');
  const { posts, cards } = await written(source);
  for (const number of done.keys()) {
    if (!posts.has(number) || !cards.has(number))
      throw new Error(`the write ${number} was acknowledged and is not in the source`);
  }
  await settle(source);
}
