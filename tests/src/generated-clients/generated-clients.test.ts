/**
 * Generators of clients make one of each document with nothing left out, and the example of the guide for each of them lists,
 * creates, reads pages and is told of a mistake.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import openapiTypes, { astToString } from '@broadside/openapi-typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageArguments } from '../support/package-arguments.ts';
import { findPython } from '../support/python.ts';
import { ServerProcess } from '../support/server-process.ts';
import { at, objectSchemas, type ServedDocument, servedDocuments } from './documents.ts';
import { findGo, missingPackages, runGo } from './go.ts';

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');
const examples = path.join(root, 'docs/examples');
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-generated-'));
const credentials = path.join(directory, 'data/credentials.json');

/** Generators and compilers take seconds, and much longer on a busy machine; Go compiles its generator first. */
const timeout = 3_600_000;

/** The output of each of the programs. */
const printed = [
  'page: Spring, Summer',
  'page: Winter',
  'chosen: Winter, Summer',
  'error: 400 INVALID_PARAMETER daily_budget_amount_local_micro',
  '',
];

let server: ServerProcess;
let documents: Awaited<ReturnType<typeof servedDocuments>>;
/** The documents that clients are generated of; that of production is a part of that of the sandbox. */
let generated: readonly (readonly ['broadside' | 'broadside_api', ServedDocument])[];

beforeAll(async () => {
  server = await ServerProcess.start(path.dirname(credentials));
  documents = await servedDocuments(server);
  generated = [
    ['broadside', documents.sandbox],
    ['broadside_api', documents.api],
  ];
});

afterAll(async () => {
  await server.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
});

/** A directory with the documents, one file for each client. */
function workshop(name: string): string {
  const place = path.join(directory, name);
  mkdirSync(place);
  for (const [client, { text }] of generated) writeFileSync(path.join(place, `${client}.json`), text);
  return place;
}

test('the document of production has nothing that the sandbox has not, so that clients of the one serve both', () => {
  const { ads, sandbox } = documents;
  for (const { path: url, method } of ads.operations) {
    const place = ['paths', url, method.toLowerCase()] as const;
    expect(at(ads.json, ...place), `${method} ${url}`).toEqual(at(sandbox.json, ...place));
  }
  for (const [name, schema] of Object.entries(Object(at(ads.json, 'components', 'schemas')))) {
    if (name !== 'ErrorCode') expect(schema, name).toEqual(at(sandbox.json, 'components', 'schemas', name));
  }
});

test('the guide quotes the examples as they are', () => {
  const guide = readFileSync(path.join(root, 'docs/guides/generated-clients.md'), 'utf8');
  for (const name of ['generated-client.ts', 'generated-client.py', 'generated-client.go']) {
    expect(guide).toContain(readFileSync(path.join(examples, name), 'utf8').trim());
  }
});

describe('openapi-typescript', () => {
  test('types all operations, asks for what must be there only, and its types carry the example', {
    timeout,
  }, async () => {
    const place = workshop('typescript');
    for (const [client, document] of generated) {
      const types = astToString(await openapiTypes(document.text));
      writeFileSync(path.join(place, `${client}.ts`), types);
      writeFileSync(path.join(place, `${client}-facts.ts`), factsOf(client, document));
    }
    cpSync(path.join(examples, 'generated-client.ts'), path.join(place, 'generated-client.ts'));
    symlinkSync(path.join(examples, 'node_modules'), path.join(place, 'node_modules'));
    const settings = {
      extends: path.join(root, 'tooling/tsconfig/base.json'),
      compilerOptions: { noEmit: true, types: ['node'], typeRoots: [path.join(root, 'tests/node_modules/@types')] },
      include: ['*.ts'],
    };
    writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify(settings));
    writeFileSync(path.join(place, 'package.json'), JSON.stringify({ type: 'module' }));
    const compiler = path.join(root, 'tests/node_modules/.bin/tsc');
    const compiled = await execute(compiler, ['-p', place]).catch((error) => error);
    expect(compiled.stdout).toBe('');
    const { stdout } = await execute(process.execPath, [
      ...packageArguments,
      path.join(place, 'generated-client.ts'),
      credentials,
    ]);
    expect(stdout.split('\n')).toEqual(printed);
  });
});

/** A file that compiles when the types of each operation are there, with the names that must be there and no others. */
function factsOf(client: string, document: ServedDocument): string {
  const keys = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' | ') || 'never';
  const operations = document.operations.flatMap(({ method, path: url, query, statuses, hasBody }) => {
    const operation = `paths['${url}']['${method.toLowerCase()}']`;
    const parameters = `NonNullable<${operation}['parameters']['query']>`;
    return [
      `Same<keyof ${operation}['responses'], ${statuses.join(' | ')}>`,
      ...(hasBody ? [`Same<keyof NonNullable<${operation}['requestBody']>, 'content'>`] : []),
      ...(query.all.length > 0
        ? [`Same<keyof ${parameters}, ${keys(query.all)}>`, `Same<Needed<${parameters}>, ${keys(query.required)}>`]
        : []),
    ];
  });
  const schemas = objectSchemas(document).map(
    ([name, required]) => `Same<Needed<components['schemas']['${name}']>, ${keys(required)}>`,
  );
  return [
    `import type { components, paths } from './${client}.ts';`,
    'type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };',
    'type Needed<T, N = Named<T>> = { [K in keyof N]-?: object extends Pick<N, K> ? never : K }[keyof N];',
    'type Same<A, B> = [A, B] extends [B, A] ? true : false;',
    `export const facts: [${[...operations, ...schemas].join(',\n')}] = [${[...operations, ...schemas].map(() => 'true').join(', ')}];`,
  ].join('\n');
}

