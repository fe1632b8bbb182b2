/** Properties of the commands of all operations, including future ones. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  allControlOperations,
  allDataOperations,
  allOperations,
  allOperatorOperations,
  readParams,
} from '@broadside/core';
import { describe, expect, test } from 'vitest';
import { flagsOf } from './command.ts';
import { commandTree } from './command-tree.ts';
import { operationCommand } from './commands/call.ts';
import { commandWords } from './commands/params.ts';
import { exitCodes } from './exit-codes.ts';
import { parseFlags } from './flags.ts';
import { globalFlags } from './global-flags.ts';
import { ACCOUNT_PARAMETER, parametersOf, positionalParameters, SECRET_PARAMETER } from './parameters.ts';
import { runCli } from './testing/run-cli.ts';

const operations = [...allOperations, ...allDataOperations, ...allOperatorOperations, ...allControlOperations];

/** Splits a line as a shell would, as far as our examples need it. */
function shellWords(line: string): string[] {
  const joined = line.replaceAll(/ \\\n\s*/g, ' ');
  return [...joined.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));
}

describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  const command = operationCommand(operation, commandWords(operation));

  test('no parameter takes the name of a flag that the command has anyway', () => {
    const names = [...flagsOf(command), ...globalFlags].flatMap(({ name, short }) => [name, ...(short ? [short] : [])]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  test('its example is the example of the contract', () => {
    const [example] = command.examples ?? [];
    const { words, flags } = parseFlags(
      shellWords(example?.line ?? '').slice(1 + command.words.length),
      flagsOf(command),
      '',
    );
    const given: Record<string, unknown> = {};
    for (const { name, flag, json } of parametersOf(operation)) {
      const text = flag && flags.text(flag.name);
      if (text !== undefined) given[name] = json ? JSON.parse(text) : text;
      if (!flag && example?.file) {
        const content: unknown = JSON.parse(example.file.text);
        if (example.file.name === `${name}.json`) given[name] = content;
        else Object.assign(given, content);
      }
    }
    for (const [place, name] of positionalParameters(operation).entries()) given[name] ??= words[place];
    const { [ACCOUNT_PARAMETER]: account, [SECRET_PARAMETER]: secret, ...others } = { ...operation.example.params };
    const whole = {
      ...others,
      ...(account === undefined ? {} : { account_id: account }),
      ...(secret === undefined ? {} : { password: secret }),
    };
    const completed = {
      ...(account === undefined ? {} : { account_id: account }),
      ...(secret === undefined ? {} : { password: secret }),
      ...given,
    };
    expect(readParams(operation.params, completed).echo).toEqual(readParams(operation.params, whole).echo);
  });

  test('--help says what the contract says', async () => {
    const { code, stdout, stderr } = await runCli([...command.words, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.startsWith(`${operation.summary}\n`)).toBe(true);
    // A command that asks for all pages has no flag for one of them.
    const paged = operation.id === 'admin.users.export' ? ['cursor'] : [];
    for (const { flag } of parametersOf(operation)) {
      if (flag && !paged.includes(flag.name)) expect(stdout).toContain(`--${flag.name}`);
    }
    for (const line of stdout.split('\n'))
      if (!/^ {2,}(broadside|"|\[|\{|\/)/.test(line)) expect(line.length).toBeLessThanOrEqual(80);
  });
});

test('every operation has a command', () => {
  for (const operation of operations) {
    const { id } = operation;
    const [first = '', ...rest] = commandWords(operation);
    let node = commandTree().children.get(first);
    for (const word of rest) node = node?.kind === 'group' ? node.children.get(word) : undefined;
    expect(node?.kind, id).toBe('lazy');
  }
});

test('the README states every exit code in the same words', () => {
  const readme = readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8').replaceAll(/ +/g, ' ');
  for (const { code, meaning } of Object.values(exitCodes)) expect(readme).toContain(`| ${code} | ${meaning} |`);
});
