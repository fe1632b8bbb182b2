/**
 * `node --conditions=@broadside/source tests/bench/ranges.ts --people 200000`: measures the audience work for one range of people as one worker does it, and
 * computes from that what a platform of a hundred million needs, see docs/adr/0033-workers.md. Nothing is run at that size: every figure of it is one
 * that was measured, times a number that stands in the output as an assumption.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type AudienceRow, measureStore } from './audience.ts';
import { type MembersRow, measureMembers } from './members.ts';
import { seedPosts } from './posts.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** People of the range that is measured. */
    people: { type: 'string', default: '200000' },
    /** Posts of a year for each of them. */
    'posts-per-person': { type: 'string', default: '1' },
    /** Estimates that are timed. */
    requests: { type: 'string', default: '1200' },
    /** People of the platform that is computed. */
    target: { type: 'string', default: '100000000' },
    /** Memory that a range may take, */
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

/** Of one range, for each of its people. */
interface Measured {
  readonly people: number;
  readonly index_bytes: number;
  /** Of processor time, since other work on the machine lengthens the rest. */
  readonly build_us: number;
  /** Of an estimate, p99 of its processor time. */
  readonly estimate_us: number;
  /** Of a member in an audience that an estimate has loaded. */
  readonly member_bytes: number;
  /** Of an identifier that was uploaded, matched and merged. */
  readonly merge_us: number;
}

/** What a platform needs. */
interface Needed {
  readonly people_of_range: number;
  readonly bound: string;
  readonly ranges: number;
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

function perPerson(index: Omit<AudienceRow, 'http'>, members: MembersRow): Measured {
  const { users: people } = index;
  return {
    people,
    index_bytes: (index.memory_mb * 1e6) / people,
    build_us: (index.build_cpu_ms * 1000) / people,
    estimate_us: (index.store_cpu.p99_ms * 1000) / people,
    member_bytes: (members.memory_mb * 1e6) / (3 * members.people),
    merge_us: (members.intake_ms * 1000) / (3 * members.people),
  };
}

/** Computes the ranges. All work of one grows with its people at most: what does not is counted as if it did. */
function needed(one: Measured, assumed: Assumed): Needed {
  const bounds = {
    memory: (assumed.range_gb * GB) / one.index_bytes,
    'time of an estimate': (assumed.estimate_ms * 1000) / one.estimate_us,
    'time to build the index': (assumed.build_minutes * 60e6) / one.build_us,
  };
  const people_of_range = Math.floor(Math.min(...Object.values(bounds)));
  const ranges = Math.ceil(assumed.people / people_of_range);
  const each = Math.ceil(assumed.people / ranges);
  const range_gb = (each * one.index_bytes) / GB;
  const onMachine = Math.min(
    Math.floor((assumed.machine_gb * USABLE) / range_gb),
    // One core computes, and garbage is collected beside it.
    Math.floor(assumed.machine_cores / 2),
  );
  if (onMachine < 1) throw new RangeError('a machine has no room for a range: take less for --range-gb');
  return {
    people_of_range: each,
    bound: Object.entries(bounds).reduce((least, bound) => (bound[1] < least[1] ? bound : least))[0],
    ranges,
    index_gb: (assumed.people * one.index_bytes) / GB,
    machines: Math.ceil(ranges / onMachine),
    estimate_ms: (each * one.estimate_us) / 1000,
    build_minutes: (each * one.build_us) / 60e6,
    merge_seconds: (assumed.hashes * one.merge_us) / 1e6,
    keeper_gb: (assumed.people * assumed.identifiers * IDENTIFIER_BYTES) / GB,
  };
}

function report(one: Measured, assumed: Assumed, all: Needed): string {
  const million = (people: number) => `${(people / 1e6).toFixed(1)} million`;
  const rows: readonly (readonly [what: string, measured: string, computed: string])[] = [
    ['people', million(one.people), `${million(assumed.people)}, of whom ${million(all.people_of_range)} in a range`],
    ['ranges', '1', `${all.ranges}, bound by ${all.bound}, on ${all.machines} machines`],
    ['memory of the index', `${one.index_bytes.toFixed(0)} bytes a person`, `${all.index_gb.toFixed(0)} GB in all`],
    [
      'building the index',
      `${one.build_us.toFixed(1)} us of a core a person`,
      `${all.build_minutes.toFixed(1)} minutes, all ranges at once`,
    ],
    [
      'an estimate, p99',
      `${((one.estimate_us * one.people) / 1000).toFixed(1)} ms`,
      `${all.estimate_ms.toFixed(0)} ms in each range, at once`,
    ],
    [
      `merging ${million(assumed.hashes)} hashes`,
      `${one.merge_us.toFixed(1)} us a hash`,
      `${all.merge_seconds.toFixed(0)} s at one keeper`,
    ],
    [
      'an audience in use',
      `${one.member_bytes.toFixed(0)} bytes a member`,
      `${((assumed.people * one.member_bytes) / GB).toFixed(1)} GB over all ranges if everybody is in it`,
    ],
    [
      'a keeper of members',
      `${IDENTIFIER_BYTES} bytes an identifier`,
      `${all.keeper_gb.toFixed(0)} GB for ${assumed.identifiers} of each person`,
    ],
  ];
  const given = `Assumed: at most ${assumed.range_gb} GB, ${assumed.estimate_ms} ms for an estimate and ${assumed.build_minutes} minutes for building in a range; machines with ${assumed.machine_gb} GB (${USABLE * 100} % of them used) and ${assumed.machine_cores} cores, two for each range; posts, follows and traits of a person as in the seeded range.`;
  const table = [['', 'one range, measured', 'computed'], ['---', '---', '---'], ...rows];
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${given}\n`;
}

const people = Number(options.people);
const requests = Number(options.requests);
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
const directory = mkdtempSync(path.join(tmpdir(), 'broadside-ranges-'));
try {
  const posts = Math.ceil(people * Number(options['posts-per-person']));
  seedPosts(directory, { users: people, posts });
  const index = await measureStore({ users: people, posts, requests, server: '' }, directory);
  const members = await measureMembers(people, requests);
  const one = perPerson(index, members);
  const all = needed(one, assumed);
  process.stdout.write(
    options.json ? `${JSON.stringify({ index, members, one, assumed, needed: all })}\n` : report(one, assumed, all),
  );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
