/** `broadside status`: the server on a data directory. */
import path from 'node:path';
import type { Command, Invocation } from '../command.ts';
import { worldUsedAt } from '../credentials.ts';
import { CliError } from '../errors.ts';
import { prettyJson } from '../json.ts';
import { painter } from '../paint.ts';
import { queryFlag, readQuery } from '../query.ts';
import { askReadyHere, dataDirectory, dataDirFlag, type Readiness, serverOn } from '../server-state.ts';
import { pairs } from '../table.ts';
import { printable } from '../text.ts';

/** `broadside status`. */
export const statusCommand: Command = {
  kind: 'command',
  words: ['status'],
  summary: 'Say whether a server runs on the data directory, and where',
  description: 'Ends with 0 when it is ready, with 6 when it runs and is not, and with 5 when none runs.',
  positionals: [],
  sections: [
    { title: 'Server', flags: [dataDirFlag] },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }, queryFlag] },
  ],
  examples: [{ line: 'broadside status' }, { line: 'broadside status --query urls.sandbox' }],
  run: status,
};

async function status({ io, flags }: Invocation): Promise<void> {
  const query = await readQuery(flags);
  const directory = await dataDirectory(io, flags);
  const server = await serverOn(directory);
  const readiness: Readiness | undefined = server?.local_urls && (await askReadyHere(io, server.local_urls));
  const state = server ? (readiness?.state ?? 'starting') : 'stopped';
  const facts = {
    state,
    data_directory: directory,
    world: worldUsedAt(io, path.join(directory, 'credentials.json')),
    ...(server
      ? {
          pid: server.pid,
          ...(server.isHere ? {} : { machine: server.machine }),
          version: server.version,
          started_at: server.started_at,
          ...(server.urls ? { urls: server.urls } : {}),
          ...(server.control_url === undefined ? {} : { control: server.control_url }),
        }
      : {}),
    ...(readiness?.reasons.length ? { reasons: readiness.reasons } : {}),
    ...(readiness?.notices.length ? { notices: readiness.notices } : {}),
  };
  if (query) await query.print(io, facts);
  else if (flags.on('json')) await io.stdout.write(`${prettyJson(facts)}\n`);
  else await io.stdout.write(pairs(rowsOf(facts), painter(io.stdout, io.env)));
  if (state === 'ready') return;
  if (!server) throw new CliError('unreachable', `No server runs on ${directory}`);
  throw new CliError(state === 'unreachable' ? 'unreachable' : 'unavailable', `The server is ${state}`);
}

function rowsOf(facts: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(facts).flatMap(([name, value]): (readonly [string, string])[] => {
    if (Array.isArray(value)) return value.map((item) => [name, printable(String(item))] as const);
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).map(([listener, url]) => [listener, printable(String(url))] as const);
    return [[name, printable(String(value))]];
  });
}
