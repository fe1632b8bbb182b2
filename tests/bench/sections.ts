/** The parts of the bench, in the order in which they run. */
import { measureAdvertiserPosts } from './advertiser-posts.ts';
import { measureAudience } from './audience.ts';
import { type BenchRow, benchRow } from './bench-row.ts';
import { measureCampaigns } from './campaigns.ts';
import { measureClock } from './clock.ts';
import { measureDialect } from './dialect.ts';
import { measureFamilies } from './families.ts';
import { measureHolds } from './holds.ts';
import { measureInsights } from './insights.ts';
import { measureLargeBodies } from './large-bodies.ts';
import { measureLargeFork } from './large-fork.ts';
import { measureLibrary } from './library.ts';
import { measureLookup } from './lookup.ts';
import { measureMembers } from './members.ts';
import { measurePages } from './pages.ts';
import { measurePeers } from './peers.ts';
import type { Percentiles } from './percentiles.ts';
import { measurePosts } from './posts.ts';
import { FEW_ROUNDS } from './rounds.ts';
import type { Run } from './run.ts';
import { measureSizes } from './sizes.ts';
import { measureStart } from './start.ts';
import { measureThreads } from './threads.ts';
import { measureVerification } from './verification.ts';
import { measureWorlds } from './worlds.ts';

/** A part of the bench. */
export interface Section {
  /** Named by `--only`. */
  readonly name: string;
  readonly measure: (run: Run) => Promise<readonly BenchRow[]>;
  /** Runs only where it is named, or with `--all`: it needs more than the machine. */
  readonly named?: true;
}

/** An estimate or a search may take so long. */
const MOST_MS = 50;

/** A row of times that should stay below the bound. */
function timed(name: string, { p50_ms, p99_ms }: Percentiles, notes: string | null = null): BenchRow {
  return benchRow({ name, p50_ms, p99_ms, ratio: MOST_MS / p99_ms, ratio_of: `${MOST_MS} ms / p99`, aim: 1, notes });
}

const requestsOf = ({ effort }: Run) => Math.max(20, Math.ceil(effort.seconds * 100));
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const pair = ({ p50_ms, p99_ms }: Percentiles) => `p50 ${p50_ms.toFixed(1)}, p99 ${p99_ms.toFixed(1)} ms`;

async function audienceRows(run: Run): Promise<BenchRow[]> {
  const { users } = run.amounts;
  const { server, seeded: directory } = run;
  const row = await measureAudience({ users, posts: users, requests: requestsOf(run), server, directory });
  const { store, store_cpu, build_ms, build_cpu_ms, longest_turn_ms, memory_mb } = row;
  const notes = `the count alone ${pair(store)} (processor ${pair(store_cpu)}); index: ${seconds(build_ms)} to build (processor ${seconds(build_cpu_ms)}), longest turn ${longest_turn_ms.toFixed(1)} ms, ${memory_mb.toFixed(0)} MB`;
  return [timed(`audience estimates over ${row.users} people and ${row.posts} posts`, row.http, notes)];
}

async function memberRows(run: Run): Promise<BenchRow[]> {
  const row = await measureMembers(run.amounts.users, requestsOf(run));
  const { people, intake_ms, load_ms, longest_turn_ms, memory_mb, estimates, during_intake } = row;
  const notes = `upload and matching ${seconds(intake_ms)}, loading all three ${seconds(load_ms)} (longest turn ${longest_turn_ms.toFixed(1)} ms), ${memory_mb.toFixed(0)} MB`;
  const name = `estimates with three audiences of ${people} members each`;
  return [timed(name, estimates, notes), timed(`${name}, while members are uploaded`, during_intake)];
}

async function holdRows({ server, effort, amounts }: Run): Promise<BenchRow[]> {
  const rows = await measureHolds({ server, runs: Math.min(3, effort.rounds), stride: amounts.holdStride });
  return rows.map(({ name, bytes, status, hold_ms, cpu_ms, answer_bytes }) => {
    const notes = `processor ${cpu_ms.toFixed(1)} ms, answered ${status} with ${answer_bytes} bytes`;
    const ratio = MOST_MS / hold_ms;
    return benchRow({
      name: `hold of ${bytes} bytes: ${name}`,
      ratio,
      ratio_of: `${MOST_MS} ms / hold`,
      aim: 1,
      notes,
    });
  });
}

async function insightRows(run: Run): Promise<BenchRow[]> {
  const { posts } = run.amounts;
  const { server, seeded: directory } = run;
  const users = Math.ceil(posts / 10);
  const row = await measureInsights({ users, posts, requests: requestsOf(run), server, directory });
  const { store, store_cpu, build_ms, build_cpu_ms, memory_mb, past_ms } = row;
  const past = past_ms.map((ms) => ms.toFixed(0)).join(' ms, then ');
  const notes = `the search alone ${pair(store)} (processor ${pair(store_cpu)}); a window of last year ${past} ms; index: ${seconds(build_ms)} to build (processor ${seconds(build_cpu_ms)}), ${memory_mb.toFixed(0)} MB`;
  return [timed(`keyword insights over ${row.posts} posts`, row.http, notes)];
}

/** Lists of the largest size may cost so many times what they cost at a thousand. */
const SMALLEST = 1000;
const MOST_GROWTH = 2;

async function sizeRows(run: Run): Promise<BenchRow[]> {
  const { campaigns } = run.amounts;
  const requests = Math.max(2, Math.ceil(run.effort.seconds * 20));
  const { rounds } = run.effort;
  const rows = await measureSizes({
    sizes: [SMALLEST, campaigns],
    requests,
    rounds: Math.min(rounds, FEW_ROUNDS),
    server: run.server,
  });
  return rows
    .filter(({ size }) => size === campaigns)
    .map(({ name, isUnbounded, p50_ms, p99_ms, cpu_us, ratio }) =>
      benchRow({
        name: `over ${campaigns} campaigns: ${name}`,
        p50_ms,
        p99_ms,
        cpu_us,
        ratio: 1 / ratio,
        ratio_of: `processor time over ${SMALLEST} campaigns / over ${campaigns}`,
        aim: isUnbounded ? null : 1 / MOST_GROWTH,
      }),
    );
}

export const sections: readonly Section[] = [
  { name: 'cold start', measure: measureStart },
  { name: 'campaigns', measure: measureCampaigns },
  { name: 'threads', measure: measureThreads },
  { name: 'dialect', measure: measureDialect },
  { name: 'verification', measure: measureVerification },
  { name: 'families', measure: measureFamilies },
  { name: 'lookup of posts', measure: measurePosts },
  { name: 'small reads', measure: measureLookup },
  { name: 'large bodies', measure: measureLargeBodies },
  { name: 'sizes', measure: sizeRows },
  { name: 'advertiser posts', measure: measureAdvertiserPosts },
  { name: 'media library', measure: measureLibrary },
  { name: 'pages', measure: measurePages },
  { name: 'audience estimates', measure: audienceRows },
  { name: 'members of audiences', measure: memberRows },
  { name: 'holds', measure: holdRows },
  { name: 'worlds', measure: measureWorlds },
  { name: 'clock of worlds', measure: measureClock },
  { name: 'fork of many posts in worlds', measure: measureLargeFork },
  { name: 'keyword insights', measure: insightRows },
  { name: 'peers', measure: measurePeers, named: true },
];
