/** `broadside check`: what is wrong with a data directory, and setting it right. */
import type { Finding } from '@broadside/server/check';
import type { Command, Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { prettyJson } from '../json.ts';
import { dataDirectory, dataDirFlag, serverOn } from '../server-state.ts';
import { printable } from '../text.ts';

/** `broadside check`. */
export const checkCommand: Command = {
  kind: 'command',
  words: ['check'],
  summary: 'Check the stores and files of a data directory against each other',
  description:
    'Finds damaged stores, rows whose account, person or parent does not exist, grants to accounts that do not, wrong counts of lists, media without bytes, bytes and objects without media, jobs that nobody does, members without an audience, and gaps in the change log. One line for each: store, table, id, what is wrong, and what is done about it. Ends with 1 where something is left. A server may run meanwhile, unless it is to be repaired.',
  positionals: [],
  sections: [
    {
      title: 'Check',
      flags: [
        {
          name: 'repair',
          kind: 'boolean',
          hint: '',
          description:
            'Sets right what can safely be, each store in one transaction, and notes it in repairs.log of the data directory. All servers of the platform have to be stopped.',
        },
        dataDirFlag,
      ],
    },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
  ],
  examples: [{ line: 'broadside check' }, { line: 'broadside check --repair --data-dir ./data' }],
  run: runCheck,
};

async function runCheck({ io, flags }: Invocation): Promise<void> {
  const { check, CheckRefusedError } = await import('@broadside/server/check');
  const directory = await dataDirectory(io, flags);
  const repair = flags.on('repair');
  const isServed = (await serverOn(directory)) !== undefined;
  if (repair && isServed) {
    throw new CliError('refused', `A server runs on ${printable(directory)}`, [
      '`broadside stop` ends it; then repair.',
    ]);
  }
  let findings: readonly Finding[];
  try {
    findings = await check({ env: io.env, dataDirectory: directory, repair, isServed });
  } catch (error) {
    throw error instanceof CheckRefusedError ? new CliError('refused', printable(error.message), [], error) : error;
  }
  if (flags.on('json')) await io.stdout.write(`${prettyJson(findings)}\n`);
  else for (const finding of findings) await io.stdout.write(`${lineOf(finding)}\n`);
  const left = findings.filter(({ repaired }) => !repaired);
  if (findings.length === 0 && !flags.on('json')) await io.stdout.write('Nothing is wrong.\n');
  if (left.length === 0) return;
  const canBe = left.filter(({ repairable }) => repairable).length;
  const hints = canBe > 0 ? [`\`broadside check --repair\` sets ${canBe} of them right, while no server runs.`] : [];
  throw new CliError('refused', `${left.length} ${left.length === 1 ? 'thing is' : 'things are'} wrong`, hints);
}

function lineOf({ store, table, id, what, remedy, repairable, repaired }: Finding): string {
  const then = repaired ? `repaired: ${remedy}` : repairable ? `a repair would ${remedy}` : `by hand: ${remedy}`;
  return printable(`${store} ${table} ${id}: ${what} (${then})`);
}
