/**
 * `npm run bench:ranges -- --people 200000`: measures the audience work for the people of one worker, and
 * computes from that what a platform of a hundred million needs, see docs/adr/0033-workers.md. Nothing is run at that size: every figure of it is one
 * that was measured, times a number that stands in the output as an assumption.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RANGES } from '../../apps/server/src/audience/ranges.ts';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { type AudienceRow, measureStore } from './audience.ts';
import { type MembersRow, measureMembers } from './members.ts';
import { seedPosts } from './prepared.ts';
import { measureRangeBuilds, type RangeBuild } from './range-build.ts';

const options = readOptions({
  options: {
    json: { type: 'boolean', default: false },
    /** People of the part that is measured, besides one with a quarter of them. */
    people: { type: 'string', default: '200000' },
    /** Posts of a year for each of them. */
    'posts-per-person': { type: 'string', default: '1' },
    /** Estimates that are timed. */
    requests: { type: 'string', default: '1200' },
    /** People of the platform that is computed. */
    target: { type: 'string', default: '100000000' },
    /** Memory that the part of a worker may take, */
    'range-gb': { type: 'string', default: '24' },
    /** the time in which it answers an estimate (p99), */
    'estimate-ms': { type: 'string', default: '50' },
    /** and the time in which it is ready after it was lost. */
    'build-minutes': { type: 'string', default: '15' },
    /** Memory and cores of a machine. */
    'machine-gb': { type: 'string', default: '64' },
    'machine-cores': { type: 'string', default: '8' },
    /** Identifiers of a person: handle and id, and perhaps an address and a number. */
    identifiers: { type: 'string', default: '4' },
    /** Only measures a range of so many people; the script calls itself with it. */
    alone: { type: 'string' },
    /** Hashes of an audience that is merged. */
    hashes: { type: 'string', default: '10000000' },
  },
});

/** What is not measured. */
interface Assumed {
  readonly people: number;
  readonly range_gb: number;
  readonly estimate_ms: number;
  readonly build_minutes: number;
  readonly machine_gb: number;
  readonly machine_cores: number;
  readonly identifiers: number;
  readonly hashes: number;
}

/** What grows with people: so much, and so much more for each of them. */
interface Growth {
  readonly fixed: number;
  readonly each: number;
}

/** What ranges of two sizes have shown. Times are of the processor, which other work on the machine lengthens less. */
interface Measured {
  /** Of the smaller one, and of the larger one. */
  readonly people: readonly [number, number];
  readonly index_bytes: Growth;
  readonly build_us: Growth;
  /** Of a part of the people whose rows are read alone, for each share of the ranges: of the time for everybody. */
  readonly part_builds: readonly (readonly [part: number, ratio: number])[];
  /** Of an estimate, p99. */
  readonly estimate_us: Growth;
  /** Of a member in an audience that an estimate has loaded. */
  readonly member_bytes: number;
  /** Of an identifier that was uploaded, matched and merged. */
  readonly merge_us: number;
}

/** What a platform needs. */
interface Needed {
  /** Of one worker: its ranges, of all that there are, and the people in them. */
  readonly ranges_of_worker: number;
  readonly people_of_worker: number;
  readonly bound: string;
  readonly workers: number;
  readonly index_gb: number;
  readonly machines: number;
  readonly estimate_ms: number;
  readonly build_minutes: number;
  readonly merge_seconds: number;
  readonly keeper_gb: number;
}

/** Bytes of an identifier of a person of the platform in a keeper of members (docs/adr/0014-members-of-audiences.md). */
const IDENTIFIER_BYTES = 30;
/** Of a machine's memory, what the processes on it may take. */
const USABLE = 0.8;
const GB = 1e9;

/** The figures of a range of one size. */
interface OneSize {
  readonly index: Omit<AudienceRow, 'http'>;
  readonly members: MembersRow;
  /** Of parts of its people. */
  readonly builds: readonly RangeBuild[];
}

