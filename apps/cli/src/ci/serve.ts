/**
 * The server process of `broadside ci`. It lives as long as the pipe from the command does: where that process is killed, the operating
 * system closes the pipe, and this one stops, ends the command that was run, and removes the directory.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from '../command.ts';

/** The hidden command; the word after it is the directory to remove at the end. */
export const SERVE_WORD = 'ci-server';

/** The time that a command gets to end by itself, and then the server. */
const GRACE_MS = 5_000;
const STEP_MS = 50;

/** A message of the pipe: the process that is run, or that it has ended. */
export type ServeMessage =
  | { readonly kind: 'running'; readonly pid: number; readonly mark: string }
  | { readonly kind: 'ended' };

/** `broadside ci-server DIRECTORY`. */
export const serveCommand: Command = {
  kind: 'command',
  words: [SERVE_WORD],
  summary: 'Serve until the pipe on stdin is closed',
  hidden: true,
  positionals: [{ name: 'directory', description: 'Removed at the end.', required: true }],
  sections: [],
  run: async ({ words }) => {
    const [directory = ''] = words;
    process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
    let started = false;
    // Until the server handles signals itself. Without a handler nothing would be removed.
    const abort = () => process.exit(1);
    process.on('SIGTERM', abort);
    void watchPipe().then(() => {
      if (!started) process.exit(1);
      setTimeout(() => process.exit(1), GRACE_MS).unref();
      process.kill(process.pid, 'SIGTERM');
    });
    const { main } = await import('@broadside/server/start');
    await main();
    started = true;
    process.off('SIGTERM', abort);
    // The server has said why it did not start.
    if (process.exitCode !== undefined && process.exitCode !== 0) process.exit();
  },
};

interface MarkedProcess {
  readonly pid: number;
  readonly mark: string;
}

/** Resolves when the pipe is closed and no command runs any more. */
async function watchPipe(): Promise<void> {
  let command: MarkedProcess | undefined;
  let isOver = false;
  for await (const line of createInterface({ input: process.stdin })) {
    const message: ServeMessage = JSON.parse(line);
    isOver = message.kind === 'ended';
    command = message.kind === 'running' ? message : undefined;
  }
  if (!isOver) await end(command);
}

/** @param command the process that was run; it may have begun without a message, where the other end was killed in between */
async function end(command: MarkedProcess | undefined): Promise<void> {
  const { processMark } = await import('@broadside/server/place');
  const roots = command && processMark(command.pid) === command.mark ? [command.pid] : [];
  // With what it has started, which would be nobody's once it has ended.
  const pids = new Set([...roots, ...roots.flatMap(descendantsOf), ...processesOf(process.env['BROADSIDE_DATA_DIR'])]);
  const all = [...pids].map((one) => ({ pid: one, mark: processMark(one) }));
  const running = () => all.filter((one) => one.mark !== undefined && processMark(one.pid) === one.mark);
  const signal = (name: 'SIGTERM' | 'SIGKILL') => {
    for (const one of running()) {
      try {
        process.kill(one.pid, name);
      } catch {
        // It ended in between.
      }
    }
  };
  signal('SIGTERM');
  for (let waited = 0; running().length > 0 && waited < GRACE_MS; waited += STEP_MS) await sleep(STEP_MS);
  signal('SIGKILL');
}

/** Other processes that were given the directory of this server in their environment, by /proc; none where there is no such thing. */
function processesOf(directory: string | undefined): number[] {
  if (!directory) return [];
  const setting = `BROADSIDE_DATA_DIR=${directory}`;
  return processIds().filter((pid) => pid !== process.pid && settingsOf(pid).includes(setting));
}

function settingsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has ended, or is another user's.
    return [];
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** The processes below one, by /proc; none where there is no such thing. */
function descendantsOf(ancestor: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of processIds()) {
    const parent = parentOf(pid);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(ancestor);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything (proc(5)); state and parent follow it.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
