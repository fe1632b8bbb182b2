/** `broadside api`: any request, signed. For requests without a command, and for inspecting the HTTP exchange. */
import type { RawRequest } from '@broadside/client';
import type { Command, Invocation } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import { UsageError } from '../errors.ts';
import { inputFlags, readInput } from '../input.ts';
import { queryFlag, readQuery } from '../query.ts';
import { openSession } from '../session.ts';
import { printAnswer } from './answer.ts';
import { curlOf } from './curl-line.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** `broadside api METHOD PATH [key=value ...]`. */
export const apiCommand: Command = {
  kind: 'command',
  words: ['api'],
  summary: 'Send any request, signed, and print the answer',
  description:
    'Parameters go into the query of GET and DELETE, and into a form body otherwise. The path may hold a query of its own. The exit code follows the status (help exit-codes).',
  positionals: [
    {
      name: 'method',
      description: `One of ${METHODS.join(', ')}; GET when left out.`,
      required: false,
      values: METHODS,
    },
    { name: 'path', description: 'Begins with /, such as /12/accounts.', required: true },
    { name: 'key=value', description: 'Parameters.', required: false, rest: true },
  ],
  sections: [
    {
      title: 'Request',
      flags: [
        {
          name: 'base',
          kind: 'boolean',
          hint: '',
          description: 'Send to {base_url}: authentication and data retrieval.',
        },
        {
          name: 'bearer',
          kind: 'boolean',
          hint: '',
          description: "Send the app's bearer token in place of a signature.",
        },
        ...inputFlags('The body').flags,
        {
          name: 'dry-run',
          kind: 'boolean',
          hint: '',
          description:
            'Send nothing; print the signed request as a curl command that can be run once, within five minutes.',
        },
      ],
    },
    {
      title: 'Output',
      flags: [
        { name: 'include', short: 'i', kind: 'boolean', hint: '', description: 'Print status and headers too.' },
        queryFlag,
      ],
    },
    connectionFlags,
  ],
  examples: [
    { line: 'broadside api GET /12/accounts count=5' },
    { line: 'broadside api POST /12/accounts --sandbox --dry-run' },
    { line: `broadside api PUT /12/accounts/18ce54d4x5t --sandbox name='Harbour Books'` },
  ],
  run: runApi,
};

async function runApi({ io, flags, words }: Invocation): Promise<void> {
  const { method, path, params } = readWords(words);
  const json = await readInput(io, flags);
  if (flags.on('base') && flags.has('sandbox')) throw new UsageError('--base and --sandbox name different addresses');
  const inQuery = method === 'GET' || method === 'DELETE' || json !== undefined;
  const request: RawRequest = {
    method,
    path,
    ...(inQuery ? { query: params } : { form: params }),
    ...(json === undefined ? {} : { json }),
    host: flags.on('base') ? 'base' : 'ads',
    auth: flags.on('bearer') ? 'bearer' : 'oauth',
  };
  const query = await readQuery(flags);
  if (flags.on('dry-run')) {
    if (query || flags.on('include')) throw new UsageError('--dry-run has no answer; leave out --query and --include');
    await io.stdout.write(`${await curlOf(io, flags, request)}\n`);
    return;
  }
  const { client } = await openSession(io, flags);
  const include = flags.on('include');
  await printAnswer(io, await client.request(request), { include, pretty: io.stdout.isTTY, query });
}

function readWords(words: readonly string[]): { method: string; path: string; params: Record<string, string> } {
  const [first = '', ...others] = words;
  const [method, path = '', pairs] = first.startsWith('/')
    ? ['GET', first, others]
    : [first.toUpperCase(), others[0], others.slice(1)];
  if (!METHODS.some((known) => known === method)) {
    throw new UsageError(`"${first}" is not a method; there are ${METHODS.join(', ')}`);
  }
  if (path === '')
    throw new UsageError('The path is missing: broadside api METHOD PATH, such as broadside api GET /12/accounts');
  if (!path.startsWith('/')) throw new UsageError(`The path must begin with "/", not "${path}"`);
  const params: Record<string, string> = {};
  for (const pair of pairs) {
    const mark = pair.indexOf('=');
    if (mark < 1) throw new UsageError(`"${pair}" is not of the form key=value`);
    const name = pair.slice(0, mark);
    if (Object.hasOwn(params, name)) throw new UsageError(`"${name}" is given twice`);
    params[name] = pair.slice(mark + 1);
  }
  return { method, path, params };
}