function measured(small: OneSize, large: OneSize): Measured {
  const sizes = [small.index.users, large.index.users] as const;
  const growth = (of: (size: OneSize) => number): Growth => {
    // What did not grow between the two is taken to be that of each person: rather too much than too little.
    const each = (of(large) - of(small)) / (sizes[1] - sizes[0]);
    if (each <= 0) return { fixed: 0, each: of(large) / sizes[1] };
    return { fixed: Math.max(0, of(large) - each * sizes[1]), each };
  };
  const { members, builds } = large;
  const whole_ms = builds.find(({ part }) => part === 1)?.cpu_ms ?? Number.NaN;
  return {
    people: sizes,
    index_bytes: growth(({ index }) => index.memory_mb * 1e6),
    build_us: growth(({ index }) => index.build_cpu_ms * 1000),
    part_builds: builds.map(({ part, cpu_ms }) => [part, cpu_ms / whole_ms]),
    estimate_us: growth(({ index }) => index.store_cpu.p99_ms * 1000),
    member_bytes: (members.memory_mb * 1e6) / (3 * members.people),
    merge_us: (members.intake_cpu_ms * 1000) / (3 * members.people),
  };
}

/** The figure for so many people. */
function at({ fixed, each }: Growth, people: number): number {
  return fixed + each * people;
}

/** Computes the ranges. */
function needed(one: Measured, assumed: Assumed): Needed {
  const most = ({ fixed, each }: Growth, limit: number) => (limit - fixed) / each;
  const bounds = {
    memory: most(one.index_bytes, assumed.range_gb * GB),
    'time of an estimate': most(one.estimate_us, assumed.estimate_ms * 1000),
    'time to build the index': most(one.build_us, assumed.build_minutes * 60e6),
  };
  const largest = Math.floor(Math.min(...Object.values(bounds)));
  if (largest < 1) throw new RangeError('one person is too many for these limits');
  // A worker has whole ranges, whose number is fixed.
  const ranges_of_worker = Math.min(RANGES, Math.floor((largest * RANGES) / assumed.people));
  if (ranges_of_worker < 1) throw new RangeError(`more than the ${RANGES} ranges would be needed: take looser limits`);
  const workers = Math.ceil(RANGES / ranges_of_worker);
  const people_of_worker = Math.ceil((assumed.people * Math.ceil(RANGES / workers)) / RANGES);
  const worker_gb = at(one.index_bytes, people_of_worker) / GB;
  const onMachine = Math.min(
    Math.floor((assumed.machine_gb * USABLE) / worker_gb),
    // One core computes, and garbage is collected beside it.
    Math.floor(assumed.machine_cores / 2),
  );
  if (onMachine < 1) throw new RangeError('a machine has no room for a worker: take less for --range-gb');
  return {
    ranges_of_worker: Math.ceil(RANGES / workers),
    people_of_worker,
    bound: Object.entries(bounds).reduce((least, bound) => (bound[1] < least[1] ? bound : least))[0],
    workers,
    index_gb: worker_gb * workers,
    machines: Math.ceil(workers / onMachine),
    estimate_ms: at(one.estimate_us, people_of_worker) / 1000,
    build_minutes: at(one.build_us, people_of_worker) / 60e6,
    merge_seconds: (assumed.hashes * one.merge_us) / 1e6,
    keeper_gb: (assumed.people * assumed.identifiers * IDENTIFIER_BYTES) / GB,
  };
}

