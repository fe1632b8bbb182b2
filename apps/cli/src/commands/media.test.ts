import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createWorld, type TestWorld } from '@broadside/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outcome, type Outside, runCli } from '../testing/run-cli.ts';

let world: TestWorld;
let directory: string;

beforeAll(async () => {
  world = await createWorld();
  directory = mkdtempSync(path.join(tmpdir(), 'broadside-cli-media-'));
  const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, '../fixtures/media', name));
  const mp4 = fixture('clip.mp4');
  const files = {
    'photo.png': fixture('photo.png'),
    'moving.gif': fixture('moving.gif'),
    'clip.mp4': mp4,
    'broken.mp4': mp4.subarray(0, mp4.length - 40),
    'words.txt': Buffer.from('words'),
    'empty.png': Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(directory, name), bytes);
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs a command line where the files are. Each question how far processing is finds it further. */
function cli(line: string | readonly string[], more: Outside = {}): Promise<Outcome> {
  return runCli(line, {
    cwd: directory,
    env: { BROADSIDE_DATA_DIR: world.directory },
    now: () => world.wallClock.now(),
    fetch: async (url, init) => {
      if (init.method === 'GET') await world.runJobs();
      return world.fetch(url, init);
    },
    ...more,
  });
}

const jsonOf = ({ stdout }: Outcome): unknown => JSON.parse(stdout);

test('a file is uploaded, and can be used when the command ends', async () => {
  const image = await cli('media upload photo.png --json');
  expect(image).toMatchObject({ code: 0, stderr: '' });
  expect(jsonOf(image)).toMatchObject({ media_key: expect.stringMatching(/^3_/), image: { w: 40, h: 30 } });
  const video = await cli('media upload clip.mp4 --category amplify_video');
  expect(video).toMatchObject({ code: 0, stderr: '' });
  expect(video.stdout).toMatch(/^id +\d+\nmedia_key +13_\d+\n[\s\S]*"state":"succeeded"/);
  const quiet = await cli('media upload moving.gif --quiet');
  expect(quiet).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\n$/) });
  const status = await cli(['media', 'status', quiet.stdout.trim(), '--json']);
  expect(jsonOf(status)).toMatchObject({ id: quiet.stdout.trim(), processing_info: { state: 'succeeded' } });
});

test('a terminal shows how far it is, and programs read nothing of it', async () => {
  const shown = await cli('media upload clip.mp4', { columns: 80 });
  expect(shown.stderr).toMatch(/\[ +\] {2,}0 %.*\[=+\]100 %\nSent; it is being processed\.\n$/s);
  expect((await cli('media upload photo.png', { columns: 80 })).stderr).toMatch(/100 %\n$/);
  expect((await cli('media upload photo.png --json', { columns: 80 })).stderr).toBe('');
});

test.for<[line: string, code: number, words: string]>([
  ['upload', 2, '<file> is missing'],
  ['upload nowhere.png', 2, 'nowhere.png cannot be read'],
  ['upload .', 2, '. cannot be read: it is no file'],
  ['upload empty.png', 2, 'The media are empty'],
  ['upload words.txt', 2, 'begin like no type of media'],
  ['upload photo.png --category photo', 2, '--category: Expected one of amplify_video'],
  ['upload photo.png --additional-owners ann', 2, '--additional-owners: '],
  ['upload photo.png --sandbox', 2, 'no flag --sandbox'],
  ['upload photo.png --media-type image/jpeg', 1, 'PNG'],
  ['upload photo.png --category subtitles', 1, 'Subtitles are not taken'],
  ['upload broken.mp4', 1, 'could not be processed: '],
  ['status', 2, '<media-id> is missing'],
  ['status x', 2, '--media-id: Expected a numeric id'],
  ['status 12', 1, 'You have no upload 12'],
])('broadside media %s ends with %i', async ([line, code, words]) => {
  const outcome = await cli(`media ${line}`);
  expect(outcome).toMatchObject({ code, stdout: '' });
  expect(outcome.stderr).toContain(words);
});

test('the shell offers files and categories', async () => {
  const offered = async (...words: string[]) => (await cli(['__complete', '--', ...words])).stdout;
  expect(await offered('media', '')).toMatch(/^upload\t.*\nstatus\t.*\n$/);
  expect(await offered('media', 'upload', '')).toBe(':file\n');
  expect(await offered('media', 'upload', '--category', 'post_v')).toBe('post_video\t\n');
});
