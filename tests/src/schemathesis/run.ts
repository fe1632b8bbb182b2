/** Runs Schemathesis over a document of the prepared server. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringifyJson } from '@broadside/core';
import { z } from 'zod';
import type { PreparedDocument } from './prepared-server.ts';

/** The size of a run. */
export interface Budget {
  readonly seed: number;
  /** Generated cases of each operation, besides its examples; with 0 there are none. */
  readonly examples: number;
  /** One in so many cases of the coverage phase, which tries the bounds of each parameter, is sent; with 0 there are none. */
  readonly thinning: number;
  /** The only operation that is tried. */
  readonly operation?: string | undefined;
  /** A file with the document, in place of the one that the server has. */
  readonly document?: string;
}

/** The outcome of a run. */
export interface Outcome {
  readonly passed: boolean;
  /** The output of Schemathesis: each failure with the request that causes it. */
  readonly output: string;
  /** Requests that were sent. */
  readonly cases: number;
  /** Operations that were called. */
  readonly called: readonly string[];
  /** Those of them that never succeeded. */
  readonly unsuccessful: readonly string[];
}

const Counts = z.record(z.string(), z.record(z.string(), z.number()));

/** Runs the phases of a budget. */
export async function runSchemathesis(python: string, server: PreparedDocument, budget: Budget): Promise<Outcome> {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-fuzz-'));
  try {
    const description = path.join(directory, 'server.json');
    const counts = path.join(directory, 'counts.json');
    writeFileSync(description, stringifyJson(server));
    writeFileSync(counts, '{}');
    // Python keeps what it compiles, beside the modules.
    for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.py'))) {
      cpSync(path.join(import.meta.dirname, file), path.join(directory, file));
    }
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: directory,
      BROADSIDE_FUZZ_SERVER: description,
      BROADSIDE_FUZZ_COUNTS: counts,
      BROADSIDE_FUZZ_SEED: `${budget.seed}`,
      BROADSIDE_FUZZ_THINNING: `${budget.thinning}`,
    };
    const { passed, output } = await run(python, argumentsOf(server, budget), { cwd: directory, env });
    const seen = Counts.parse(JSON.parse(readFileSync(counts, 'utf8')));
    const called = Object.keys(seen);
    return {
      passed,
      output,
      cases: Object.values(seen).reduce((sum, each) => sum + Object.values(each).reduce((all, one) => all + one, 0), 0),
      called,
      unsuccessful: called.filter((id) => !Object.keys(seen[id] ?? {}).some((status) => /^[23]/.test(status))),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function argumentsOf({ origin }: PreparedDocument, budget: Budget): string[] {
  const { seed, examples, thinning, operation, document = `${origin}/openapi.json` } = budget;
  const phases = ['examples', ...(thinning > 0 ? ['coverage'] : []), ...(examples > 0 ? ['fuzzing'] : [])];
  return [
    ...['-m', 'schemathesis.cli', '--config-file', path.join(import.meta.dirname, 'schemathesis.toml')],
    ...['run', document, '--url', origin, '--phases', phases.join(','), '--seed', `${seed}`],
    ...['--max-examples', `${Math.max(1, examples)}`],
    ...(operation === undefined ? [] : ['--include-operation-id', operation]),
    ...['--generation-database', 'none', '--suppress-health-check', 'all', '--request-retries', '0'],
    ...['--output-sanitize', 'false', '--no-color'],
  ];
}

function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string | undefined> },
): Promise<{ readonly passed: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    const limit = { maxBuffer: 256 * 1024 * 1024 };
    execFile(program, args, { ...options, ...limit }, (error, stdout, stderr) => {
      resolve({ passed: error === null, output: `${stdout}${stderr}` });
    });
  });
}
