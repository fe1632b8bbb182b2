/** `broadside doctor hash`: names the mistake with which an identifier was hashed, without contacting any server. */
import { hash as digestOf } from 'node:crypto';
import type { HashExplanation, HashFinding } from '@broadside/core/hash-doctor';
import type { Command, Invocation } from '../command.ts';
import { textWidth } from '../doctor/render.ts';
import { CliError, UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { prettyJson } from '../json.ts';
import { type Paint, painter } from '../paint.ts';
import { printable, wrap } from '../text.ts';

const FIELDS = ['email', 'device_id', 'handle', 'platform_id', 'phone_number'] as const;

/** The command. */
export const hash: Command = {
  kind: 'command',
  words: ['doctor', 'hash'],
  summary: 'Explain why a hash is not that of an identifier',
  description:
    'Takes a hash, and identifiers that it may be of as you have them: e-mail addresses, telephone numbers, handles, ids. Normalizes the identifiers, hashes them under a table of known mistakes, alone and two at a time, and names those that lead to the hash. Asks no server, and prints no identifier. Exit code 0 when the hash is right, 7 when it is explained why not, 8 when it is not explained.',
  positionals: [
    {
      name: 'hash',
      description: 'The hash as it is sent. Without one, or with -, it is the first line of stdin.',
      required: false,
    },
  ],
  sections: [
    {
      title: 'Identifiers',
      flags: [
        {
          name: 'identifier',
          kind: 'list',
          separate: true,
          hint: 'text',
          description:
            'May be given again for another one. Without it, they are the lines of stdin, which others on this machine cannot see.',
        },
        {
          name: 'field',
          kind: 'text',
          hint: FIELDS.join('|'),
          values: FIELDS,
          description: 'The field in which the hash is sent. Default: any.',
        },
      ],
    },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
  ],
  examples: [
    { line: 'broadside doctor hash < hash-and-identifiers.txt' },
    { line: 'broadside doctor hash HASH --identifier nora@example.com --field email' },
  ],
  run: explain,
};

async function explain({ io, flags, words }: Invocation): Promise<void> {
  const field = fieldOf(flags);
  const { hash: text, identifiers } = await given(io, flags, words[0]);
  const { explainHash, readDigest } = await import('@broadside/core/hash-doctor');
  if (!readDigest(text)) {
    throw new UsageError('The hash is none: a SHA-256 has 64 hexadecimal digits', [
      'broadside help doctor hash tells what comes in which place.',
    ]);
  }
  const explanation = explainHash({
    hash: text,
    identifiers,
    field,
    digest: (algorithm, bytes) => digestOf(algorithm, bytes, 'buffer'),
  });
  if (flags.on('json')) await io.stdout.write(`${prettyJson(explanation)}\n`);
  else await io.stdout.write(render(explanation, painter(io.stdout, io.env), io.stdout.columns));
  if (explanation.verdict === 'right') return;
  throw new CliError(explanation.verdict === 'unexplained' ? 'unexplained' : 'explained', '');
}

function fieldOf(flags: FlagValues): (typeof FIELDS)[number] | undefined {
  const given = flags.text('field');
  const field = FIELDS.find((name) => name === given);
  if (given !== undefined && !field) throw new UsageError(`--field is one of ${FIELDS.join(', ')}, not "${given}"`);
  return field;
}

interface Given {
  readonly hash: string;
  readonly identifiers: readonly string[];
}

async function given(io: Io, flags: FlagValues, word: string | undefined): Promise<Given> {
  const named = flags.all('identifier');
  const isHashThere = word !== undefined && word !== '-';
  if (isHashThere && named) return { hash: word, identifiers: named };
  if (io.stdin.isTTY) {
    const what = isHashThere ? 'Type identifiers' : named ? 'Paste the hash' : 'Paste the hash, and identifiers';
    await io.stderr.write(`${what}, each on a line of its own, then press Ctrl-D:\n`);
  }
  const lines = (await io.stdin.text()).split('\n').map((line) => line.replace(/\r$/, ''));
  const hash = isHashThere ? word : lines.shift();
  const identifiers = named ?? lines.filter((line) => line.trim() !== '');
  if (!hash) throw new UsageError('There is no hash', ['Give it as an argument, or as the first line of stdin.']);
  if (identifiers.length === 0) {
    throw new UsageError('There are no identifiers that the hash could be of', [
      'Give them with --identifier, or as lines of stdin.',
    ]);
  }
  return { hash, identifiers };
}

const HEADLINES = {
  right: 'Right: this is the hash of an identifier',
  explained: 'Wrong, and this is why',
  unexplained: 'This is the hash of none of the identifiers, with no known mistake',
} as const satisfies Record<HashExplanation['verdict'], string>;

function render(
  { verdict, findings, identifier, right }: HashExplanation,
  paint: Paint,
  columns: number | undefined,
): string {
  const width = textWidth({ columns });
  const finding = ({ title, hint }: HashFinding) =>
    `${paint('yellow', wrap(printable(title), width))}\n${wrap(printable(hint), width)}\n`;
  const meant = identifier && `It is of identifier ${identifier.index + 1}, as ${identifier.kind}.`;
  return [
    `${paint('bold', paint(verdict === 'right' ? 'cyan' : 'red', HEADLINES[verdict]))}\n`,
    ...findings.map(finding),
    ...(meant ? [`${meant}${verdict === 'right' ? '' : ` Its hash is\n${right}`}\n`] : []),
  ].join('\n');
}
