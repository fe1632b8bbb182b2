/**
 * The Go program with which developers of the documented service try their requests, beside ours: one post with a bearer token. It is
 * installed by `go` into the directory of the run. Where it cannot be had, the row says why.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@broadside/test-servers/free-port';
import { type BenchRow, benchRow } from './bench-row.ts';
import { answers } from './load.ts';
import { bearerWire, idsOf, indexed } from './posts.ts';
import { seedPosts } from './prepared.ts';
import type { Processes } from './processes.ts';
import { measureRounds, type Target } from './rounds.ts';
import type { Run } from './run.ts';
import type { Credentials } from './wire.ts';

const NAME = 'GET one post with a bearer token, against the Go playground';
const POSTS = 5000;

/** Measures one read against it. */
export async function measurePlayground(run: Run, directory: string, processes: Processes): Promise<BenchRow> {
  const { module, args, target } = run.playground;
  const notMeasured = (why: string) => benchRow({ name: NAME, notes: `not measured: ${why}` });
  if (module === undefined) return notMeasured('`--playground` names no module');
  const installed = install(module, directory);
  if ('why' in installed) return notMeasured(installed.why);
  const other = await start(processes, installed.program, args);
  const data = path.join(directory, 'posts');
  seedPosts(data, { posts: POSTS, users: POSTS / 10 });
  const { child } = await processes.startServer(run.server, data);
  const held: Credentials & { base_url: string; bearer_token: string } = JSON.parse(
    readFileSync(path.join(data, 'credentials.json'), 'utf8'),
  );
  await indexed(held);
  const port = Number(new URL(held.base_url).port);
  const ids = idsOf(data);
  let next = 0;
  const targets = { ours: () => `/2/posts?ids=${ids[next++ % ids.length]}`, other: () => target, floor: () => target };
  const subject = {
    name: NAME,
    aim: 1,
    warmup: 2000,
    requests: (count: number, server: keyof typeof targets) =>
      Array.from({ length: count }, () =>
        bearerWire(targets[server](), server === 'ours' ? port : other.port, held.bearer_token),
      ),
  };
  const row = await measureRounds(subject, { ours: { child, port }, other }, run.effort);
  other.child.kill();
  return { ...row, notes: module };
}

function install(module: string, directory: string): { readonly program: string } | { readonly why: string } {
  const bin = path.join(directory, 'bin');
  const env = { ...process.env, GOBIN: bin, GOPATH: path.join(directory, 'go'), GOFLAGS: '-modcacherw' };
  const { error, status, stderr } = spawnSync('go', ['install', module], { env, encoding: 'utf8' });
  if (error) return { why: 'there is no `go`' };
  const [program] = status === 0 ? readdirSync(bin) : [];
  return program === undefined ? { why: stderr.trim().replaceAll(/\s+/g, ' ') } : { program: path.join(bin, program) };
}

async function start(processes: Processes, program: string, args: string): Promise<Target> {
  const port = await freePort();
  const child = processes.start(program, args.replaceAll('{port}', `${port}`).split(' '));
  await answers(port, program);
  return { child, port };
}
