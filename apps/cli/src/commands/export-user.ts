/** `broadside admin users export`: all that is held on a person, as a file of JSON lines. */
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { operatorContract, stringifyJson } from '@broadside/core';
import { isEntity } from '../columns.ts';
import type { Command, Group, Invocation, Node } from '../command.ts';
import { findCredentials } from '../credentials.ts';
import { CliError, messageOf, systemCode, UsageError } from '../errors.ts';
import { prettyJson } from '../json.ts';
import { parametersOf } from '../parameters.ts';
import { grouped, printable } from '../text.ts';
import { adminFlags, findOperator } from './admin.ts';
import { checkParams } from './params.ts';

const operation = operatorContract.admin.users.export;
const parameters = parametersOf(operation).filter(({ name }) => name !== 'cursor');

const command: Command = {
  kind: 'command',
  words: ['admin', 'users', 'export'],
  summary: operation.summary,
  description:
    'Writes a file of JSON, one record a line: first a manifest, last an `end`. Passwords and secrets are left out, the bytes of media are there. The file appears under its name when all of it is there, with mode 0600.',
  sections: [
    {
      title: 'Required',
      flags: [
        ...parameters.flatMap(({ flag }) => flag ?? []),
        { name: 'out', kind: 'text', hint: 'file', required: true, description: 'The file to write.' },
      ],
    },
    {
      title: 'Optional',
      flags: [{ name: 'force', kind: 'boolean', hint: '', description: 'Replaces a file that is there already.' }],
    },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
    adminFlags([]),
  ],
  examples: [{ line: `broadside admin users export --user-id ${operation.example.params.user_id} --out person.jsonl` }],
  run: runExport,
};

/** The operator's group, with the export that writes a file in place of the one that prints. */
export function withExport(node: Node): Node {
  const users = node.kind === 'group' ? node.children.get('users') : undefined;
  if (node.kind !== 'group' || users?.kind !== 'group') return node;
  const { words, summary } = command;
  const own: Node = { kind: 'lazy', words, summary, load: () => command };
  const group: Group = { ...users, children: new Map([...users.children, ['export', own]]) };
  return { ...node, children: new Map([...node.children, ['users', group]]) };
}

async function runExport(call: Invocation): Promise<void> {
  const { io, flags } = call;
  const given = flags.text('out');
  if (given === undefined || given === '') throw new UsageError('--out is missing: the file to write');
  const user_id = flags.text('user-id');
  const params = user_id === undefined ? {} : { user_id };
  checkParams(operation, parameters, params);
  const file = path.resolve(io.cwd, given);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--out is the directory ${printable(given)}; it is a file to write`);
  if (!existsSync(path.dirname(file)))
    throw new UsageError(`--out is in ${printable(path.dirname(given))}, and there is no such directory`);
  const isForced = flags.on('force');
  if (!isForced && existsSync(file)) throw taken(given);
  const say = async (text: string) => void (await io.stderr.write(`${text}\n`));
  const ask = await findOperator(call, findCredentials(io, flags))({ say });
  const beside = `${file}.${randomBytes(6).toString('hex')}.part`;
  let records = 0;
  try {
    const handle = await open(beside, 'wx', 0o600);
    try {
      for (let cursor: unknown; cursor !== null; ) {
        const page = await ask(operation, cursor === undefined ? params : { ...params, cursor });
        if (!isEntity(page) || !Array.isArray(page['data'])) throw new TypeError('an export was answered with no page');
        for (const record of page['data']) await handle.writeFile(`${stringifyJson(record)}\n`);
        records += page['data'].length;
        cursor = page['next_cursor'] ?? null;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isForced) await rename(beside, file);
    // Unlike renaming, this replaces no file that has come meanwhile.
    else await link(beside, file);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw taken(given);
    if (error instanceof Error && 'syscall' in error) {
      throw new CliError('usage', `${given} cannot be written: ${messageOf(error)}`, [], error);
    }
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
  if (flags.on('json')) await io.stdout.write(`${prettyJson({ user_id, file, records })}\n`);
  else await say(`All that is held on the user is in ${printable(given)}, ${grouped(records)} records.`);
}

function taken(file: string): UsageError {
  return new UsageError(`${file} is there already`, ['--force replaces it.']);
}
