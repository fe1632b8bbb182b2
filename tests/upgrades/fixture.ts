/**
 * Fixtures of released schemas: data directories as the servers of earlier versions have left them, and what those answered from them.
 *
 * `fixtures/NAME.json.br` has the files of a directory but for large media, which all fixtures share in `fixtures/media`.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { z } from 'zod';

const DIRECTORY = path.join(import.meta.dirname, 'fixtures');
const MEDIA = path.join(DIRECTORY, 'media');
const END = '.json.br';

/** Media from this size on are kept once for all fixtures. */
const LARGE_BYTES = 32 << 10;

/** Files that belong to the process that had the directory open. */
const OF_PROCESS =
  /^(?:lock\.db|lock\.db-journal|server\.json)$|-shm$|^(?:exports|replacing|templates|before-upgrade)\//;

const migrations = z.array(z.object({ tag: z.string(), hash: z.string() }));
const request = z.object({ listener: z.enum(['api', 'ads', 'sandbox']), path: z.string() });

const fixtureSchema = z.object({
  /** The version of the server that wrote it. */
  version: z.string(),
  /** The migrations of its stores, in order. */
  migrations: z.object({ platform: migrations, ads: migrations }),
  /** Reads that the server answered with 200, and their answers. */
  answers: z.array(z.object({ request, body: z.unknown() })),
  /** An audience of the sandbox and its identifiers, where the version had audiences. */
  audience: z.object({ id: z.string(), keys: z.number() }).nullable(),
  /** The id of another world, where the version hosted several. */
  world: z.string().nullable(),
});

const packedSchema = fixtureSchema.extend({
  /** Contents in base64 by path. */
  files: z.record(z.string(), z.string()),
  /** Hashes of large media by path. */
  media: z.record(z.string(), z.string()),
});

/** What a fixture says of itself. */
export type Fixture = z.infer<typeof fixtureSchema>;

/** The names of all fixtures, those of older schemas first. */
export function fixtureNames(): readonly string[] {
  const names = readdirSync(DIRECTORY).filter((name) => name.endsWith(END));
  const all = names.map((name) => name.slice(0, -END.length));
  const age = (name: string) => {
    const { platform, ads } = read(name).migrations;
    return platform.length + ads.length;
  };
  return all
    .map((name) => ({ name, age: age(name) }))
    .sort((a, b) => a.age - b.age)
    .map(({ name }) => name);
}

/** Puts the data directory of a fixture in a place where nothing is. */
export function unpackFixture(name: string, directory: string): Fixture {
  const { files, media, ...fixture } = read(name);
  for (const [file, text] of Object.entries(files)) put(directory, file, Buffer.from(text, 'base64'));
  for (const [file, hash] of Object.entries(media)) put(directory, file, readFileSync(path.join(MEDIA, hash)));
  return fixture;
}

/** Makes a fixture of a data directory that no server has open. */
export function packFixture(name: string, directory: string, fixture: Fixture): void {
  const files: Record<string, string> = {};
  const media: Record<string, string> = {};
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = path.relative(directory, path.join(entry.parentPath, entry.name));
    if (!entry.isFile() || OF_PROCESS.test(file)) continue;
    const bytes = readFileSync(path.join(directory, file));
    if (bytes.length < LARGE_BYTES || !/(?:^|\/)media\//.test(file)) files[file] = bytes.toString('base64');
    else media[file] = keep(bytes);
  }
  const text = JSON.stringify({ ...fixture, files, media });
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(path.join(DIRECTORY, `${name}${END}`), brotliCompressSync(text, { params }));
}

function keep(bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  mkdirSync(MEDIA, { recursive: true });
  if (!existsSync(path.join(MEDIA, hash))) writeFileSync(path.join(MEDIA, hash), bytes);
  return hash;
}

function put(directory: string, file: string, bytes: Buffer): void {
  const place = path.join(directory, file);
  mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 });
  writeFileSync(place, bytes, { mode: 0o600 });
}

function read(name: string): z.infer<typeof packedSchema> {
  const text = brotliDecompressSync(readFileSync(path.join(DIRECTORY, `${name}${END}`))).toString();
  return packedSchema.parse(JSON.parse(text));
}
