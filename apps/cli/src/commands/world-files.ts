/** `broadside world export` and `import`: worlds as files. */
import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { controlContract, parseJson, type WireError } from '@broadside/core';
import { exportWorld, importWorld, PACKED_WORLD_TYPE } from '@broadside/core/resources/control';
import type { Command, Invocation } from '../command.ts';
import { findCredentials } from '../credentials.ts';
import { CliError, messageOf, systemCode, UsageError } from '../errors.ts';
import { exitOfStatus } from '../exit-codes.ts';
import type { Flag } from '../flag.ts';
import type { Io } from '../io.ts';
import { prettyJson } from '../json.ts';
import { Output, outputFlags } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { networkHints, reasonLines } from '../report.ts';
import { grouped, printable } from '../text.ts';
import { controlFlags, openControl, printWorld, worldIdOf, worldInUse } from './control.ts';

const { create, get } = controlContract.control.worlds;

/** What files of worlds are called. */
const EXTENSION = '.world';

const SECRETS = 'It holds keys, tokens and passwords: keep it as you keep the data directory.';

/** `broadside world export`. */
export const exportCommand: Command = {
  kind: 'command',
  words: ['world', 'export'],
  summary: exportWorld.summary,
  description: `${exportWorld.description} The file appears under its name when all of it is there, with mode 0600.`,
  positionals: [
    {
      name: 'world',
      description: 'The world, by id or name. Default: the one in use.',
      required: false,
    },
    {
      name: 'file',
      description: `The file to write. Default: the name of the world with ${EXTENSION}. One word that ends in ${EXTENSION} is the file.`,
      required: false,
      completes: 'file',
    },
  ],
  sections: [
    {
      title: 'File',
      flags: [
        {
          name: 'force',
          kind: 'boolean',
          hint: '',
          description: 'Replaces a file that is there already.',
        } satisfies Flag,
      ],
    },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
    controlFlags(),
  ],
  examples: [
    { line: 'broadside world export autumn' },
    { line: 'broadside world export autumn before-sale.world --json' },
  ],
  run: runExport,
};

/** `broadside world import`. */
export const importCommand: Command = {
  kind: 'command',
  words: ['world', 'import'],
  summary: importWorld.summary,
  description: importWorld.description,
  positionals: [{ name: 'file', description: 'The file of an export.', required: true, completes: 'file' }],
  sections: [
    {
      title: 'World',
      flags: [
        { name: 'name', kind: 'text', hint: 'text', description: importWorld.query.name },
        { name: 'ttl-seconds', kind: 'text', hint: 'n', description: importWorld.query.ttl_seconds },
      ],
    },
    outputFlags(create.data, { many: false, raw: false }),
    controlFlags(),
  ],
  examples: [{ line: 'broadside world import autumn.world --name "autumn, again"' }],
  run: runImport,
};

async function runExport({ io, flags, words }: Invocation): Promise<void> {
  const [first, second] = words;
  const isFile = second === undefined && first?.endsWith(EXTENSION) === true;
  const named = isFile ? undefined : first;
  const found = findCredentials(io, flags);
  const isForced = flags.on('force');
  const given = isFile ? first : second;
  if (given === '-') throw new UsageError('A world is exported to a file, not to stdout', [SECRETS]);
  if (given !== undefined) refuseTaken(io, given, isForced);
  const control = await openControl(io, flags, found);
  const world_id = await worldIdOf(control, named ?? worldInUse(found));
  const { id, name } = get.data.parse(await control.call(get, { world_id }));
  const file = given ?? `${fileNameOf(name, id)}${EXTENSION}`;
  refuseTaken(io, file, isForced);
  const transfer = new Transfer(io, !flags.on('json'));
  const bytes = await transfer.run(async (signal) => {
    const answer = await control.request(exportWorld.path.replace(':world_id', encodeURIComponent(id)), {
      method: exportWorld.method,
      signal,
    });
    if (!answer.ok) throw await rejection(exportWorld.id, answer);
    return writeWhole(path.resolve(io.cwd, file), isForced, transfer.counted(answer.body ?? [], undefined));
  });
  if (flags.on('json')) {
    await io.stdout.write(`${prettyJson({ id, name, file: path.resolve(io.cwd, file), bytes })}\n`);
    return;
  }
  const called = name === id ? printable(id) : `${printable(name)} (${id})`;
  await io.stderr.write(`World ${called} is in ${printable(file)}, ${grouped(bytes)} bytes.\n${SECRETS}\n`);
}

