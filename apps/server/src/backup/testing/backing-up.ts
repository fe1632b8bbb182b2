/**
 * Writes a world without end and backs it up again and again, until it is killed: `backing-up.ts <root>`. Each write creates a post on the platform
 * and then a funding instrument of the sandbox. Says on standard output, at once: `began <n> <ms>`, `done <n> <ms>` and `backup <id>`.
 */
import { readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import type { Credentials } from '../../demo/credentials.ts';
import { ensureDemo } from '../../demo/demo.ts';
import { World } from '../../open-world.ts';
import { createFundingInstrument } from '../../resources/funding-instruments/find.ts';
import { createBackup } from '../create-backup.ts';
import { openPlace } from '../open-place.ts';
import { openSource } from '../world-source.ts';

const [root = '.', first = '0'] = process.argv.slice(2);
const ACTOR = { user_id: null, platform: 'SERVER' } as const;
const urls = { api: 'http://api.test', ads: 'http://ads.test', sandbox: 'http://sandbox.test' };
const say = (text: string) => writeSync(1, `${text}\n`);

const world = await World.open({ dataDirectory: path.join(root, 'source') });
await ensureDemo(world, urls);
const held: Credentials = JSON.parse(readFileSync(path.join(world.dataDirectory, 'credentials.json'), 'utf8'));
const account = world.ads.sandbox.account(held.sandbox_account_id);
const now = () => world.wallClock.now();
say('ready');

const keepWriting = async (): Promise<never> => {
  for (let i = Number(first); ; i++) {
    say(`began ${i} ${now()}`);
    await world.posts.create(ACTOR, { author_id: held.user_id, text: `w${i}`, lang: 'en', source: 'drill' });
    await account.write(ACTOR, (writer) =>
      createFundingInstrument(
        rejectWithAny,
        writer,
        { type: 'CREDIT_CARD', currency: 'USD', start_time: '2026-01-01T00:00:00Z' },
        `w${i}`,
      ),
    );
    say(`done ${i} ${now()}`);
  }
};
keepWriting().catch((error: unknown) => say(`failed ${String(error)}`));

for (;;) {
  const { manifest } = await createBackup({
    place: openPlace(path.join(root, 'backups'), undefined),
    sources: [openSource('', world.dataDirectory, world)],
    scratch: path.join(root, 'scratch'),
    passphrase: 'the passphrase of the drill',
    secrets: {},
    keep: 3,
    now,
    onProgress: () => {},
  });
  say(`backup ${manifest.id}`);
}
