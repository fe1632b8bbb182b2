/** Runs the driver of a client and reads what it prints: a line of JSON for what the client offers, and for each step. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import type { Platform } from './platform.ts';

const Line = z.union([
  z.object({ offers: z.array(z.string()) }),
  z.object({ step: z.string(), value: z.unknown() }),
  z.object({ step: z.string(), error: z.unknown() }),
  z.object({ done: z.literal(true) }),
]);

/** The outcome of a driver. */
export interface Driven {
  /** Everything public that the client has, by name. */
  readonly offers: readonly string[];
  /** The result of each step, or `{ error }`, in order. */
  readonly steps: ReadonlyMap<string, unknown>;
}

/**
 * Runs a driver to its end.
 * @throws Error with all that it printed when it breaks off
 */
export async function drive(program: string, args: readonly string[], platform: Platform): Promise<Driven> {
  const child = spawn(program, args, {
    env: {
      PATH: process.env['PATH'],
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONWARNINGS: 'ignore',
      ...platform.variables,
      PUBLISHED_CLIENTS: JSON.stringify(platform.environment),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => {
      text[name] += part;
    });
  }
  await once(child, 'close');
  const offers: string[] = [];
  const steps = new Map<string, unknown>();
  let isDone = false;
  for (const line of text.stdout.split('\n').filter((each) => each !== '')) {
    const read = Line.parse(JSON.parse(line));
    if ('offers' in read) offers.push(...read.offers);
    else if ('done' in read) isDone = true;
    else steps.set(read.step, 'error' in read ? { error: read.error } : read.value);
  }
  if (!isDone)
    throw new Error(`the driver broke off:\n${text.stdout.split('\n').slice(-3).join('\n')}\n${text.stderr}`);
  return { offers, steps };
}
