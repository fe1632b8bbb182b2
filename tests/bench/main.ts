/**
 * `npm run bench`: the built server against bare ones, on the same rows, the same machine and in the same run. Prints a table.
 * `--json FILE` writes the rows as JSON, `--markdown FILE` the table for the documentation; `--check` ends with 1 where a row
 * misses its aim; `--profile DIRECTORY` writes processor profiles of the server; `--only NAME` runs the parts with that in
 * their names, `--all` those too that install servers of others.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import path from 'node:path';
import { readOptions } from '../../tooling/scripts/options.mjs';
import { misses } from './bench-row.ts';
import { intakeReport, measureIntake } from './intake.ts';
import { shareCores } from './load.ts';
import { separateCores } from './processes.ts';
import { type Conditions, type MeasuredPart, markdownOf, textOf } from './report.ts';
import type { Run } from './run.ts';
import { sections } from './sections.ts';

const options = readOptions({
  allowNegative: true,
  options: {
    json: { type: 'string' },
    markdown: { type: 'string' },
    check: { type: 'boolean', default: false },
    profile: { type: 'string' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    /** Give the load generator a core of its own, where there are two. */
    pin: { type: 'boolean', default: true },
    /** Seconds that each server of a row is under load, about. */
    seconds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '20' },
    /** Number of records of each family that its bench lists. */
    page: { type: 'string', default: '200' },
    /** Number of posts that the bench of data retrieval seeds; 1000000 in a long run. */
    posts: { type: 'string', default: '50000' },
    /** Number of posts of one author that the bench of advertisers' posts lists; 1000000 in a long run. */
    timeline: { type: 'string', default: '50000' },
    /** Number of people, and of posts, that the bench of audience estimates seeds; 1000000 in a long run. */
    users: { type: 'string', default: '20000' },
    /** Number of records in the media library that the bench searches. */
    media: { type: 'string', default: '100000' },
    /** One in so many worst cases of holds is measured; all unless told. */
    'hold-stride': { type: 'string', default: '1' },
    /** Number of campaigns in the largest account that is compared with one of a thousand; 1000000 in a long run. */
    campaigns: { type: 'string', default: '100000' },
    /** Number of records in the store of members before `--only intake` measures it; 100000000 in a long run. */
    records: { type: 'string', default: '1000000' },
    /** A directory that holds people and posts already. */
    seeded: { type: 'string' },
    server: { type: 'string', default: 'apps/server/dist/main.js' },
    /** Go module of the playground of the documented service, with its version; arguments that start it, and a post that it has. */
    playground: { type: 'string' },
    'playground-args': { type: 'string', default: 'start --port {port}' },
    'playground-target': { type: 'string', default: '/2/posts/1' },
  },
});

async function main(): Promise<void> {
  const { server, only, seeded } = options;
  const seconds = Number(options.seconds);
  // Runs by itself: it fills a disk.
  if (only === 'intake') {
    const row = await measureIntake({ records: Number(options.records), seconds, server });
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(row, null, 2)}\n`);
    process.stdout.write(intakeReport(row));
    return;
  }
  const chosen = sections.filter(({ name, named }) =>
    only === undefined ? options.all || !named : name.includes(only),
  );
  if (chosen.length === 0) {
    throw new Error(`--only ${only} names none of: ${sections.map(({ name }) => name).join(', ')}, intake`);
  }
  const profile = options.profile === undefined ? undefined : path.resolve(options.profile);
  if (profile !== undefined) mkdirSync(profile, { recursive: true });
  // Counted before this process moves to one of them.
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
  const cores = options.pin ? separateCores() : undefined;
  if (!cores) shareCores();
  const run: Run = {
    effort: { seconds, rounds: Number(options.rounds), connections: Number(options.connections) },
    amounts: {
      page: Number(options.page),
      posts: Number(options.posts),
      timeline: Number(options.timeline),
      users: Number(options.users),
      media: Number(options.media),
      campaigns: Number(options.campaigns),
      holdStride: Number(options['hold-stride']),
    },
    server,
    cores,
    profile,
    seeded,
    playground: {
      module: options.playground,
      args: options['playground-args'],
      target: options['playground-target'],
    },
  };
  const began = performance.now();
  const parts: MeasuredPart[] = [];
  for (const { name, measure } of chosen) {
    process.stderr.write(process.stderr.isTTY ? `measuring ${name}\n` : '');
    const start = performance.now();
    const rows = await measure(run);
    parts.push({ name, seconds: (performance.now() - start) / 1000, rows });
  }
  const rows = parts.flatMap((part) => part.rows);
  const conditions: Conditions = {
    date: new Date().toISOString().slice(0, 10),
    machine,
    node: process.versions.node,
    minutes: (performance.now() - began) / 60_000,
    ...run.effort,
    cores: cores
      ? `load generator on core ${cores.generator}, servers on ${cores.server}`
      : 'load generator and servers share the cores',
  };
  if (options.json !== undefined) {
    const times = parts.map(({ name, seconds: taken }) => ({ name, seconds: taken }));
    writeFileSync(options.json, `${JSON.stringify({ conditions, parts: times, rows }, null, 2)}\n`);
  }
  if (options.markdown !== undefined) {
    const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
    writeFileSync(options.markdown, markdownOf(parts, conditions, command));
    // As the repository formats its documents; elsewhere it stays as it is.
    spawnSync('biome', ['format', '--write', options.markdown], { stdio: 'ignore' });
  }
  process.stdout.write(textOf(rows, conditions));
  const missed = rows.filter(misses);
  if (options.check && missed.length > 0) {
    process.stderr.write(`${missed.length} of ${rows.length} rows miss their aims\n`);
    process.exitCode = 1;
  }
}

await main();
