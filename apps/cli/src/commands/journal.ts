/** `broadside journal`: the last calls of a world, listed, followed, shown, exported and verified. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { controlContract, type OutcomeOf, parseJson } from '@broadside/core';
import { DEFAULT_WORLD } from '@broadside/core/resources/control';
import { JournalCall } from '@broadside/core/resources/control/journal';
import type { Command, Group, Invocation, Node } from '../command.ts';
import { findCredentials } from '../credentials.ts';
import { CliError, messageOf, PassedExit, UsageError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import { prettyJson } from '../json.ts';
import { Output, outputFlags } from '../output.ts';
import { painter } from '../paint.ts';
import { type Parameter, parametersOf } from '../parameters.ts';
import { printable } from '../text.ts';
import { CallLines } from './call-lines.ts';
import { controlFlags, inWorld, openControl, worldIdOf, worldInUse } from './control.ts';
import { followCalls } from './journal-follow.ts';
import type { WorldCall } from './journal-page.ts';
import { limitOf, pagingFlags } from './limit.ts';
import { printPages } from './pages.ts';
import { checkParams, type Params, readGiven } from './params.ts';

const { list, get, code, har, verify } = controlContract.control.journal;

const connection: FlagSection = {
  title: 'Connection',
  flags: [
    { name: 'world-id', kind: 'text', hint: 'id', description: 'The world, by id or name. Default: the one in use.' },
    ...controlFlags().flags,
  ],
};

async function openWorld({ io, flags }: Invocation): Promise<WorldCall> {
  const found = findCredentials(io, flags);
  const control = await openControl(io, flags, found);
  const world_id = await worldIdOf(control, flags.text('world-id') ?? worldInUse(found));
  return (operation, params = {}) => control.call(operation, { world_id, ...params });
}

/** Says which world is looked at, where it is neither named nor the default one. */
async function sayWorld({ io, flags }: Invocation): Promise<void> {
  if (flags.text('world-id') !== undefined) return;
  const found = findCredentials(io, flags);
  const id = worldInUse(found);
  if (id !== DEFAULT_WORLD) await io.stderr.write(`${inWorld(id, found)}\n`);
}

/** The group of an operation's commands, with those that people want in their place. */
export function journalGroup(node: Node): Node {
  if (node.kind !== 'group') return node;
  const own = [listCommand, showCommand, harCommand, verifyCommand].map((command): [string, Node] => {
    const { words, summary } = command;
    return [words.at(-1) ?? '', { kind: 'lazy', words, summary, load: () => command }];
  });
  const children = new Map<string, Node>([...node.children, ...own]);
  const summary = 'The last calls of a world: list, show, verify, har, ...';
  return { ...node, summary, children, usual: 'list' } satisfies Group;
}

/** Parameters of an operation beside the world, which has a flag of its own. */
function ownParameters(operation: typeof list | typeof har): readonly Parameter[] {
  return parametersOf(operation).filter(({ name }) => name !== 'world_id');
}

function filtersOf(operation: typeof list | typeof har): FlagSection {
  return { title: 'Calls', flags: ownParameters(operation).flatMap(({ flag }) => flag ?? []) };
}

async function paramsOf(operation: typeof list | typeof har, call: Invocation): Promise<Params> {
  const parameters = ownParameters(operation);
  const given = await readGiven(operation, parameters, call);
  checkParams(operation, parameters, { world_id: 'default', ...given });
  return given;
}

const listCommand: Command = {
  kind: 'command',
  words: ['journal', 'list'],
  summary: 'List the last calls of a world, the newest first',
  description: `${list.description} With --follow the last ones are shown, and then each as it is answered.`,
  sections: [
    filtersOf(list),
    pagingFlags,
    {
      title: 'Following',
      flags: [
        {
          name: 'follow',
          kind: 'boolean',
          hint: '',
          description: 'Goes on until ^C, also when the server is started again. With --json one document a line.',
        },
      ],
    },
    outputFlags(JournalCall, { many: true, raw: false }),
    connection,
  ],
  examples: [
    { line: 'broadside journal list --failed' },
    { line: 'broadside journal --follow --operation "campaigns.*"' },
  ],
  async run(call) {
    const { io, flags } = call;
    const output = await Output.open(io, flags, JournalCall);
    const params = await paramsOf(list, call);
    const limit = limitOf(flags, output);
    if (flags.on('follow') && output.query) throw new UsageError('--query and --follow cannot be used together');
    if (flags.on('follow') && limit !== undefined) throw new UsageError('--follow goes with neither --limit nor --all');
    await sayWorld(call);
    if (flags.on('follow')) return followCalls(call, output, (io) => openWorld({ ...call, io }), params);
    const control = await openWorld(call);
    const printed = output.isUsual ? new CallLines(io) : output.many();
    await printPages(params, output, limit, (asked) => control(list, asked), printed);
  },
};

