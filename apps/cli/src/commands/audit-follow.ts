/** `broadside admin audit --follow`: each change of the logs as it is made. */
import { formatTimestamp, operatorContract, parseTimestamp, stringifyJson } from '@broadside/core';
import type { AuditEntry as Entry } from '@broadside/core/resources/operator';
import type { Group, Invocation, Node } from '../command.ts';
import { findCredentials } from '../credentials.ts';
import { UsageError } from '../errors.ts';
import type { FlagSection } from '../flag.ts';
import { Output } from '../output.ts';
import { parametersOf } from '../parameters.ts';
import { pause } from '../server-state.ts';
import { printable } from '../text.ts';
import { findOperator } from './admin.ts';
import { AGAIN_MS, BEFORE, reachAgain, type Surroundings, untilInterrupt } from './following.ts';
import { checkParams, type Params, readGiven } from './params.ts';

const { audit } = operatorContract.admin;
const parameters = parametersOf(audit);

/** Reads a page of changes. */
type Read = (params: Params) => Promise<{ readonly data: readonly Entry[]; readonly next_cursor: unknown }>;

/** Changes that are read at a time. */
const PAGE = 1000;
/** Changes of one log can be recorded in another order than that of their times, by no more than this. */
const APART_MS = 60_000;
/** Parameters of a list that a list without end cannot have. */
const OF_A_LIST = ['limit', 'cursor', 'end-time', 'after'];

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
  const other = flags.on('all') ? 'all' : OF_A_LIST.find((name) => flags.text(name) !== undefined);
  if (other) throw new UsageError(`--${other} and --follow cannot be used together`);
  const params = await readGiven(audit, parameters, call);
  checkParams(audit, parameters, params);
  const say = (sentence: string) => output.say(sentence);
  await untilInterrupt(io, say, (surroundings) => {
    const outside = surroundings.io;
    const open = async (): Promise<Read> => {
      const ask = await findOperator({ io: outside, flags }, findCredentials(outside, flags))(output);
      return async (asked) => pageOf(await ask(audit, asked));
    };
    return new Following(surroundings, output, open, params).run();
  });
}

class Following {
  readonly #surroundings: Surroundings;
  readonly #output: Output;
  readonly #open: () => Promise<Read>;
  readonly #count: unknown;
  readonly #filter: Params;
  readonly #log: Params;
  /** What is older was there before. */
  #start: { readonly start_time?: string } = {};
  /** The last changes that were read, shown or not, by their sources: a log that is on several shards has several. */
  #last: ReadonlyMap<string, Entry> = new Map();

  constructor(surroundings: Surroundings, output: Output, open: () => Promise<Read>, params: Params) {
    const { count = BEFORE, ...filter } = params;
    this.#surroundings = surroundings;
    this.#output = output;
    this.#open = open;
    this.#count = count;
    this.#filter = filter;
    this.#log = filter['log'] === undefined ? {} : { log: filter['log'] };
  }

  async run(): Promise<never> {
    const { io, stopped } = this.#surroundings;
    let read = await this.#open();
    // Before what was: a change in between would be missed the other way round.
    await this.#begin(read);
    const { data } = await read({ ...this.#filter, count: this.#count });
    await this.#print(data.filter((entry) => this.#isKnown(entry)).toReversed());
    for (;;) {
      await pause(io, AGAIN_MS);
      stopped.throwIfAborted();
      try {
        await this.#print(await this.#news(read));
      } catch (error) {
        read = await reachAgain(error, this.#surroundings, this.#open);
      }
    }
  }

  /** Notes where each source ends, as far as it has changes of late. */
  async #begin(read: Read): Promise<void> {
    const [newest] = (await read({ ...this.#log, count: 1 })).data;
    if (!newest) return;
    this.#start = { start_time: formatTimestamp(Date.parse(newest.change_time) - APART_MS) };
    this.#last = lastOf(this.#last, await this.#all(read, this.#log));
  }

  /** Reads the changes since the last time, the oldest first. */
  async #news(read: Read): Promise<readonly Entry[]> {
    const fresh = await this.#all(read, this.#log);
    if (fresh.length === 0) return [];
    const isFiltered = Object.keys(this.#filter).some((name) => name !== 'log');
    const found = isFiltered ? await this.#all(read, this.#filter) : fresh;
    // Nothing is noted before all is read: after a failure it is read again.
    this.#last = lastOf(this.#last, fresh);
    // Those that came since are of the next time.
    return found.filter((entry) => this.#isKnown(entry)).toReversed();
  }

  /** Reads what has come since the last changes that are noted, the newest first. */
  async #all(read: Read, filter: Params): Promise<readonly Entry[]> {
    const after = [...this.#last.values()].map(({ id }) => id);
    const asked = { ...later(filter, this.#start), ...(after.length === 0 ? {} : { after }), count: PAGE };
    const found: Entry[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const page = await read(cursor === undefined ? asked : { ...asked, cursor });
      found.push(...page.data);
      cursor = page.next_cursor ?? null;
    }
    return found;
  }

  /** Returns whether a change is not after the last one of its source that is noted. */
  #isKnown(entry: Entry): boolean {
    const { source, seq } = placeOf(entry);
    const last = this.#last.get(source);
    const { start_time } = this.#start;
    return last ? seq <= placeOf(last).seq : start_time !== undefined && entry.change_time < start_time;
  }

  async #print(entries: readonly Entry[]): Promise<void> {
    const { format } = this.#output;
    for (const entry of entries) {
      const text = format === 'human' ? lineOf(entry) : format === 'quiet' ? entry.id : stringifyJson(entry);
      await this.#surroundings.io.stdout.write(`${text}\n`);
    }
  }
}

function pageOf(value: unknown): Awaited<ReturnType<Read>> {
  const { data, next_cursor }: { readonly data?: unknown; readonly next_cursor?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  return { data: audit.data.array().parse(data), next_cursor: next_cursor ?? null };
}

/** Where a change is recorded, and its number there. */
function placeOf({ id }: Entry): { readonly source: string; readonly seq: bigint } {
  const end = id.lastIndexOf('-');
  return { source: id.slice(0, end), seq: BigInt(id.slice(end + 1)) };
}

/** The last changes by their sources, after further ones, the newest of each source first. */
function lastOf(before: ReadonlyMap<string, Entry>, entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map([...before, ...entries.toReversed().map((entry) => [placeOf(entry).source, entry] as const)]);
}

/** A filter that begins no earlier. */
function later(filter: Params, { start_time }: { readonly start_time?: string }): Params {
  if (start_time === undefined) return filter;
  const own = parseTimestamp(String(filter['start_time']));
  return own !== undefined && own > start_time ? filter : { ...filter, start_time };
}

function lineOf({ change_time, change_type, entity, entity_id, account_id, changes, ...by }: Entry): string {
  const who = by.change_by_user_id ?? by.change_by_platform;
  const of = account_id === null ? '' : `  account ${account_id}`;
  return printable(`${change_time}  ${change_type}  ${entity} ${entity_id}${of}  by ${who}  ${stringifyJson(changes)}`);
}
