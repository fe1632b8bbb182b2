/** Kills a process that makes copies, again and again: `kill-rounds.ts <directory> [rounds]`. Ends with 1 where a copy is neither whole nor gone. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../db/open-database.ts';
import { World } from '../../open-world.ts';
import { fileOf } from '../../world/store-locations.ts';
import { storeNames } from '../../world/world-options.ts';
import { isUnfinishedCopy } from '../copy-world.ts';

const [root = '', count = '3'] = process.argv.slice(2);
if (root === '') throw new TypeError('kill-rounds.ts <directory> [rounds]');
const copies = path.join(root, 'copies');
let verified = 0;

for (let round = 0; round < Number(count); round++) {
  const acknowledged = await killOnce(round);
  const present = readdirSync(copies).filter((name) => !isUnfinishedCopy(name));
  for (const name of acknowledged) if (!present.includes(name)) throw new Error(`the copy ${name} is gone`);
  for (const name of present) await verify(path.join(copies, name));
  await verify(path.join(root, 'source'));
  verified += present.length;
  await rm(copies, { recursive: true });
}
process.stdout.write(`${count} rounds, ${verified} copies whole\n`);

/** Starts a process that copies, and kills it after some time. @returns the copies of which it has said that they are there */
async function killOnce(round: number): Promise<string[]> {
  const file = fileURLToPath(new URL('copier.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@broadside/source', file, root, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('failed')) throw new Error(line);
    if (line !== 'ready') said.push(line);
    // Once it is at work: at any point of the first copies, or of later ones.
    else void delay(((round * 7919) % 23) * 150 + 20).then(() => child.kill('SIGKILL'));
  }
  await ended;
  return said;
}

/** Opens a world and looks through its files. */
async function verify(directory: string): Promise<void> {
  for (const name of storeNames) {
    const database = await openDatabase(path.join(directory, fileOf(name)));
    const [row] = await database.query('PRAGMA integrity_check');
    await database.close();
    if (row?.[0] !== 'ok') throw new Error(`${directory}: the store ${name} is damaged: ${String(row?.[0])}`);
  }
  const world = await World.open({ dataDirectory: directory, seed: 'kill' });
  const [user] = await world.identity.users.list(1);
  const [app] = await world.identity.apps.list(1);
  if (!user || !app || !existsSync(path.join(directory, 'credentials.json')))
    throw new Error(`${directory} lacks its demo`);
  await world.sessions.begin(user.id);
  const signing = await world.identity.signing.find(app.consumer_key, undefined);
  if (signing?.consumer_secret.length !== 50) throw new Error(`${directory} cannot open its secrets`);
  await world.close();
}