const languages = { curl: 'CURL', typescript: 'TYPESCRIPT', python: 'PYTHON' } as const;

const showCommand: Command = {
  kind: 'command',
  words: ['journal', 'show'],
  summary: 'Show a call of a world, or write it as code',
  positionals: [{ name: 'call-id', description: 'The call: the x-request-id of its answer.', required: true }],
  sections: [
    {
      title: 'Code',
      flags: [
        {
          name: 'curl',
          kind: 'boolean',
          hint: '',
          description: 'As a command of curl; placeholders stand for secrets.',
        },
        { name: 'sign', kind: 'boolean', hint: '', description: 'The same, signed with the credentials of the demo.' },
        {
          name: 'code',
          kind: 'text',
          hint: 'language',
          values: Object.keys(languages),
          description: 'As code: curl, typescript or python.',
        },
      ],
    },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
    connection,
  ],
  examples: [
    { line: 'broadside journal show k3v9q2m4xw-1f' },
    { line: 'broadside journal show k3v9q2m4xw-1f --code typescript' },
  ],
  async run(call) {
    const { io, flags, words } = call;
    const call_id = words[0] ?? '';
    const named = flags.text('code');
    if (named !== undefined && (flags.on('curl') || flags.on('sign'))) {
      throw new UsageError('--code goes with neither --curl nor --sign');
    }
    const language = Object.entries(languages).find(([name]) => name === named)?.[1];
    if (named !== undefined && language === undefined) {
      throw new UsageError(`--code is "${named}"; it is one of ${Object.keys(languages).join(', ')}`);
    }
    const control = await openWorld(call);
    await sayWorld(call);
    if (language !== undefined || flags.on('curl') || flags.on('sign')) {
      const params = { call_id, language: language ?? 'CURL', sign: flags.on('sign') };
      const { text } = code.data.parse(await control(code, params));
      await io.stdout.write(flags.on('json') ? `${prettyJson(text)}\n` : `${text}\n`);
      return;
    }
    const found = JournalCall.parse(await control(get, { call_id }));
    await io.stdout.write(`${flags.on('json') ? prettyJson(found) : shownCall(found)}\n`);
  },
};

