import { expect, it } from 'vitest';
import type { Manifest, Package } from './packages.mjs';
import { type Repository, violations } from './rules.mjs';

const address = 'https://example.com/ours';

const published = (folder: string, manifest: Partial<Manifest> = {}): Package => ({
  folder,
  manifest: {
    name: `@broadside/${folder}`,
    version: '1.0.0',
    license: 'MIT',
    engines: { node: '>=22' },
    scripts: { build: 'tsc', test: 'vitest', typecheck: 'tsc', prepack: 'npm run build' },
    homepage: `${address}/tree/main/${folder}#readme`,
    bugs: `${address}/issues`,
    repository: { type: 'git', url: `git+${address}.git`, directory: folder },
    publishConfig: { access: 'public', provenance: true },
    ...manifest,
  },
});

const repository = (changes: Partial<Repository> = {}): Repository => ({
  root: {
    folder: '.',
    manifest: {
      name: 'broadside',
      version: '0.0.0',
      private: true,
      license: 'MIT',
      packageManager: 'pnpm@12.0.0',
      repository: address,
    },
  },
  packages: [published('core'), published('client', { dependencies: { '@broadside/core': '1.0.0' } })],
  catalog: { '@types/node': '24.1.0', zod: '4.0.0' },
  toolchain: { node: '24.2.0', pnpm: '12.0.0' },
  releasedTogether: ['@broadside/core', '@broadside/client'],
  read: (_folder, file) => `text of ${file}`,
  shared: [],
  ...changes,
});

it('a repository that keeps the rules has no violations', () => {
  expect(violations(repository())).toEqual([]);
});

it('what consumers share is a range', () => {
  expect(violations(core({ dependencies: { zod: '^4.0.0' } }))).toEqual([]);
});

const core = (manifest: Partial<Manifest>) => repository({ packages: [published('core', manifest)] });
const source = { '@broadside/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' };

/** A repository whose core has a README with a link. */
const linking = (link: string) =>
  repository({
    packages: [published('core')],
    read: (folder, file) =>
      folder === '.'
        ? { LICENSE: 'text of LICENSE' }[file]
        : ({ 'README.md': `[x](${link})` }[file] ?? `text of ${file}`),
  });

it('links to files of the repository, to anchors of the page and to other sites are accepted', () => {
  const { read } = repository();
  const text = `[a](${address}/blob/main/docs/a.md#b) [c](${address}/tree/main/packages/c) [d](#d) [e](https://example.com/e)`;
  const linked = repository({
    read: (folder, file) => (folder === 'core' && file === 'README.md' ? text : read(folder, file)),
  });
  expect(violations(linked)).toEqual([]);
});

it.each<[string, Repository, RegExp]>([
  [
    'a package whose tests would never run',
    core({ scripts: { build: 'tsc', typecheck: 'tsc', prepack: 'npm run build' } }),
    /core: .*"test"/,
  ],
  [
    'a script that turbo would miss',
    core({ scripts: { build: 'tsc', test: 'vitest', prepack: 'npm run build' } }),
    /core: .*"typecheck"/,
  ],
  [
    'a catalog version in a published package',
    core({ dependencies: { leven: 'catalog:' } }),
    /core: leven .* exact version/,
  ],
  ['a range in a published package', core({ dependencies: { leven: '^4.0.0' } }), /core: leven .* exact version/],
  [
    'one version of what consumers share',
    core({ dependencies: { zod: '4.0.0' } }),
    /core: zod is "4.0.0"; consumers share it/,
  ],
  [
    'a range for consumers that takes the next major version',
    core({ dependencies: { zod: '>=4.0.0' } }),
    /core: zod is ">=4.0.0"; consumers share it/,
  ],
  [
    'a second version of a dependency',
    core({ dependencies: { '@types/node': '24.1.1' } }),
    /core: @types\/node is 24.1.1, but 24.1.0 in the catalog/,
  ],
  [
    'two ranges of what consumers share',
    repository({
      packages: [
        published('core', { dependencies: { zod: '^4.0.0' } }),
        published('client', { dependencies: { zod: '^4.1.0' } }),
      ],
    }),
    /client: zod is \^4.1.0, but \^4.0.0 in core/,
  ],
  ['a catalog entry that is spelt out', core({ devDependencies: { zod: '4.0.0' } }), /core: zod .* write "catalog:"/],
  [
    'a name that the catalog lacks',
    core({ devDependencies: { vitest: 'catalog:' } }),
    /core: vitest is not in the catalog/,
  ],
  ['core with a framework', core({ dependencies: { fastify: '5.0.0' } }), /core: .* fastify; .* zod and leven only/],
  [
    'a dependency against the direction',
    repository({
      packages: [published('core', { peerDependencies: { '@broadside/client': '1.0.0' } }), published('client')],
    }),
    /core: may not depend on @broadside\/client/,
  ],
  ['a package that no layer names', repository({ packages: [published('extra')] }), /extra: .* does not say/],
  [
    'versions apart',
    repository({ packages: [published('core'), published('client', { version: '2.0.0' })] }),
    /client: the version/,
  ],
  [
    'Node versions apart',
    repository({ packages: [published('core'), published('client', { engines: {} })] }),
    /client: "engines"/,
  ],
  ['another license', core({ license: 'ISC' }), /core: the license is not "MIT"/],
  ['a licence text that differs', repository({ read: (folder) => folder }), /core: LICENSE is not a copy/],
  [
    'no page for the registry',
    repository({ read: (_, file) => (file === 'LICENSE' ? 'MIT' : undefined) }),
    /core: README.md is missing/,
  ],
  [
    'a package released alone',
    repository({ releasedTogether: ['@broadside/core'] }),
    /client: .changeset\/config.json/,
  ],
  [
    'an export without source',
    core({ exports: { '.': { ...source, '@broadside/source': '' }, './x': './dist/x.js' } }),
    /"\.\/x" needs/,
  ],
  [
    'a package of another repository',
    core({ homepage: 'https://example.com/theirs' }),
    /core: "homepage" is not .*ours/,
  ],
  ['a package without provenance', core({ publishConfig: { access: 'public' } }), /core: "publishConfig" is not /],
  ['a link that a registry cannot follow', linking('../client'), /links to \.\.\/client; only an absolute/],
  [
    'a link to a file that is gone',
    linking(`${address}/blob/main/docs/gone.md`),
    /links to docs\/gone.md, which is missing/,
  ],
  [
    'a link to a package that is gone',
    linking(`${address}/tree/main/packages/gone`),
    /packages\/gone, which is missing/,
  ],
  [
    'a package manager named twice',
    repository({ toolchain: { node: '24.2.0', pnpm: '13.0.0' } }),
    /"packageManager" is not pnpm@13/,
  ],
  [
    'types of another Node',
    repository({ toolchain: { node: '26.0.0', pnpm: '12.0.0' } }),
    /@types\/node 24.1.0 is not of Node 26/,
  ],
])('%s is reported', (_title, broken, sentence) => {
  const found = violations(broken);
  expect(found.join('\n')).toMatch(sentence);
});

it('files that share a worker replace no module, and register hooks in functions', () => {
  const shared = [
    { file: 'a/clock.test.ts', text: "vi.mock('node:fs');" },
    { file: 'a/testing/world.ts', text: 'afterEach(close);' },
    { file: 'a/use.test.ts', text: 'afterEach(close);' },
  ];
  expect(violations(repository({ shared }))).toEqual([
    'a/clock.test.ts: replaces a module, so tooling/scripts/test-files.mjs has to name it',
    'a/testing/world.ts: registers hooks when it is loaded, which is once for many files; export a function that does it',
  ]);
});
