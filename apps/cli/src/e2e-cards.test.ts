/** Cards on the command line: their components are JSON, all else are flags. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from './testing/run-cli.ts';

let world: TestWorld;
let directory: string;
let media_key: string;

beforeAll(async () => {
  world = await createWorld();
  directory = mkdtempSync(path.join(tmpdir(), 'broadside-cli-cards-'));
  writeFileSync(path.join(directory, 'barrels.png'), greyPng(800, 418));
  media_key = (await ok('media-library add barrels.png --sandbox --quiet')).trim();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

function cli(line: string | readonly string[]) {
  return runCli(line, {
    cwd: directory,
    env: { BROADSIDE_DATA_DIR: world.directory },
    now: () => world.wallClock.now(),
    fetch: (url, init) => world.fetch(url, init),
  });
}

async function ok(line: string | readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(line);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** An image that is black all over. */
function greyPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const chunks = { IHDR: header, IDAT: deflateSync(Buffer.alloc((width + 1) * height)), IEND: Buffer.alloc(0) };
  const pieces = Object.entries(chunks).map(([type, body]) => {
    const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(typed));
    return Buffer.concat([length, typed, check]);
  });
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...pieces]);
}

const componentsOf = (key: string) => [
  { type: 'MEDIA', media_key: key },
  { type: 'DETAILS', title: 'Barrels', destination: { type: 'WEBSITE', url: 'https://example.com/' } },
];

test('a list is the components, and an object names its parameters', async () => {
  const components = componentsOf(media_key);
  writeFileSync(path.join(directory, 'components.json'), JSON.stringify(components));
  const created = await ok('cards create --sandbox --name Barrels --file components.json --json');
  const card = JSON.parse(created);
  expect(card).toMatchObject({ name: 'Barrels', card_type: 'IMAGE_WEBSITE' });
  const data = JSON.stringify({ slides: [components, components] });
  const changed = JSON.parse(await ok(['cards', 'update', card.id, '--sandbox', '--data', data, '--json']));
  expect(changed).toMatchObject({ name: 'Barrels', card_type: 'IMAGE_MULTI_DEST_CAROUSEL_WEBSITE' });
  expect(JSON.parse(await ok(`cards update ${card.id} --sandbox --name Butts --json`))).toMatchObject({
    name: 'Butts',
  });
});

test('mistakes in components are reported before anything is sent', async () => {
  const data = JSON.stringify([{ type: 'MEDIA', media_key }, { type: 'DETAILS' }]);
  const { code, stderr } = await cli(['cards', 'create', '--sandbox', '--name', 'Barrels', '--data', data]);
  expect(code).toBe(2);
  expect(stderr).toContain('components[1].title is missing');
  expect(stderr).toContain('components[1].destination is missing');
});

test('cards of several kinds are rows of one table', async () => {
  const card = JSON.parse(
    await ok([
      'cards',
      'create',
      '--sandbox',
      '--name',
      'B',
      '--data',
      JSON.stringify(componentsOf(media_key)),
      '--json',
    ]),
  );
  const poll = JSON.parse(
    await ok(
      'poll-cards create --sandbox --name P --duration-in-minutes 60 --first-choice Yes --second-choice No --json',
    ),
  );
  const table = await ok(`all-cards list --sandbox --card-uris ${poll.card_uri},${card.card_uri}`);
  const [head = '', ...rows] = table.trim().split('\n');
  expect(head).toMatch(/^ID +NAME +/);
  expect(rows.map((row) => row.split(/ +/)[0])).toEqual([poll.id, card.id]);
  expect(rows[0]).toContain('TEXT_POLLS');
  expect(rows[1]).toContain('IMAGE_WEBSITE');
});
