/** Every block of code in the README and the guides: quoted from a file that a test runs, run here as it stands, or named with the reason. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDirectory, runCli } from '../../../apps/cli/src/testing/run-cli.ts';
import { encodePng } from '../../../apps/server/src/media/testing/images.ts';
import { encodeMp4 } from '../../../apps/server/src/media/testing/videos.ts';
import { type Listening, listening } from '../support/listening.ts';
import { blocksOf, commandsOf, type DocumentBlock } from './blocks.ts';
import { elsewhere } from './blocks-elsewhere.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const guides = readdirSync(path.join(root, 'docs/guides')).map((name) => `docs/guides/${name}`);
const blocks = ['README.md', ...guides].flatMap((file) => blocksOf(file, readFileSync(path.join(root, file), 'utf8')));

/** Texts of the examples, which tests of their own run, lint or install. */
const examples = (readdirSync(path.join(root, 'docs/examples'), { recursive: true }) as string[])
  .filter((name) => !name.includes('node_modules'))
  .map((name) => path.join(root, 'docs/examples', name))
  .filter((name) => statSync(name).isFile())
  .map((name) => readFileSync(name, 'utf8').trim());

const isQuoted = ({ code }: DocumentBlock) => examples.includes(code);
const reasonOf = ({ file, code }: DocumentBlock) =>
  elsewhere.find((one) => one.file === file && code.startsWith(one.begins))?.why;

/** Documents whose commands run here one after the other, on a server with the demo. */
const told = [
  'README.md',
  ...['campaign-management', 'creatives', 'faults', 'journal', 'operating', 'platform-actions'].map(
    (name) => `docs/guides/${name}.md`,
  ),
];
const isTold = (block: DocumentBlock) =>
  told.includes(block.file) && block.language === 'sh' && !isQuoted(block) && reasonOf(block) === undefined;

test('each block is quoted, run, or named with the reason why it is not', () => {
  const left = blocks.filter(
    (block) => block.language !== '' && !isQuoted(block) && !isTold(block) && !reasonOf(block),
  );
  expect(left.map(({ file, line, code }) => `${file}:${line} ${code.slice(0, 60)}`)).toEqual([]);
  for (const { file, begins } of elsewhere) {
    expect(
      blocks.some((block) => block.file === file && block.code.startsWith(begins)),
      `${file}: ${begins}`,
    ).toBe(true);
  }
});

test('the README leads to every guide', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  expect(guides.filter((guide) => !readme.includes(`(${guide})`))).toEqual([]);
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
  expect(links.filter((target) => !existsSync(path.join(root, target)))).toEqual([]);
});

describe('commands', () => {
  const commands = blocks.filter(({ language }) => language === 'sh').flatMap((block) => commandsOf(block));
  // What is not sent needs no server: words, flags and values are verified before.
  // A password is asked for on a terminal.
  const sent = commands.filter(
    ({ words, isWhole }) => isWhole && isResource(words[0]) && words.slice(0, 3).join(' ') !== 'admin users create',
  );

  test.for(sent.map((one) => [`${one.file}:${one.line}`, one] as const))(
    '%s is a command with flags that it has',
    async ([, { words }]) => {
      const cwd = emptyDirectory();
      writeFileSync(path.join(cwd, 'operations.json'), '[{"operation_type":"Delete","params":{"campaign_id":"1"}}]');
      const file = path.join(cwd, 'credentials.json');
      const urls = {
        base_url: 'http://api.test',
        ads_base_url: 'http://ads.test',
        ads_sandbox_base_url: 'http://sandbox.test',
      };
      const keys = { consumer_key: 'a', consumer_secret: 'b', access_token: 'c', access_token_secret: 'd' };
      writeFileSync(
        file,
        JSON.stringify({
          ...urls,
          ...keys,
          account_id: 'a1',
          sandbox_account_id: 'a2',
          operator_token: 'o'.repeat(24),
        }),
      );
      const { code, stderr } = await runCli(words, {
        cwd,
        env: { BROADSIDE_CREDENTIALS: file },
        sleep: async () => {},
      });
      expect(code === 2 ? stderr : '').toBe('');
    },
  );
});

