/** The workflow files, which no run of the tests executes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readPackage } from './packages.mjs';
import { root } from './toolchain.mjs';

const folder = path.join(root, '.github/workflows');
const files = readdirSync(folder);

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

function jobsOf(file: string): Readonly<Record<string, Job>> {
  const { jobs }: { readonly jobs: Readonly<Record<string, Job>> } = parse(
    readFileSync(path.join(folder, file), 'utf8'),
  );
  return jobs;
}

test.each(files)('%s uses actions of one major version, and scripts and files that exist', (file) => {
  const jobs = Object.values(jobsOf(file));
  const steps = jobs.flatMap((job) => job.steps ?? []);
  for (const uses of [...jobs, ...steps].flatMap((each) => each.uses ?? [])) {
    if (uses.startsWith('./')) expect(existsSync(path.join(root, uses)), uses).toBe(true);
    else expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  }
  const commands = steps.flatMap((step) => [step.run, step.with?.['version'], step.with?.['publish']]).map(String);
  for (const [, script = ''] of commands.join('\n').matchAll(/npm run ([\w:-]+)/g)) {
    expect(readPackage('.').manifest.scripts, script).toHaveProperty([script]);
  }
});

test('the release publishes after the checks, with provenance and nothing beyond what that needs', () => {
  const release = jobsOf('release.yml')['release'];
  expect(release).toMatchObject({
    needs: 'check',
    permissions: { contents: 'write', 'pull-requests': 'write', 'id-token': 'write' },
  });
  expect(release?.steps?.at(-1)?.env).toMatchObject({ NPM_CONFIG_PROVENANCE: 'true' });
});
