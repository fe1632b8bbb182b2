// Rules about the repository that no other tool checks. `npm run check` runs them; rules.test.ts tests them.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readPackage, workspacePackages } from './packages.mjs';
import { isolatedTests } from './test-files.mjs';
import { NODE_VERSION, PNPM_VERSION, root } from './toolchain.mjs';

/**
 * @typedef {import('./packages.mjs').Package} Package
 *
 * @typedef {object} Repository
 * @property {Package} root
 * @property {readonly Package[]} packages
 * @property {Readonly<Record<string, string>>} catalog
 * @property {{ readonly node: string, readonly pnpm: string }} toolchain
 * @property {readonly string[]} releasedTogether the packages that changesets keeps on one version
 * @property {(folder: string, file: string) => string | undefined} read
 * @property {readonly { file: string, text: string }[]} shared tests, and what they import, that share a worker with others
 */

/** Packages that exist to give a tool another version of a dependency than ours. @type {ReadonlySet<string>} */
const withOwnVersions = new Set(['@broadside/openapi-typescript']);

/**
 * Workspace packages that a published one may depend on: core <- client <- cli and core <- server, with the testkit on
 * top. Anything else would pull a server into a browser, or create a cycle.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const layers = {
  '@broadside/core': [],
  '@broadside/client': ['@broadside/core'],
  '@broadside/server': ['@broadside/core'],
  '@broadside/testkit': ['@broadside/core', '@broadside/client', '@broadside/server'],
  '@broadside/cli': ['@broadside/core', '@broadside/client', '@broadside/server'],
  broadside: ['@broadside/cli'],
};

/**
 * Dependencies that a consumer of our packages uses too, and must share with them: its own zod schemas stand inside ours. They
 * are ranges (docs/adr/0009-dependencies.md).
 */
const sharedWithConsumers = new Set(['zod']);

