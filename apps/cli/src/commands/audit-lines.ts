/** Changes of the logs as a terminal shows them: who changed what, which no table of its width has room for. */
import { operatorContract, stringifyJson } from '@broadside/core';
import type { AuditEntry } from '@broadside/core/resources/operator';
import { isEntity } from '../columns.ts';
import type { Sink } from '../io.ts';
import type { ListOutput, Output } from '../output.ts';
import { printable, wrap } from '../text.ts';

const { data: Entry } = operatorContract.admin.audit;
const INDENT = '  ';
/** More of a value is cut off; --json has all of it. */
const MOST_OF_VALUE = 60;

/** Prints a line for each change, and below it what became of each field. */
export class AuditLines implements ListOutput {
  readonly #stdout: Sink;
  readonly #output: Pick<Output, 'say'>;
  #isEmpty = true;

  constructor(stdout: Sink, output: Pick<Output, 'say'>) {
    this.#stdout = stdout;
    this.#output = output;
  }

  async page(values: readonly unknown[]): Promise<void> {
    for (const entry of Entry.array().parse(values)) {
      this.#isEmpty = false;
      await this.#stdout.write(linesOf(entry, this.#stdout.columns ?? 80));
    }
  }

  async end(): Promise<void> {
    if (this.#isEmpty) await this.#output.say('Nothing found.');
  }
}

function linesOf(
  { change_time, change_type, entity, entity_id, account_id, changes, ...by }: AuditEntry,
  columns: number,
) {
  const who = by.change_by_user_id ?? by.change_by_platform;
  const of = account_id === null ? '' : ` of account ${account_id}`;
  const head = printable(`${change_time} ${change_type} ${entity} ${entity_id}${of} by ${who}`);
  const fields = Object.entries(changes).map(([name, change]) => printable(`${name}: ${changeOf(change)}`));
  return [head, ...fields]
    .map((line, i) => `${i === 0 ? '' : INDENT}${wrap(line, columns - 4, INDENT.repeat(2))}\n`)
    .join('');
}

function changeOf(change: unknown): string {
  if (!isEntity(change)) return shownValue(change);
  const { before, after } = change;
  return before === undefined ? shownValue(after) : `${shownValue(before)} -> ${shownValue(after)}`;
}

function shownValue(value: unknown): string {
  const text = value === undefined ? '-' : stringifyJson(value);
  return text.length > MOST_OF_VALUE ? `${text.slice(0, MOST_OF_VALUE)}…` : text;
}