function isResource(word = ''): boolean {
  return /^(?:accounts|actions|admin|all-cards|audience-estimate|campaigns|cards|custom-audience|do-not-reach|funding|keyword|line-items|media-library|poll|post|promot|scheduled|targeting|user-access)/.test(
    word,
  );
}

/** Waits for what is processed, more often than a person would. */
const briefly = () => new Promise<void>((resolve) => setTimeout(resolve, 20));

/** Ids of the documents, by the command that makes their like. */
const madeBy: Readonly<Record<string, string>> = {
  'admin businesses create': '1x4k',
  'campaigns create': '100k',
  'line-items create': '100l',
  'admin accounts create': 'gbsbh3knrcd',
  'media upload': '13_1573723906966034220',
};

describe.for(told)('%s', (file) => {
  let running: Listening;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    running = await listening();
    const { directory, credentials } = running;
    writeFileSync(path.join(directory, 'clip.mp4'), encodeMp4({ width: 320, height: 240, seconds: 2 }));
    // The document shows the content of the file.
    const shown = blocks.find((block) => block.file === file && block.language === 'json');
    if (shown) writeFileSync(path.join(directory, 'operations.json'), shown.code);
    const { stdout } = await broadside(['admin', 'users', 'list', '--screen-name', 'harborbooks', '--quiet']);
    ids.set('ae87h4rah0d', credentials.sandbox_account_id);
    ids.set('1507587807690906112', stdout.trim());
    ids.set('1573723592271599146', credentials.user_id);
    ids.set('1571473768497306118', credentials.post_ids[0] ?? '');
    ids.set('1573723593162906147', credentials.post_ids.at(-1) ?? '');
    if (file.endsWith('/operating.md')) ids.set('gbsbh3knrcd', credentials.account_id);
    // The example before has added it.
    if (file.endsWith('/creatives.md')) {
      writeFileSync(path.join(directory, 'picture.png'), encodePng(800, 800));
      const words = ['media-library', 'add', 'picture.png', '--sandbox', '--quiet', '--name', 'Autumn shelf'];
      ids.set('3_1574020497597793956', (await broadside(words)).stdout.trim());
    }
  });
  afterAll(() => running[Symbol.asyncDispose]());

  /** Runs a command where the server keeps its credentials. */
  const broadside = (words: readonly string[]) =>
    runCli(words, { cwd: running.directory, env: { BROADSIDE_DATA_DIR: running.directory }, fetch, sleep: briefly });

  test('its commands run in their order, and those that it shows rejected are rejected', async () => {
    const years = new Date().getUTCFullYear() - 2026;
    const here = (text: string) =>
      [...ids]
        .reduce((whole, [theirs, ours]) => whole.replaceAll(theirs, ours), text)
        .replaceAll(/\b(202[67])-(?=\d\d-\d\d)/g, (_, year) => `${Number(year) + years}-`);
    const operations = path.join(running.directory, 'operations.json');
    const own = blocks.filter((block) => block.file === file && isTold(block));
    expect(own.length).toBeGreaterThan(0);
    for (const block of own) {
      for (const { words, line } of commandsOf(block)) {
        if (existsSync(operations)) writeFileSync(operations, here(readFileSync(operations, 'utf8')));
        const { code, stdout, stderr } = await broadside(words.map(here));
        const said = `${file}:${line} ${words.join(' ')}\n${stderr}`;
        if (block.output?.startsWith('broadside: ')) expect(code, said).toBe(1);
        else expect(code, said).toBe(0);
        const known = madeBy[words.slice(0, words[0] === 'admin' ? 3 : 2).join(' ')];
        const id = (/^media_key\s+(\S+)/m.exec(stdout) ?? /^id\s+(\S+)/m.exec(stdout))?.[1];
        if (known && id) ids.set(known, id);
        if (words.join(' ').startsWith('promoted-posts list'))
          ids.set('100u', /^(\w+) .*ACCEPTED/m.exec(stdout)?.[1] ?? '');
      }
    }
  });
});
