/**
 * The published packages as a consumer gets them: packed, installed by plain npm into an empty folder outside the
 * repository, loaded, typechecked and run. Uses the existing build (`npm test` makes it), and needs the npm registry.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pack, publicPackages, withDependencies } from './packages.mjs';
import { NODE_VERSION, nodePackage, root } from './toolchain.mjs';

interface Credentials {
  readonly ads_base_url: string;
  readonly account_id: string;
}

const packages = publicPackages();
const oldest = /\d+(\.\d+)*/.exec(packages[0]?.manifest.engines?.['node'] ?? '')?.[0] ?? '';
const oldestNode = [oldest, '0', '0'].join('.').split('.').slice(0, 3).join('.');

/** The names that a pattern such as `./resources/*` stands for; any other entry stands for itself. */
function namesOf(folder: string, [entry, target]: readonly [string, string | Record<string, string>]): string[] {
  const source = typeof target === 'string' ? target : target['@broadside/source'];
  if (!entry.includes('*') || !source) return [entry];
  const [before = '', after = ''] = source.split('*');
  const parent = path.join(root, folder, before);
  return readdirSync(parent)
    .filter((name) => existsSync(path.join(parent, name + after)))
    .map((name) => entry.replace('*', name));
}

/** Specifiers for `import`, of the packages that are imported rather than run. */
const entries = packages.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports ?? {})
    .filter(([entry]) => entry !== './package.json')
    .flatMap((entry) => namesOf(folder, entry))
    .map((entry) => manifest.name + entry.slice(1)),
);
const lean = ['@broadside/core', '@broadside/client'];

const work = mkdtempSync(path.join(tmpdir(), 'broadside-pack-'));
const full = path.join(work, 'full');
const small = path.join(work, 'small');
const command = path.join(work, 'command');
const children: ChildProcess[] = [];
/** Leaders of process groups. */
const groups: ChildProcess[] = [];

/** Without the toolchain of the repository on PATH, and with the given Node first. */
function environment(node: string): NodeJS.ProcessEnv {
  const own = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => !folder.startsWith(root));
  const settings = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|BROADSIDE_|NODE_OPTIONS|VITEST)/i.test(name),
  );
  return { ...Object.fromEntries(settings), PATH: [path.dirname(node), ...own].join(path.delimiter) };
}