function report(one: Measured, assumed: Assumed, all: Needed): string {
  const million = (people: number) => `${(people / 1e6).toFixed(people < 1e6 ? 2 : 1)} million`;
  const growth = ({ fixed, each }: Growth, unit: string, scale: number, digits: number) =>
    `${(fixed / scale).toFixed(digits)} ${unit} + ${((each * 1e6) / scale).toFixed(digits)} ${unit} a million people`;
  const rows: readonly (readonly [what: string, measured: string, computed: string])[] = [
    [
      'people',
      one.people.map(million).join(' and '),
      `${million(assumed.people)}, ${million(all.people_of_worker)} with a worker`,
    ],
    [
      'workers',
      '1',
      `${all.workers} with ${all.ranges_of_worker} of ${RANGES} ranges each, bound by ${all.bound}, on ${all.machines} machines`,
    ],
    ['memory of the index', growth(one.index_bytes, 'GB', GB, 2), `${all.index_gb.toFixed(0)} GB in all`],
    [
      'building the index, processor time',
      growth(one.build_us, 's', 1e6, 1),
      `${all.build_minutes.toFixed(1)} minutes, all workers at once`,
    ],
    [
      'building a part from a store of everybody',
      one.part_builds.map(([part, ratio]) => `1/${1 / part} of the ranges: ${ratio.toFixed(3)}`).join(', '),
      'in proportion to the part',
    ],
    [
      'an estimate, p99 of processor time',
      growth(one.estimate_us, 'ms', 1000, 1),
      `${all.estimate_ms.toFixed(0)} ms at each worker, at once`,
    ],
    [
      `merging ${million(assumed.hashes)} hashes`,
      `${one.merge_us.toFixed(1)} us of processor time a hash`,
      `${all.merge_seconds.toFixed(0)} s of one core at the worker that keeps members`,
    ],
    [
      'an audience in use',
      `${one.member_bytes.toFixed(0)} bytes a member`,
      `${((assumed.people * one.member_bytes) / GB).toFixed(1)} GB over all workers if everybody is in it`,
    ],
    [
      'the worker that keeps members',
      `${IDENTIFIER_BYTES} bytes an identifier`,
      `${all.keeper_gb.toFixed(0)} GB for ${assumed.identifiers} of each person, besides its ranges`,
    ],
  ];
  const given = `Assumed: at most ${assumed.range_gb} GB, ${assumed.estimate_ms} ms for an estimate and ${assumed.build_minutes} minutes for building at a worker; machines with ${assumed.machine_gb} GB (${USABLE * 100} % of them used) and ${assumed.machine_cores} cores, two for each worker; posts, follows and traits of a person as in the seeded parts.`;
  const table = [['', 'one worker, measured', 'computed'], ['---', '---', '---'], ...rows];
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${given}\n`;
}

const assumed: Assumed = {
  people: Number(options.target),
  range_gb: Number(options['range-gb']),
  estimate_ms: Number(options['estimate-ms']),
  build_minutes: Number(options['build-minutes']),
  machine_gb: Number(options['machine-gb']),
  machine_cores: Number(options['machine-cores']),
  identifiers: Number(options.identifiers),
  hashes: Number(options.hashes),
};

/** Measures a range of one size, in this process. */
async function measure(people: number): Promise<OneSize> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-ranges-'));
  try {
    const posts = Math.ceil(people * Number(options['posts-per-person']));
    const requests = Number(options.requests);
    seedPosts(directory, { users: people, posts });
    const index = await measureStore({ users: people, posts, requests, server: '' }, directory);
    const builds = await measureRangeBuilds(directory);
    return { index, builds, members: await measureMembers(people, requests) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Measures in a process of its own, so that memory that another size has left is not taken for that of this one. */
function measureAlone(people: number): OneSize {
  const own = [...process.execArgv, import.meta.filename, ...process.argv.slice(2), '--alone', `${people}`];
  const output = execFileSync(process.execPath, own, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const figures: OneSize = JSON.parse(output);
  return figures;
}

if (options.alone === undefined) {
  const people = Number(options.people);
  const [small, large] = [measureAlone(Math.ceil(people / 4)), measureAlone(people)];
  const one = measured(small, large);
  const all = needed(one, assumed);
  const figures = { small, large, measured: one, assumed, needed: all };
  process.stdout.write(options.json ? `${JSON.stringify(figures)}\n` : report(one, assumed, all));
} else {
  process.stdout.write(JSON.stringify(await measure(Number(options.alone))));
}
