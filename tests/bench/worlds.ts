/**
 * Worlds of the built server: making them, opening them, and requests to one of many that are active against requests to one alone. Times
 * are those of a caller, with the answer; processor time is that of the server.
 */
import type { ChildProcess } from 'node:child_process';
import { type BenchRow, benchRow } from './bench-row.ts';
import { Control, type MadeWorld } from './control.ts';
import { bodyOf, once } from './load.ts';
import { percentiles } from './percentiles.ts';
import { startedOnce } from './prepared.ts';
import { cpuUs, cpuUsSince, memoryMb, stop } from './processes.ts';
import { measureRounds, median, type Subject } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { type Request, wire } from './wire.ts';

/** A fork of a demo may take so long, */
const FORK_MS = 50;
/** and a request in one of many worlds so many times what it takes in one. */
const MANY_TIMES = 1.1;
const MANY = 200;

/** Measures worlds. */
export function measureWorlds(run: Run): Promise<BenchRow[]> {
  return inDirectory(run, async (directory, processes) => {
    const rounds = Math.min(40, Math.ceil(run.effort.seconds * 5));
    const many = Math.min(MANY, Math.max(3, Math.ceil(run.effort.seconds * 40)));
    await startedOnce(directory, run.server);
    const { child } = await processes.startServer(run.server, directory);
    const control = new Control(directory);
    const source = await control.create({ from: { demo: true } });
    // The first of a kind makes what others are copied from.
    for (const from of [{ demo: true }, { empty: true }]) await control.delete((await control.create({ from })).id);
    await campaigns(source);
    const [fork, demo, empty, first, deletion] = Array.from({ length: 5 }, () => new Timed(child));
    if (!(fork && demo && empty && first && deletion)) throw new TypeError('there are five');
    for (let round = 0; round < rounds; round++) {
      const made = [
        await fork.run(() => control.fork(source.id)),
        await demo.run(() => control.create({ from: { demo: true } })),
        await empty.run(() => control.create({ from: { empty: true } })),
      ];
      const [forked] = made;
      if (forked) await first.run(() => campaigns(forked));
      for (const { id } of made) await deletion.run(() => control.delete(id));
    }
    const forks: MadeWorld[] = [];
    for (let i = 0; i < many; i++) forks.push(await control.fork(source.id));
    await stop(child);

    const { child: again } = await processes.startServer(run.server, directory);
    // It listens on other ports now.
    const after = new Control(directory);
    const worlds = await Promise.all(forks.map(({ id }) => after.get(id)));
    const open = new Timed(again);
    const before = memoryMb(again, 'now');
    for (const world of worlds) await open.run(() => campaigns(world));
    const opened = `${many} worlds opened: ${before.toFixed(0)} to ${memoryMb(again, 'now').toFixed(0)} MB`;
    const active = await measureActive(run, again, worlds);
    await stop(again);
    return [
      fork.row('fork of a demo', FORK_MS),
      demo.row('create a demo'),
      empty.row('create an empty world'),
      first.row('first call in a new world'),
      open.row('first call in a world that was closed', undefined, opened),
      deletion.row('delete a world'),
      ...active,
    ];
  });
}

/**
 * Requests over all worlds against requests to one of them, of the same server. The aim is of as many campaigns on both sides. A row beside it
 * has the same campaign of one world again and again, which a processor has at hand then, whatever worlds cost.
 */
async function measureActive(run: Run, child: ChildProcess, worlds: readonly MadeWorld[]): Promise<BenchRow[]> {
  const [one] = worlds;
  if (!one) throw new TypeError('there are worlds');
  const port = portOf(one);
  const [id = ''] = await campaigns(one);
  const others = [id, ...(await addCampaigns(one, worlds.length - 1))];
  const name = `read of a campaign in one of ${worlds.length} active worlds`;
  const ratio_of = 'processor time of a request in one world / in one of many';
  const compared = async (subject: Pick<Subject, 'name' | 'aim'>, ids: readonly string[]): Promise<BenchRow> => {
    let serial = 0;
    const requests: Subject['requests'] = (count, side) =>
      Promise.all(
        Array.from({ length: count }, () => {
          const at = serial++;
          // Forks of one world have the same ids.
          const [world, read] = side === 'ours' ? [worlds[at % worlds.length], id] : [one, ids[at % ids.length]];
          if (!world) throw new TypeError('there are worlds');
          return wire(held(world), { method: 'GET', target: `${accountOf(world)}/campaigns/${read}` });
        }),
      );
    const warmup = Math.max(200, worlds.length * 2);
    const targets = { ours: { child, port }, other: { child, port } };
    return { ...(await measureRounds({ ...subject, warmup, requests }, targets, run.effort)), ratio_of };
  };
  return [
    await compared({ name: `${name}, against as many campaigns of one`, aim: 1 / MANY_TIMES }, others),
    await compared({ name: `${name}, against one campaign again and again` }, [id]),
  ];
}

/** Makes drafts in a demo. @returns their ids */
async function addCampaigns(world: MadeWorld, count: number): Promise<readonly string[]> {
  const [funding_instrument_id = ''] = await idsOf(world, {
    method: 'GET',
    target: `${accountOf(world)}/funding_instruments`,
  });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const form = {
      funding_instrument_id,
      name: `Campaign ${i}`,
      entity_status: 'DRAFT',
      daily_budget_amount_local_micro: '55000000',
    };
    ids.push(...(await idsOf(world, { method: 'POST', target: `${accountOf(world)}/campaigns`, form })));
  }
  return ids;
}

/** The wall-clock and processor times of the runs of one work. */
class Timed {
  readonly #child: ChildProcess;
  readonly #times: number[] = [];
  readonly #cpu: number[] = [];

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const cpu = cpuUs(this.#child);
    const began = performance.now();
    const result = await work();
    this.#times.push(performance.now() - began);
    this.#cpu.push(await cpuUsSince(this.#child, cpu));
    return result;
  }

  /** @param most_ms the time that it may take */
  row(name: string, most_ms?: number, notes: string | null = null): BenchRow {
    const times = percentiles(this.#times);
    const aimed = most_ms && { ratio: most_ms / times.p50_ms, ratio_of: `${most_ms} ms / p50`, aim: 1 };
    return benchRow({ name, ...times, cpu_us: median(this.#cpu), ...aimed, notes });
  }
}

const held = ({ credentials }: MadeWorld) => ({ ...credentials, ads_base_url: credentials.ads_sandbox_base_url });
const portOf = (world: MadeWorld) => Number(new URL(held(world).ads_base_url).port);
const accountOf = ({ credentials }: MadeWorld) => `/12/accounts/${credentials.sandbox_account_id}`;

/** Lists the campaigns of a demo. @returns their ids */
function campaigns(world: MadeWorld): Promise<readonly string[]> {
  return idsOf(world, { method: 'GET', target: `${accountOf(world)}/campaigns` });
}

/** Sends a request. @returns the ids of what it answers with */
async function idsOf(world: MadeWorld, request: Request): Promise<readonly string[]> {
  const answer = await once(portOf(world), await wire(held(world), request));
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`a world does not answer: ${answer}`);
  const { data }: { data: { readonly id: string } | readonly { readonly id: string }[] } = JSON.parse(bodyOf(answer));
  return [data].flat().map(({ id }) => id);
}