function run(command: string, args: readonly string[], folder: string, node = process.execPath): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    env: environment(node),
    encoding: 'utf8',
  });
  if (status !== 0) throw error ?? new Error(`${path.basename(command)} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Installs into a folder, beside what is there, from what npm has fetched before where it can; or takes away what is there. */
async function install(folder: string, what: readonly string[], verb = 'install'): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const manifest = path.join(folder, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true, "type": "module" }\n');
  const flags = ['--prefer-offline', '--fetch-retries=4', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', [verb, ...flags, ...what], {
    cwd: folder,
    env: environment(process.execPath),
  });
}

/** Typechecks a file of a consumer, including the types of dependencies if requested. */
function typecheck(
  folder: string,
  source: string,
  { moduleResolution, libraries, node = !libraries }: { moduleResolution: string; libraries: boolean; node?: boolean },
) {
  writeFileSync(path.join(folder, 'consumer.ts'), source);
  const compilerOptions = {
    module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    strict: true,
    noEmit: true,
    skipLibCheck: !libraries,
    types: node ? ['node'] : [],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  return run(path.join(root, 'node_modules/.bin/tsc'), ['-p', '.', '--checkers', '1'], folder);
}

/** Waits until a server has written its credentials. @throws AssertionError when it exits before */
async function credentialsOf(server: ChildProcess, data: string): Promise<Credentials> {
  let said = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(server, 'exit');
  const file = path.join(data, 'credentials.json');
  while (!existsSync(file)) {
    await Promise.race([sleep(50), ended]);
    if (server.exitCode !== null) expect.fail(`the server ended: ${said}`);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

const LONG = process.env['BROADSIDE_TEST_LONG'] !== undefined;
/**
 * Bundlers resolve as Node does, and more. The declarations of packages and of their libraries are read whole as Node resolves them, and
 * with BROADSIDE_TEST_LONG as bundlers do too; every entry is looked up as both do.
 */
const resolutions = LONG ? ['nodenext', 'bundler'] : ['nodenext'];

const tarballs = new Map<string, string>();
const zodRange = packages.find(({ manifest }) => manifest.name === '@broadside/core')?.manifest.dependencies?.['zod'];
/** The oldest version of zod that core works with. */
const lowestZod = zodRange?.slice(1) ?? '';

beforeAll(async () => {
  const made = pack(
    packages.map(({ folder }) => folder),
    work,
  );
  for (const [index, { manifest }] of packages.entries()) tarballs.set(manifest.name, made[index] ?? '');
  const packed = (names: readonly string[]) => names.flatMap((name) => tarballs.get(name) ?? []);
  const others = ['@trpc/client', '@types/node'];
  await Promise.all([
    install(full, [...tarballs.values(), '@trpc/client@11', '@types/node@24']),
    install(small, [...packed(lean), `zod@${lowestZod}`]),
  ]);
  // What npm would install for the command alone, without unpacking it again.
  cpSync(full, command, { recursive: true, verbatimSymlinks: true });
  const runnable = packages.find(({ manifest }) => manifest.name === 'broadside');
  const needed = (runnable ? withDependencies(runnable) : []).map(({ manifest }) => manifest.name);
  const needless = packages.map(({ manifest }) => manifest.name).filter((name) => !needed.includes(name));
  await install(command, [...needless, ...others], 'uninstall');
  for (const name of needless) expect(existsSync(path.join(command, 'node_modules', name)), name).toBe(false);
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const { pid, exitCode } of groups) if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL');
  rmSync(work, { recursive: true, force: true, maxRetries: 3 });
});

describe.each(packages.map(({ folder, manifest }) => ({ folder, name: manifest.name })))(
  '$name',
  ({ folder, name }) => {
    const installed = path.join(full, 'node_modules', name);

    it('has a licence and a page for the registry', () => {
      expect(readdirSync(installed)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    });

    it('contains only files whose source still exists, and no tests', () => {
      const built = readdirSync(path.join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
      const types = built.filter((file) => file.endsWith('.d.ts'));
      // Compiled from the sources, or copied from beside them.
      const sources = (file: string) => [path.join('src', file.replace(/\.d\.ts$/, '.ts')), file];
      const gone = types.filter((file) => !sources(file).some((source) => existsSync(path.join(root, folder, source))));
      expect(gone).toEqual([]);
      expect(built.filter((file) => /\.test\.|(^|\/)testing\//.test(file))).toEqual([]);
    });
  },
);

describe('core and client alone, with the oldest zod that they work with', () => {
  it('depend on nothing but zod and leven', () => {
    const { dependencies } = JSON.parse(
      readFileSync(path.join(small, 'node_modules/@broadside/core/package.json'), 'utf8'),
    );
    expect(Object.keys(dependencies)).toEqual(['leven', 'zod']);
    expect(readdirSync(path.join(small, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@broadside',
      'leven',
      'zod',
    ]);
  });

  it('load without tRPC, except for the tRPC client', () => {
    const loadable = entries.filter((entry) => lean.some((name) => entry === name || entry.startsWith(`${name}/`)));
    const code = loadable
      .filter((entry) => entry !== '@broadside/client/trpc')
      .map((entry) => `await import('${entry}');`)
      .join('\n');
    run(process.execPath, ['--input-type=module', '--eval', code], small);
  });

  it('load no schema library for the client', () => {
    const zod = path.join(small, 'node_modules/zod');
    renameSync(zod, `${zod}.away`);
    try {
      run(process.execPath, ['--input-type=module', '--eval', `await import('@broadside/client');`], small);
    } finally {
      renameSync(`${zod}.away`, zod);
    }
  });

  it('bring no zod of their own beside the one of a consumer', () => {
    const versions = readdirSync(small, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('node_modules/zod/package.json'))
      .map((file) => JSON.parse(readFileSync(path.join(small, file), 'utf8')).version);
    expect(versions).toEqual([lowestZod]);
  });

  const schemas = [
    `import { Campaign } from '@broadside/core/resources/campaigns';`,
    `import { contract } from '@broadside/core';`,
    `import * as z from 'zod';`,
    `const Report = z.object({ campaign: Campaign, spent: z.bigint() });`,
    `const { example } = contract.campaigns.get;`,
    `const report = Report.parse({ campaign: example.data, spent: 1n });`,
    `const inner = Report.shape.campaign instanceof z.ZodObject && contract.campaigns.create.params instanceof z.ZodObject;`,
  ];

  it('put their schemas into those of the consumer', () => {
    const code = [...schemas, `console.log(report.campaign.name, inner);`].join('\n');
    expect(run(process.execPath, ['--input-type=module', '--eval', code], small).trim()).toBe('Summer reading true');
  });

  it.each(resolutions)(
    'typecheck for a consumer and its schemas, library files included, with moduleResolution %s',
    (moduleResolution) => {
      const source = [
        ...schemas,
        `import { ApiResponseError, createClient } from '@broadside/client';`,
        `import type { Campaign as SomeCampaign } from '@broadside/core/resources/campaigns';`,
        `const client = createClient({ consumer_key: 'k', consumer_secret: 's', access_token: 't', access_token_secret: 'u' });`,
        `const campaign: SomeCampaign = await client.campaigns.get({ account_id: 'a', campaign_id: 'c' });`,
        `const budgets: (bigint | null)[] = [campaign, report.campaign].map((one) => one.daily_budget_amount_local_micro);`,
        `for await (const { name } of client.campaigns.list({ account_id: 'a' })) name.toUpperCase();`,
        `// @ts-expect-error a parameter that the operation does not have`,
        `client.campaigns.get({ account_id: 'a', campaign: 'c' });`,
        `export { ApiResponseError, budgets, inner };`,
      ].join('\n');
      expect(typecheck(small, source, { moduleResolution, libraries: true })).toBe('');
    },
  );
});

