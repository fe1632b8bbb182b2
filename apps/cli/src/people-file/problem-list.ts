/** Problems of a file, in memory as far as they are printed, and in a file as far as there are any. */
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { CliError, messageOf, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { FileProblem } from './people-file.ts';

/** Printed for people; more are no help. */
const PRINTED = 20;
/** In the JSON document. */
const KEPT = 1_000;

/** A problem on one line. */
export function placeLine({ line, column, message }: FileProblem): string {
  return `line ${line}${column === undefined ? '' : `, ${column}`}: ${message}`;
}

/** Collects problems. */
export class ProblemList {
  /** The first ones. */
  readonly first: FileProblem[] = [];
  count = 0;
  readonly #name: string | undefined;
  readonly #file: number | undefined;

  /** @param name the file that takes all of them @throws UsageError when it cannot be written */
  constructor({ cwd }: Io, name: string | undefined) {
    this.#name = name;
    if (name === undefined) return;
    try {
      this.#file = openSync(path.resolve(cwd, name), 'w');
      writeSync(this.#file, 'line,column,problem\n');
    } catch (error) {
      throw new UsageError(`${name} cannot be written: ${messageOf(error)}`);
    }
  }

  add(problem: FileProblem): void {
    this.count += 1;
    if (this.first.length < KEPT) this.first.push(problem);
    if (this.#file === undefined) return;
    const cells = [`${problem.line}`, problem.column ?? '', problem.message];
    writeSync(
      this.#file,
      `${cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`,
    );
  }

  /** The failure that reports them. */
  error(isDry: boolean): CliError {
    const lines = this.first.slice(0, PRINTED).map(placeLine);
    const more = this.count - lines.length;
    const all = this.#name === undefined ? '; --problems FILE writes all of them' : `; all are in ${this.#name}`;
    const what = `${this.count} ${this.count === 1 ? 'problem' : 'problems'}`;
    return new CliError(
      'incomplete',
      isDry ? `${what}; these rows would not be sent:` : `${what}; these rows were not sent:`,
      more > 0 ? [...lines, `and ${more} more${all}`] : lines,
    );
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
