/** `broadside admin audit --follow`: each change of the logs as it is made. */
import { operatorContract, stringifyJson } from '@broadside/core';
import { auditLogs, type AuditEntry as Entry, type AuditLogName as Log } from '@broadside/core/resources/operator';
import type { Group, Invocation, Node } from '../command.ts';
import { findCredentials } from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import type { Io } from '../io.ts';
import { Output } from '../output.ts';
import { parametersOf } from '../parameters.ts';
import { pause } from '../server-state.ts';
import { printable } from '../text.ts';
import { findOperator } from './admin.ts';
import { checkParams, type Params, readGiven } from './params.ts';

const { audit } = operatorContract.admin;
const parameters = parametersOf(audit);

/** Reads a page of changes. */
type Read = (params: Params) => Promise<{ readonly data: readonly Entry[]; readonly next_cursor: unknown }>;

/** Changes that are shown before those to come. */
const BEFORE = 10;
/** Changes that are read at a time. */
const PAGE = 200;
/** The time between two looks at the logs. */
const LOOK_MS = 1000;

const following: FlagSection = {
  title: 'Following',
  flags: [
    {
      name: 'follow',
      kind: 'boolean',
      hint: '',
      description: 'Shows the last changes, then each as it is made, until ^C. With --json one document a line.',
    },
  ],
};

/** The operator's group, with an audit that can be followed. */
export function withFollow(node: Node): Node {
  const listed = node.kind === 'group' ? node.children.get('audit') : undefined;
  if (node.kind !== 'group' || listed?.kind !== 'lazy') return node;
  const own: Node = {
    ...listed,
    load: async () => {
      const command = await listed.load();
      const [first, ...others] = command.sections;
      return {
        ...command,
        sections: first ? [first, following, ...others] : [following],
        run: (call) => (call.flags.on('follow') ? followAudit(call) : command.run(call)),
      };
    },
  };
  return { ...node, children: new Map([...node.children, ['audit', own]]) } satisfies Group;
}

async function followAudit(call: Invocation): Promise<void> {
  const { io, flags } = call;
  const output = await Output.open(io, flags, audit.data);
  if (output.query) throw new UsageError('--query and --follow cannot be used together');
  const other = flags.on('all') ? 'all' : ['limit', 'cursor'].find((name) => flags.text(name) !== undefined);
  if (other) throw new UsageError(`--${other} and --follow cannot be used together`);
  const params = await readGiven(audit, parameters, call);
  checkParams(audit, parameters, params);
  const stop = new AbortController();
  const undo = io.onInterrupt(() => stop.abort());
  const outside: Io = {
    ...io,
    fetch: (url, init) =>
      io.fetch(url, {
        ...init,
        signal: init?.signal ? AbortSignal.any([stop.signal, init.signal]) : stop.signal,
      }),
  };
  const open = async (): Promise<Read> => {
    const ask = await findOperator({ io: outside, flags }, findCredentials(outside, flags))(output);
    return async (asked) => pageOf(await ask(audit, asked));
  };
  try {
    await new Following(outside, output, open, params, stop.signal).run();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    undo();
  }
}

class Following {
  readonly #io: Io;
  readonly #output: Output;
  readonly #open: () => Promise<Read>;
  readonly #count: unknown;
  readonly #filter: Params;
  readonly #logs: readonly Log[];
  readonly #stopped: AbortSignal;
  /** The newest change of each log that was looked at, whether it was shown or not; none in an empty log. */
  readonly #newest = new Map<Log, Entry>();

  constructor(io: Io, output: Output, open: () => Promise<Read>, params: Params, stopped: AbortSignal) {
    const { count = BEFORE, ...filter } = params;
    this.#io = io;
    this.#output = output;
    this.#open = open;
    this.#count = count;
    this.#filter = filter;
    this.#logs = auditLogs.filter((log) => (filter['log'] ?? log) === log);
    this.#stopped = stopped;
  }