describe('openapi-python-client', () => {
  test('leaves nothing out, every module can be imported, and the client carries the example', { timeout }, async ({
    skip,
  }) => {
    const python = await findPython('openapi-python-client', path.join(import.meta.dirname, 'requirements.txt'));
    if ('missing' in python) return skip(python.missing);
    const bin = path.dirname(python.program);
    // What the first program compiles of the client is kept beside it for the next.
    const env = { PATH: `${bin}${path.delimiter}${process.env['PATH']}` };
    const place = workshop('python');
    // Formatting what was generated takes as long as generating it.
    writeFileSync(path.join(place, 'settings.yml'), 'post_hooks: []\n');
    const generator = ['-m', 'openapi_python_client', 'generate', '--config', 'settings.yml', '--fail-on-warning'];
    const names: string[] = [];
    for (const [client, document] of generated) {
      const name = client === 'broadside' ? 'broadside_client' : client;
      names.push(name);
      const input = ['--path', `${client}.json`, '--meta', 'none', '--output-path', name];
      const { stdout } = await execute(python.program, [...generator, ...input], {
        cwd: place,
        env,
      });
      expect(stdout.trim().split('\n')).toEqual([`Generating ${name}`]);
      expect(modulesOf(path.join(place, name, 'api'))).toEqual(expectedModules(document));
    }
    const modules = path.join(import.meta.dirname, 'modules.py');
    const imported = await execute(python.program, [modules, ...names], {
      cwd: place,
      env: { ...env, PYTHONPATH: place },
    });
    expect(Number(imported.stdout)).toBeGreaterThan(generated.flatMap(([, { operations }]) => operations).length);
    cpSync(path.join(examples, 'generated-client.py'), path.join(place, 'generated_client.py'));
    const { stdout } = await execute(python.program, ['generated_client.py', credentials], { cwd: place, env });
    expect(stdout.split('\n')).toEqual(printed);
  });
});

/** A module of an operation: its name, whether it sends a body, and the statuses of the responses that it reads. */
interface Module {
  readonly name: string;
  readonly hasBody: boolean;
  readonly statuses: readonly number[];
}

function expectedModules({ operations }: ServedDocument): readonly Module[] {
  return operations
    .map(({ id, hasBody, statuses }) => ({ name: id.replaceAll('.', '_'), hasBody, statuses }))
    .sort(byName);
}

function modulesOf(api: string): readonly Module[] {
  return readdirSync(api, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.py') && path.basename(file) !== '__init__.py')
    .map((file) => {
      const text = readFileSync(path.join(api, file), 'utf8');
      return {
        name: path.basename(file, '.py'),
        hasBody: /_kwargs\["(?:json|data|files)"\] = /.test(text),
        statuses: [...text.matchAll(/response\.status_code == (\d+)/g)].map(([, status]) => Number(status)),
      };
    })
    .sort(byName);
}

function byName(one: Module, other: Module): number {
  return one.name < other.name ? -1 : 1;
}

describe('oapi-codegen', () => {
  test('makes a method of every operation, which compile, and the client carries the example', { timeout }, async ({
    skip,
  }) => {
    const go = await findGo();
    if ('missing' in go) return skip(go.missing);
    const place = workshop('go');
    for (const name of ['go.mod', 'go.sum']) cpSync(path.join(import.meta.dirname, name), path.join(place, name));
    const missing = await missingPackages(go.program, place);
    if (missing !== undefined) return skip(missing);
    cpSync(path.join(examples, 'generated-client.go'), path.join(place, 'main.go'));
    // Without optimization and symbols of debuggers, each compiler on one core, for all packages alike: those that both programs use are
    // compiled once.
    const build = (...args: readonly string[]) =>
      runGo(
        go.program,
        place,
        'build',
        '-buildvcs=false',
        '-gcflags=all=-N -l -dwarf=false -c=1',
        '-ldflags=-s -w',
        ...args,
      );
    const generator = path.join(place, 'oapi-codegen');
    await build('-o', generator, 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen');
    for (const [client, { operations }] of generated) {
      mkdirSync(path.join(place, client));
      const output = path.join(place, client, 'client.go');
      const settings = ['-generate', 'types,client', '-package', client, '-o', output];
      expect(await execute(generator, [...settings, `${client}.json`], { cwd: place })).toMatchObject({ stdout: '' });
      const methods = [...readFileSync(output, 'utf8').matchAll(/^func Parse(\w+)Response\(/gm)].map(
        ([, name]) => name,
      );
      expect(methods.sort()).toEqual(operations.map(({ id }) => goName(id)).sort());
    }
    await build('-o', 'bin/', './...');
    const { stdout } = await execute(path.join(place, 'bin/campaigns'), [credentials]);
    expect(stdout.split('\n')).toEqual(printed);
  });
});

/** The name of an operation in Go: `campaigns.list` is `CampaignsList`. */
function goName(id: string): string {
  return id
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
