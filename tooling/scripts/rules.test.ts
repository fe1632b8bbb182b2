import { expect, it } from 'vitest';
import type { Manifest, Package } from './packages.mjs';
import { type Repository, violations } from './rules.mjs';

const published = (folder: string, manifest: Partial<Manifest> = {}): Package => ({
  folder,
  manifest: {
    name: `@broadside/${folder}`,
    version: '1.0.0',
    license: 'MIT',
    engines: { node: '>=22' },
    scripts: { build: 'tsc', test: 'vitest', typecheck: 'tsc', prepack: 'npm run build' },
    ...manifest,
  },
});

const repository = (changes: Partial<Repository> = {}): Repository => ({
  root: {
    folder: '.',
    manifest: { name: 'broadside', version: '0.0.0', private: true, license: 'MIT', packageManager: 'pnpm@12.0.0' },
  },
  packages: [published('core'), published('client', { dependencies: { '@broadside/core': '1.0.0' } })],
  catalog: { '@types/node': '24.1.0', zod: '4.0.0' },
  toolchain: { node: '24.2.0', pnpm: '12.0.0' },
  releasedTogether: ['@broadside/core', '@broadside/client'],
  read: (_folder, file) => `text of ${file}`,
  ...changes,
});

it('a repository that keeps the rules has no violations', () => {
  expect(violations(repository())).toEqual([]);
});

const core = (manifest: Partial<Manifest>) => repository({ packages: [published('core', manifest)] });
const source = { '@broadside/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' };

it.each<[string, Repository, RegExp]>([
  [
    'a package whose tests nobody would run',
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
    core({ dependencies: { zod: 'catalog:' } }),
    /core: zod .* exact version/,
  ],
  ['a range in a published package', core({ dependencies: { zod: '^4.0.0' } }), /core: zod .* exact version/],
  [
    'a second version of a dependency',
    core({ dependencies: { zod: '4.0.1' } }),
    /core: zod is 4.0.1, but 4.0.0 in the catalog/,
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
    'a package manager named twice',
    repository({ toolchain: { node: '24.2.0', pnpm: '13.0.0' } }),
    /"packageManager" is not pnpm@13/,
  ],
  [
    'types of another Node',
    repository({ toolchain: { node: '26.0.0', pnpm: '12.0.0' } }),
    /@types\/node 24.1.0 is not of Node 26/,
  ],
])('%s is told', (_title, broken, sentence) => {
  const found = violations(broken);
  expect(found.join('\n')).toMatch(sentence);
});