async function runImport({ io, flags, words }: Invocation): Promise<void> {
  const output = await Output.open(io, flags, create.data);
  const [name = ''] = words;
  const file = path.resolve(io.cwd, name);
  const size = await sizeOf(file, name);
  const query = new URLSearchParams();
  for (const parameter of ['name', 'ttl_seconds'] as const) {
    const text = flags.text(parameter.replace('_', '-'));
    if (text !== undefined) query.set(parameter, text);
  }
  const control = await openControl(io, flags, findCredentials(io, flags));
  const transfer = new Transfer(io, output.format === 'human');
  const made = await transfer.run(async (signal) => {
    const answer = await control.request(`${importWorld.path}?${query}`, {
      method: importWorld.method,
      headers: { 'content-type': PACKED_WORLD_TYPE },
      body: ReadableStream.from(transfer.counted(createReadStream(file), size)),
      duplex: 'half',
      signal,
    });
    if (!answer.ok) throw await rejection(importWorld.id, answer);
    const body = parseJson(await answer.text());
    return create.data.parse(typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined);
  });
  await (output.format === 'human' ? printWorld(output, made) : output.one(made));
}

/** @throws UsageError */
async function sizeOf(file: string, name: string): Promise<number> {
  try {
    const found = await stat(file);
    if (found.isFile()) return found.size;
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${messageOf(error)}`);
  }
  throw new UsageError(`${name} is no file`);
}

/** Bytes on the way, shown on a terminal, which ^C ends. */
class Transfer {
  readonly #io: Io;
  readonly #bar: ProgressBar;
  readonly #isShown: boolean;

  /** @param isForPeople false where a program reads the output */
  constructor(io: Io, isForPeople: boolean) {
    this.#io = io;
    this.#bar = new ProgressBar(io.stderr, () => performance.now());
    this.#isShown = isForPeople && io.stderr.isTTY;
  }

  /** @throws CliError when it is stopped or the connection ends */
  async run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const stop = new AbortController();
    const undo = this.#io.onInterrupt(() => stop.abort());
    try {
      return await work(stop.signal);
    } catch (error) {
      if (stop.signal.aborted) throw new CliError('interrupted', 'Stopped; nothing is left of it.', [], error);
      throw error;
    } finally {
      undo();
      await this.#bar.end();
    }
  }

  /** The same bytes, while their number is shown. */
  async *counted(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, total: number | undefined) {
    let done = 0;
    for await (const chunk of bytes) {
      done += chunk.byteLength;
      if (this.#isShown) this.#bar.show({ done, total, note: `${(done / 1e6).toFixed(1)} MB` });
      yield chunk;
    }
  }
}

function refuseTaken(io: Io, file: string, isForced: boolean): void {
  if (isForced || !existsSync(path.resolve(io.cwd, file))) return;
  throw new UsageError(`${file} is there already`, ['--force replaces it.']);
}

/** A name for a file in the working directory. */
function fileNameOf(name: string, id: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._ -]+/gu, '-').replace(/^[.-]+/, '');
  return safe === '' ? id : safe;
}

/** Writes a file beside its place and puts it there when all of it is on disk. @returns its length in bytes @throws UsageError, CliError */
async function writeWhole(file: string, isForced: boolean, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const beside = `${file}.${randomBytes(6).toString('hex')}.part`;
  let written = 0;
  try {
    const handle = await open(beside, 'wx', 0o600);
    try {
      for await (const chunk of bytes) {
        await handle.writeFile(chunk);
        written += chunk.byteLength;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isForced) await rename(beside, file);
    // Unlike renaming, this replaces no file that has come meanwhile.
    else await link(beside, file);
    return written;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new UsageError(`${file} is there already`, ['--force replaces it.']);
    if (error instanceof Error && 'syscall' in error) {
      throw new CliError('usage', `${file} cannot be written: ${messageOf(error)}`, [], error);
    }
    if (error instanceof TypeError) {
      const lines = ['Nothing was written.', ...networkHints(false, 'GET')];
      throw new CliError('unreachable', `The export ended before its end: ${messageOf(error)}`, lines, error);
    }
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

async function rejection(operation: string, answer: Response): Promise<CliError> {
  const errors = errorsIn(await answer.text());
  const lines = reasonLines(errors);
  const details = { operation, status: answer.status, errors };
  return new CliError(
    exitOfStatus(answer.status),
    `${operation} was rejected with ${answer.status}`,
    lines,
    undefined,
    details,
  );
}

function errorsIn(text: string): readonly WireError[] {
  try {
    const body = parseJson(text);
    const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : undefined;
    return Array.isArray(errors) ? errors.filter(isWireError) : [];
  } catch {
    return [];
  }
}

function isWireError(value: unknown): value is WireError {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
}