/** @type {readonly ((repository: Repository) => readonly string[])[]} */
const rules = [
  /** Turbo silently skips a package that lacks a script. */
  function standardScripts({ packages }) {
    return packages.flatMap(({ folder, manifest }) => {
      const wanted = [];
      if (manifest.scripts || !manifest.private) wanted.push('typecheck', 'test');
      if (!manifest.private) wanted.push('build', 'prepack');
      return wanted
        .filter((script) => !manifest.scripts?.[script])
        .map((script) => `${folder}: package.json lacks the script "${script}", so it would be passed over in silence`);
    });
  },

  /** `npm pack` supports neither catalogs nor workspaces. */
  function runtimeVersionsAreLiteral({ packages }) {
    return packages
      .filter(({ manifest }) => !manifest.private)
      .flatMap(({ folder, manifest }) =>
        Object.entries(manifest.dependencies ?? {})
          .filter(
            ([name, version]) =>
              !(sharedWithConsumers.has(name) ? /^\^\d+\.\d+\.\d+$/ : /^\d+\.\d+\.\d+(-[\w.]+)?$/).test(version),
          )
          .map(
            ([name, version]) =>
              `${folder}: ${name} is "${version}"; ${
                sharedWithConsumers.has(name)
                  ? 'consumers share it, so it is a range "^a.b.c"'
                  : 'a dependency of a published package is one exact version'
              }`,
          ),
      );
  },

  function oneVersionOfEachDependency({ root, packages, catalog }) {
    const versions = new Map(
      Object.entries(catalog).map(([name, version]) => [name, { version, where: 'the catalog' }]),
    );
    // The catalog says with which version of a range we work; the ranges agree with each other.
    for (const name of sharedWithConsumers) versions.delete(name);
    for (const { manifest } of packages)
      versions.set(manifest.name, { version: manifest.version, where: 'its own package.json' });
    return [root, ...packages].flatMap(({ folder, manifest }) => {
      if (withOwnVersions.has(manifest.name)) return [];
      const all = [...Object.entries(manifest.dependencies ?? {}), ...Object.entries(manifest.devDependencies ?? {})];
      return all.flatMap(([name, version]) => {
        if (version === 'catalog:') return name in catalog ? [] : [`${folder}: ${name} is not in the catalog`];
        const known = versions.get(name);
        if (!known) versions.set(name, { version, where: folder });
        if (!known || known.version === version) return [];
        return [`${folder}: ${name} is ${version}, but ${known.version} in ${known.where}`];
      });
    });
  },

  function developmentUsesTheCatalog({ root, packages, catalog }) {
    return [root, ...packages].flatMap(({ folder, manifest }) =>
      Object.entries(manifest.devDependencies ?? {})
        .filter(([name, version]) => name in catalog && version !== 'catalog:')
        .map(([name]) => `${folder}: ${name} is in the catalog; write "catalog:"`),
    );
  },

  function dependenciesPointOneWay({ packages }) {
    const ours = new Set(packages.map(({ manifest }) => manifest.name));
    return packages
      .filter(({ manifest }) => !manifest.private)
      .flatMap(({ folder, manifest }) => {
        const allowed = layers[manifest.name];
        if (!allowed) return [`${folder}: tooling/scripts/rules.mjs does not say what it may depend on`];
        return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
          .filter((name) => ours.has(name) && !allowed.includes(name))
          .map((name) => `${folder}: may not depend on ${name}; dependencies point one way (ARCHITECTURE.md)`);
      });
  },

  /** leven is pure, one file, and without dependencies of its own (docs/adr/0009-dependencies.md). */
  function coreStaysSmall({ packages }) {
    const core = packages.find(({ manifest }) => manifest.name === '@broadside/core');
    return Object.keys(core?.manifest.dependencies ?? {})
      .filter((name) => name !== 'zod' && name !== 'leven')
      .map((name) => `${core?.folder}: may not depend on ${name}; core runs anywhere and needs zod and leven only`);
  },

  function publishedPackagesAgree({ root, packages, read, releasedTogether }) {
    const published = packages.filter(({ manifest }) => !manifest.private);
    const first = published[0]?.manifest;
    const license = read(root.folder, 'LICENSE');
    return published.flatMap(({ folder, manifest }) => [
      ...(manifest.version === first?.version ? [] : [`${folder}: the version is not that of ${first?.name}`]),
      ...(manifest.engines?.node && manifest.engines.node === first?.engines?.node
        ? []
        : [`${folder}: "engines" does not say the same Node versions as ${first?.name}`]),
      ...(manifest.license === root.manifest.license
        ? []
        : [`${folder}: the license is not "${root.manifest.license}"`]),
      ...(license !== undefined && read(folder, 'LICENSE') === license
        ? []
        : [`${folder}: LICENSE is not a copy of the root's`]),
      ...(read(folder, 'README.md') === undefined
        ? [`${folder}: README.md is missing; it is the package's page in a registry`]
        : []),
      ...(releasedTogether.includes(manifest.name)
        ? []
        : [`${folder}: .changeset/config.json does not keep it on the common version`]),
    ]);
  },

  /** The root's package.json names the repository; a registry links each package to it, and uses it to verify provenance. */
  function publishedPackagesNameTheRepository({ root, packages }) {
    const { repository } = root.manifest;
    if (typeof repository !== 'string') return ['package.json: "repository" is not the address of the repository'];
    return packages
      .filter(({ manifest }) => !manifest.private)
      .flatMap(({ folder, manifest }) => {
        const expected = {
          homepage: `${repository}/tree/main/${folder}#readme`,
          bugs: `${repository}/issues`,
          repository: { type: 'git', url: `git+${repository}.git`, directory: folder },
          publishConfig: { access: 'public', provenance: true },
        };
        return /** @type {(keyof typeof expected)[]} */ (Object.keys(expected))
          .filter((name) => JSON.stringify(manifest[name]) !== JSON.stringify(expected[name]))
          .map((name) => `${folder}: "${name}" is not ${JSON.stringify(expected[name])}`);
      });
  },

  /** A registry shows the README without the surrounding files. */
  function linksOfPublishedReadmesWork({ root, packages, read }) {
    const repository = String(root.manifest.repository);
    return packages
      .filter(({ manifest }) => !manifest.private)
      .flatMap(({ folder }) =>
        [...(read(folder, 'README.md') ?? '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
          if (link.startsWith('#')) return [];
          if (!/^https?:/.test(link)) {
            return [`${folder}: README.md links to ${link}; only an absolute link works in a registry`];
          }
          const [, kind, file = ''] = link.startsWith(repository)
            ? (/^\/(blob|tree)\/main\/([^#]+)/.exec(link.slice(repository.length)) ?? [])
            : [];
          const target = kind === 'tree' ? `${file}/README.md` : file;
          return kind && read('.', target) === undefined
            ? [`${folder}: README.md links to ${file}, which is missing`]
            : [];
        }),
      );
  },

  /** The condition lets the workspace run from source; without it a change would be visible only after a build. */
  function entriesHaveSourceTypesAndBuild({ packages }) {
    return packages
      .filter(({ manifest }) => !manifest.private)
      .flatMap(({ folder, manifest }) =>
        Object.entries(manifest.exports ?? {})
          .filter(([entry]) => entry !== './package.json')
          .filter(([, target]) => Object.keys(target).join() !== '@broadside/source,types,default')
          .map(
            ([entry]) => `${folder}: the export "${entry}" needs @broadside/source, types and default, in this order`,
          ),
      );
  },

  /** A worker loads each module once for all of its files, unless tooling/scripts/test-files.mjs names the file. */
  function sharedTestsAreIndependent({ shared }) {
    return shared.flatMap(({ file, text }) => [
      ...(/^vi\.(mock|doMock)\(/m.test(text)
        ? [`${file}: replaces a module, so tooling/scripts/test-files.mjs has to name it`]
        : []),
      ...(!file.endsWith('.test.ts') && /^(before|after)(Each|All)\(/m.test(text)
        ? [`${file}: registers hooks when it is loaded, which is once for many files; export a function that does it`]
        : []),
    ]);
  },

  function toolchainIsNamedOnce({ root, catalog, toolchain }) {
    const nodeTypes = catalog['@types/node'] ?? '';
    return [
      ...(root.manifest.packageManager === `pnpm@${toolchain.pnpm}`
        ? []
        : [`package.json: "packageManager" is not pnpm@${toolchain.pnpm} of tooling/scripts/toolchain.mjs`]),
      ...(nodeTypes.split('.')[0] === toolchain.node.split('.')[0]
        ? []
        : [
            `pnpm-workspace.yaml: @types/node ${nodeTypes} is not of Node ${toolchain.node} in tooling/scripts/toolchain.mjs`,
          ]),
    ];
  },
];

/**
 * Returns the violations of the repository's rules, one sentence each.
 * @param {Repository} repository
 */
export function violations(repository) {
  return rules.flatMap((rule) => rule(repository));
}

/** @returns {Repository} */
export function readRepository() {
  /** @param {string} file */
  const text = (file) => readFileSync(path.join(root, file), 'utf8');
  return {
    root: readPackage('.'),
    packages: workspacePackages(),
    catalog: parse(text('pnpm-workspace.yaml')).catalog,
    toolchain: { node: NODE_VERSION, pnpm: PNPM_VERSION },
    releasedTogether: JSON.parse(text('.changeset/config.json')).fixed.flat(),
    shared: globSync('{packages,apps,tests,tooling}/**/*.ts', {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'dist',
    })
      .filter((file) => !isolatedTests.includes(file))
      .map((file) => ({ file, text: text(file) }))
      .filter((source) => source.text.includes("from 'vitest'")),
    read(folder, file) {
      try {
        return text(path.join(folder, file));
      } catch {
        return undefined;
      }
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = violations(readRepository());
  for (const sentence of found) process.stdout.write(`${sentence}\n`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