describe('all packages', () => {
  it.each(resolutions)(
    'typecheck with the types of libraries and without those of drizzle, with moduleResolution %s',
    (moduleResolution) => {
      const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
      const source = [
        ...imports,
        `import { createWorld } from '@broadside/testkit';`,
        `await using world = await createWorld();`,
        `export const id: string = await world.createFundingInstrument('a', { currency: 'EUR' });`,
        `export const all = [${entries.map((_entry, i) => `entry${i}`).join(', ')}];`,
      ].join('\n');
      const drizzle = path.join(full, 'node_modules/drizzle-orm');
      renameSync(drizzle, `${drizzle}.away`);
      try {
        expect(typecheck(full, source, { moduleResolution, libraries: true, node: true })).toBe('');
      } finally {
        renameSync(`${drizzle}.away`, drizzle);
      }
    },
  );

  // As Node resolves them, the test above has read them all.
  it.each(LONG ? ['nodenext', 'bundler'] : ['bundler'])(
    'every entry has types with moduleResolution %s',
    (moduleResolution) => {
      const names = entries.map((_entry, i) => `entry${i}`);
      const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
      expect(
        typecheck(full, `${imports.join('\n')}\nexport { ${names.join(', ')} };\n`, {
          moduleResolution,
          libraries: false,
        }),
      ).toBe('');
    },
  );
});

describe('on Node 20, which is older than what is supported', () => {
  it('tests that use the testkit, and the command, end with one line that says which Node they need', async () => {
    const folder = path.join(work, 'node-20');
    const name = nodePackage('20.11.0');
    await install(folder, ['--ignore-scripts', name]);
    const node = path.join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')), 'bin', 'node');
    const bin = (file: string) => path.join(full, 'node_modules', file);
    for (const words of [
      [
        '--input-type=module',
        '--eval',
        `try { await import('@broadside/testkit'); } catch (error) { console.error(error.message); process.exitCode = 1; }`,
      ],
      [bin('@broadside/cli/dist/main.js'), '--version'],
      [bin('broadside/dist/main.js'), '--version'],
      [bin('@broadside/server/dist/main.js')],
    ]) {
      const { status, stderr } = spawnSync(node, words, { cwd: full, env: environment(node), encoding: 'utf8' });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^[^\n]*needs Node 22\.2 or newer; this is Node 20\.11\.0\n$/),
      });
    }
  });
});