/** A call as people read it. */
function shownCall(call: JournalCall): string {
  const { method, base_url, path: target, query, operation, status, duration_ms, caller, delivery, time } = call;
  const who =
    caller === null ? 'nobody who was proved' : `${caller.kind} ${caller.screen_name ?? caller.app_id ?? ''}`.trim();
  const facts: (readonly [string, string | undefined])[] = [
    ['Call', `${operation ?? 'none'} (${call.adapter})`],
    ['Request', `${method} ${base_url}${target}${query === '' ? '' : `?${query}`}`],
    ['Time', `${time}, ${duration_ms} ms; in the world ${call.world_time}`],
    ['Caller', who],
    ['Account', call.account_id ?? undefined],
    ['Answer', `${status}${delivery === 'LOST' ? ', which did not reach the client' : ''}`],
    ['Faults', call.fired.join(', ') || undefined],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(8)} ${printable(value)}`],
  );
  const parts: (readonly [string, unknown, boolean])[] = [
    ['Parameters', call.params, Object.keys(call.params).length > 0],
    ['Errors', call.errors, call.errors.length > 0],
    ['Diagnosis', call.diagnosis, call.diagnosis !== null],
    ['Changes', call.changes, call.changes.length > 0],
    ['Rate limit', call.rate_limit, call.rate_limit !== null],
    ['Body of the answer', parsed(call.answer.body), call.answer.body !== null],
  ];
  for (const [name, value, isThere] of parts) if (isThere) lines.push('', name, prettyJson(value));
  return lines.join('\n');
}

/** A body as JSON where it is that and whole. */
function parsed(body: string | null): unknown {
  if (body === null) return null;
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

const harCommand: Command = {
  kind: 'command',
  words: ['journal', 'har'],
  summary: 'Export the last calls of a world as an HTTP archive',
  description: 'Writes a file of HAR 1.2 to stdout, which the developer tools of browsers open.',
  sections: [filtersOf(har), connection],
  examples: [{ line: 'broadside journal har > calls.har' }],
  async run(call) {
    const params = await paramsOf(har, call);
    const control = await openWorld(call);
    await sayWorld(call);
    await call.io.stdout.write(`${prettyJson(await control(har, params))}\n`);
  },
};

const verifyCommand: Command = {
  kind: 'command',
  words: ['journal', 'verify'],
  summary: 'Verify the calls of a world against what a test expects',
  description:
    'The file holds a list of expectations as JSON. A call is described by operation, params and the like, with times, at_least, at_most or never, or with then and the calls that follow it. A rule is a sentence: "no write was rejected", "nothing was retried after a lost answer without looking first". What calls that the journal has pushed out could decide is not decided, and does not hold. Exit code 0 when all hold, 1 when one does not, 2 when the file is wrong.',
  positionals: [{ name: 'file', description: 'The expectations; - for stdin.', required: true, completes: 'file' }],
  sections: [
    {
      title: 'Calls',
      flags: [
        {
          name: 'since',
          kind: 'text',
          hint: 'time',
          description: 'Calls that arrived at this time of the machine or later.',
        },
      ],
    },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
    connection,
  ],
  examples: [
    {
      line: 'broadside journal verify expected.json',
      file: { name: 'expected.json', text: prettyJson(verify.example.params.expectations) },
    },
  ],
  async run(call) {
    const { io, flags, words } = call;
    const expectations = await readExpectations(call, words[0] ?? '-');
    const since = flags.text('since');
    const control = await openWorld(call);
    await sayWorld(call);
    const params = since === undefined ? { expectations } : { expectations, since };
    const answer = await control(verify, params).catch((error: unknown) => {
      throw error instanceof CliError && error.exit === 'refused' ? inFile(error) : error;
    });
    const result = verify.data.parse(answer);
    if (flags.on('json')) await io.stdout.write(`${prettyJson(result)}\n`);
    else {
      const paint = painter(io.stdout, io.env);
      const lines = result.expectations.map(({ name, passed, decided, message, calls, nearest }) => {
        const verdict = passed ? 'passed' : paint('red', decided ? 'FAILED' : 'UNDECIDED');
        const found = [
          ...(name === message ? [] : [message]),
          // The message has the nearest one.
          ...nearest.slice(1).map(nearText),
          ...(passed || calls.length === 0 ? [] : [`Calls: ${calls.join(', ')}`]),
        ];
        return [`${verdict}  ${printable(name)}`, ...found.map((line) => `        ${printable(line)}`)].join('\n');
      });
      await io.stdout.write(`${lines.join('\n')}\n`);
      if (result.forgotten > 0) {
        await io.stderr.write(
          `The journal has pushed out ${result.forgotten} earlier requests; they were not looked at.\n`,
        );
      }
    }
    if (!result.passed) throw new PassedExit(1);
  },
};

/** What is wrong in the file, whose exit code says so: 1 is that of an expectation that does not hold. */
function inFile({ message, lines, cause, details }: CliError): CliError {
  return new CliError('usage', message, lines, cause, details);
}

type Near = OutcomeOf<typeof verify>['expectations'][number]['nearest'][number];

function nearText({ id, operation, status, differs }: Near): string {
  const how = differs.map(({ of, expected, sent }) => `${of} was ${sent ?? 'not sent'} instead of ${expected}`);
  return `Also near: ${operation ?? 'a call of no operation'} (${id}, ${status}), where ${how.join(', ')}.`;
}

async function readExpectations({ io }: Invocation, file: string): Promise<unknown> {
  let text: string;
  try {
    text = file === '-' ? await io.stdin.text() : readFileSync(path.resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`);
  }
  try {
    const read = parseJson(text.replace(/^\ufeff/, ''));
    const isWhole = typeof read === 'object' && read !== null && 'expectations' in read;
    return isWhole ? read.expectations : read;
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${messageOf(error)}`);
  }
}
