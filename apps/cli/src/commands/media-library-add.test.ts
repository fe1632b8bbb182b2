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
  directory = mkdtempSync(path.join(tmpdir(), 'broadside-cli-library-'));
  for (const name of ['photo.png', 'moving.gif', 'clip.mp4']) {
    const bytes = readFileSync(path.join(import.meta.dirname, '../fixtures/media', name));
    writeFileSync(path.join(directory, name), bytes);
  }
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

const library = async () => JSON.parse((await cli('media-library list --sandbox --json')).stdout);

test('a file is in the library when the command ends', async () => {
  const image = await cli('media-library add photo.png --sandbox --name Autumn --json');
  expect(image).toMatchObject({ code: 0, stderr: '' });
  const added = JSON.parse(image.stdout);
  expect(added).toMatchObject({ media_type: 'IMAGE', name: 'Autumn', file_name: 'photo.png', posted: false });
  const video = await cli([
    ...'media-library add clip.mp4 --sandbox --category amplify_video --file-name film.mp4 --description'.split(' '),
    'Books for autumn',
  ]);
  expect(video).toMatchObject({ code: 0, stderr: '' });
  expect(video.stdout).toMatch(
    /^media_key +13_\d+\n[\s\S]*file_name +film\.mp4\n[\s\S]*description +Books for autumn\n/,
  );
  const quiet = await cli('media-library add moving.gif --sandbox --quiet');
  expect(quiet).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^16_\d+\n$/) });
  expect(await library()).toMatchObject([{ media_type: 'GIF' }, { media_category: 'AMPLIFY_VIDEO' }, added]);
  const found = await cli('media-library list --sandbox --q autumn --quiet');
  expect(found.stdout.split('\n')).toContain(added.media_key);
  expect((await cli('account-media list --sandbox --json')).stdout).toContain('"PREROLL"');
  expect(await cli('media-library list')).toMatchObject({ code: 0, stdout: '' });
});

test('the table of a library has what tells media apart', async () => {
  const { stdout } = await cli('media-library list --sandbox', { columns: 120 });
  expect(stdout.split('\n')[0]).toMatch(/^MEDIA KEY +NAME +MEDIA STATUS +MEDIA TYPE +MEDIA CATEGORY +CREATED AT$/);
});

test('a terminal shows how far it is', async () => {
  const shown = await cli('media-library add clip.mp4 --sandbox', { columns: 80 });
  expect(shown.stderr).toMatch(/\[ +\] {2,}0 %.*\[=+\]100 %\nSent; it is being processed\.\n$/s);
});

test.for<[line: string, code: number, words: string]>([
  ['', 2, '<file> is missing'],
  ['nowhere.png', 2, 'nowhere.png cannot be read'],
  ['photo.png --category photo', 2, '--category: Expected one of amplify_video'],
  [`photo.png --name ${'x'.repeat(101)}`, 2, '--name: Expected text of 1 to 100 characters'],
  ['photo.png --title Books', 1, 'Expected no title for an image'],
  ['photo.png --category dm_image', 4, 'uploaded as dm_image'],
  ['clip.mp4 --poster-media-key 3_1', 4, 'has no image 3_1'],
  ['photo.png --account-id nosuch', 4, 'No account with this id'],
])('broadside media-library add %s ends with %i', async ([line, code, words]) => {
  const before = await library();
  const outcome = await cli(`media-library add ${line} --sandbox`.replace('  ', ' '));
  expect(outcome).toMatchObject({ code, stdout: '' });
  expect(outcome.stderr).toContain(words);
  expect(await library()).toEqual(before);
});

test('what is wrong with the words is reported before a byte is sent', async () => {
  const sent: string[] = [];
  const fetch: Outside['fetch'] = (url, init) => {
    sent.push(`${url}`);
    return world.fetch(url, init);
  };
  expect(await cli(`media-library add photo.png --sandbox --name ${'x'.repeat(101)}`, { fetch })).toMatchObject({
    code: 2,
  });
  expect(sent).toEqual([]);
});

test.for(['append', 'finalize', 'status'])('^C at %s stops it, and nothing is added', async (step) => {
  const before = await library();
  let stop = () => {};
  const outcome = await cli('media-library add clip.mp4 --sandbox', {
    onInterrupt: (given) => {
      stop = given;
    },
    fetch: async (url, init) => {
      if (`${url}`.includes(step) || (step === 'status' && init.method === 'GET')) stop();
      init.signal?.throwIfAborted();
      return world.fetch(url, init);
    },
  });
  expect(outcome).toMatchObject({ code: 130, stdout: '' });
  expect(outcome.stderr).toContain('broadside: Stopped.\n  What was sent goes by itself within 24 hours');
  expect(await library()).toEqual(before);
});
