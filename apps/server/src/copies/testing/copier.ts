/** Copies a world without end while writing it, until it is killed: `copier.ts <root>`. Says on standard output what has appeared. */
import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ensureDemo } from '../../demo/demo.ts';
import { World } from '../../open-world.ts';
import { copyClosedWorld, copyWorld } from '../copy-world.ts';
import { packWorld } from '../pack-world.ts';
import { renewCredentials } from '../renew-credentials.ts';
import { unpackWorld } from '../unpack-world.ts';

const [root = '.', round = '0'] = process.argv.slice(2);
const urls = { api: 'http://api.test', ads: 'http://ads.test', sandbox: 'http://sandbox.test' };
const say = (text: string) => process.stdout.write(`${text}\n`);

await mkdir(path.join(root, 'copies'), { recursive: true });
const world = await World.open({ dataDirectory: path.join(root, 'source'), seed: 'kill' });
await ensureDemo(world, urls);
const [user] = await world.identity.users.list(1);
if (!user) throw new TypeError('the demo has people');
say('ready');

const keepWriting = async (): Promise<never> => {
  for (;;) await world.sessions.begin(user.id);
};
keepWriting().catch((error: unknown) => say(`failed ${String(error)}`));

for (let i = 0; ; i++) {
  const place = (kind: string) => path.join(root, 'copies', `${kind}-${round}-${i}`);
  await copyWorld(world, place('fork'), {
    prepare: async (directory) => {
      await renewCredentials(directory, { prefix: 'wkill000' });
    },
  });
  say(`fork-${round}-${i}`);
  await copyWorld(world, place('snapshot'));
  say(`snapshot-${round}-${i}`);
  await copyClosedWorld(place('snapshot'), place('restored'));
  say(`restored-${round}-${i}`);
  const file = path.join(root, 'packed');
  await rm(file, { force: true });
  await writeFile(file, (await packWorld(place('restored'))).stream, { mode: 0o600 });
  await unpackWorld(createReadStream(file), place('unpacked'));
  say(`unpacked-${round}-${i}`);
}