  async run(): Promise<never> {
    let read = await this.#open();
    // Before what was: a change in between would be missed the other way round.
    for (const log of this.#logs) await this.#look(read, log);
    const { data } = await read({ ...this.#filter, count: this.#count });
    const known = data.filter((entry) => !isAfter(entry, this.#newest.get(entry.log)));
    await this.#print(known.toReversed());
    for (;;) {
      await pause(this.#io, LOOK_MS);
      this.#stopped.throwIfAborted();
      try {
        await this.#print(await this.#news(read));
      } catch (error) {
        if (this.#stopped.aborted || !isPassing(error)) throw error;
        read = await this.#reach();
      }
    }
  }

  /** Notes the newest change of a log. @returns whether there is one that was not noted before */
  async #look(read: Read, log: Log): Promise<boolean> {
    const [newest] = (await read({ log, count: 1 })).data;
    if (!newest || !isAfter(newest, this.#newest.get(log))) return false;
    this.#newest.set(log, newest);
    return true;
  }

  /** Reads the changes since the last time, the oldest first. */
  async #news(read: Read): Promise<Entry[]> {
    const news: Entry[] = [];
    const noted: [Log, Entry | undefined][] = [];
    try {
      for (const log of this.#logs) {
        const before = this.#newest.get(log);
        noted.push([log, before]);
        if (await this.#look(read, log)) news.push(...(await this.#since(read, log, before)));
      }
    } catch (error) {
      // What was read and not shown is read again.
      for (const [log, before] of noted) before ? this.#newest.set(log, before) : this.#newest.delete(log);
      throw error;
    }
    return news.toSorted((one, other) => (one.change_time < other.change_time ? -1 : Number(one !== other)));
  }

  async #since(read: Read, log: Log, before: Entry | undefined): Promise<Entry[]> {
    const found: Entry[] = [];
    const asked = String(this.#filter['start_time'] ?? '');
    const start = before && before.change_time > asked ? { start_time: before.change_time } : {};
    const newest = this.#newest.get(log);
    for (let cursor: unknown; cursor !== null; ) {
      const page = await read({
        ...this.#filter,
        ...start,
        log,
        count: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const fresh = page.data.filter((entry) => isAfter(entry, before));
      // Those that came since are of the next look.
      found.unshift(...fresh.filter((entry) => !isAfter(entry, newest)).toReversed());
      cursor = fresh.length < page.data.length ? null : (page.next_cursor ?? null);
    }
    return found;
  }

  /** Finds the server again, which may be at another address then. */
  async #reach(): Promise<Read> {
    await this.#output.say('The server does not answer; waiting for it.');
    for (;;) {
      try {
        const read = await this.#open();
        await this.#output.say('The server answers again.');
        return read;
      } catch (error) {
        if (this.#stopped.aborted || !isPassing(error)) throw error;
      }
      await pause(this.#io, LOOK_MS);
      this.#stopped.throwIfAborted();
    }
  }

  async #print(entries: readonly Entry[]): Promise<void> {
    const { format } = this.#output;
    for (const entry of entries) {
      const text = format === 'human' ? lineOf(entry) : format === 'quiet' ? entry.id : stringifyJson(entry);
      await this.#io.stdout.write(`${text}\n`);
    }
  }
}

function pageOf(value: unknown): Awaited<ReturnType<Read>> {
  const { data, next_cursor }: { readonly data?: unknown; readonly next_cursor?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  return { data: audit.data.array().parse(data), next_cursor: next_cursor ?? null };
}

function numberOf({ id, log }: Entry): bigint {
  return BigInt(id.slice(log.length + 1));
}

/** Returns whether a change came after another of its log. */
function isAfter(entry: Entry, before: Entry | undefined): boolean {
  return !before || numberOf(entry) > numberOf(before);
}

function lineOf({ change_time, change_type, entity, entity_id, account_id, changes, ...by }: Entry): string {
  const who = by.change_by_user_id ?? by.change_by_platform;
  const of = account_id === null ? '' : `  account ${account_id}`;
  return printable(`${change_time}  ${change_type}  ${entity} ${entity_id}${of}  by ${who}  ${stringifyJson(changes)}`);
}

/** Returns whether another attempt may succeed. */
function isPassing(error: unknown): boolean {
  return error instanceof CliError && (error.exit === 'unreachable' || error.exit === 'unavailable');
}