const nodes = [
  { version: NODE_VERSION, why: 'the pinned one', skip: false },
  { version: oldestNode, why: 'the oldest supported one, in CI only', skip: !process.env['CI'] },
];

describe.for(nodes)('on Node $version, $why', ({ version, skip }) => {
  let node = process.execPath;

  beforeAll(async () => {
    if (skip || version === NODE_VERSION) return;
    const folder = path.join(work, `node-${version}`);
    const name = nodePackage(version);
    await install(folder, ['--ignore-scripts', name]);
    node = path.join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')), 'bin', 'node');
  });

  it.skipIf(skip)('every entry loads', () => {
    // Its users have vitest, of which it is a part.
    const loadable = entries.filter((entry) => entry !== '@broadside/testkit/vitest');
    const code = `${loadable.map((entry) => `await import('${entry}');`).join('\n')} console.log(process.versions.node);`;
    expect(run(node, ['--input-type=module', '--eval', code], full, node).trim()).toBe(version);
  });

  it.skipIf(skip)('npx broadside prints its version', () => {
    const printed = run('npx', ['--no-install', 'broadside', '--version'], full, node);
    expect(printed).toContain(packages[0]?.manifest.version);
  });

  // What a tarball lacks does not depend on the version of Node.
  const runnable = version === NODE_VERSION || LONG ? ['broadside', '@broadside/cli'] : ['broadside'];

  it.skipIf(skip).each(runnable)(
    'npx %s start serves, with only its tarball and those of its dependencies',
    async (name) => {
      const data = path.join(work, `data-npx-${version}-${name.replace('/', '-')}`);
      const ports = ['--api-port', '0', '--ads-port', '0', '--sandbox-port', '0'];
      const words = ['--no-install', name, 'start', '--data-dir', data, ...ports];
      const server = spawn('npx', words, {
        cwd: command,
        env: environment(node),
        stdio: ['ignore', 'ignore', 'pipe'],
        // A group of its own: npx is the parent of a shell, which is the parent of the server.
        detached: true,
      });
      groups.push(server);
      const { ads_base_url } = await credentialsOf(server, data);
      expect((await fetch(`${ads_base_url}/health`)).status).toBe(200);
    },
  );

  it.skipIf(skip)(
    'broadside start serves, counts the people that the packed client uploads, and ends with code 0 on SIGTERM',
    async () => {
      const data = path.join(work, `data-${version}`);
      const ports = { BROADSIDE_API_PORT: '0', BROADSIDE_ADS_PORT: '0', BROADSIDE_SANDBOX_PORT: '0' };
      const server = spawn(path.join(full, 'node_modules/.bin/broadside'), ['start'], {
        cwd: full,
        env: { ...environment(node), ...ports, BROADSIDE_DATA_DIR: data },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      children.push(server);
      const ended = once(server, 'exit');
      const credentials = await credentialsOf(server, data);
      expect((await fetch(`${credentials.ads_base_url}/health`)).status).toBe(200);

      const code = [
        `import { readFileSync } from 'node:fs';`,
        `import { createClient } from '@broadside/client';`,
        `const credentials = JSON.parse(readFileSync(${JSON.stringify(path.join(data, 'credentials.json'))}, 'utf8'));`,
        `const { account_id } = credentials;`,
        `const client = createClient(credentials);`,
        `const { id: custom_audience_id } = await client.custom_audiences.create({ account_id, name: 'Packed' });`,
        `const at = { account_id, custom_audience_id };`,
        `const { sent } = await client.custom_audiences.upload([{ email: 'anna@example.com' }], at);`,
        `const reasons = async () => (await client.custom_audiences.get(at)).reasons_not_targetable.join();`,
        `while ((await reasons()).includes('PROCESSING')) await new Promise((resolve) => setTimeout(resolve, 100));`,
        `console.log(account_id, sent, await reasons());`,
      ].join('\n');
      // Members are merged by a thread, whose file is part of the package.
      const printed = run(node, ['--input-type=module', '--eval', code], full, node).trim();
      expect(printed).toBe(`${credentials.account_id} 1 TOO_SMALL`);

      server.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    },
  );
});
