/**
 * Makes a fixture of the schema of this version: starts its server on an empty data directory, gives it some data, notes what it answers,
 * ends it and packs the directory. `npm run release:version` does so for each release.
 *
 *   node --conditions=@broadside/source tests/upgrades/make.ts [--name 0.2.0] [--checkout ../older]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'libsql';
import { z } from 'zod';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { testSettings } from '../src/support/server-process.ts';
import { type Fixture, packFixture } from './fixture.ts';
import { furnish, readAll } from './furnish.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** Starts the server of a checkout. @returns what ends it */
async function serve(checkout: string, directory: string): Promise<() => Promise<void>> {
  const main = path.join(checkout, 'apps/server/src/main.ts');
  const child = spawn(process.execPath, ['--conditions=@broadside/source', main], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...testSettings(directory), BROADSIDE_CONTROL_PORT: '0' },
  });
  const ended = once(child, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Broadside is ready')) resolve();
    });
    child.on('exit', () => reject(new Error(`the server has ended: ${said}`)));
  });
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}

/** The migrations that a store has. */
function migrationsIn(file: string): Fixture['migrations']['ads'] {
  const database = new Sqlite(file, { readonly: true });
  try {
    const rows: unknown = database.prepare('SELECT "tag", "hash" FROM "__migrations" ORDER BY "tag"').all();
    return z.array(z.object({ tag: z.string(), hash: z.string() })).parse(rows);
  } finally {
    database.close();
  }
}

const values = readOptions({ options: { name: { type: 'string' }, checkout: { type: 'string', default: ROOT } } });
const manifest: unknown = JSON.parse(readFileSync(path.join(values.checkout, 'apps/server/package.json'), 'utf8'));
const { version } = z.object({ version: z.string() }).parse(manifest);
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-fixture-'));
try {
  const end = await serve(values.checkout, directory);
  let held: Pick<Fixture, 'audience' | 'world' | 'answers'>;
  try {
    held = { ...(await furnish(directory)), answers: await readAll(directory) };
  } finally {
    await end();
  }
  const migrations = {
    platform: migrationsIn(path.join(directory, 'platform.db')),
    ads: migrationsIn(path.join(directory, 'ads-sandbox.db')),
  };
  const name = values.name ?? version;
  packFixture(name, directory, { version, migrations, ...held });
  process.stdout.write(`made the fixture ${name}: ${held.answers.length} answers\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
