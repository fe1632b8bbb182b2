/** The time from the command to the first answer, of a server that has data. */
import { spawnSync } from 'node:child_process';
import { type BenchRow, benchRow } from './bench-row.ts';
import { onAllCores, type Processes, stop } from './processes.ts';
import { median } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';

/** A cold start may take so long on an idle machine. */
const MOST_MS = 300;
const STARTS = 9;

/** Measures cold starts, with all cores: the engine compiles and collects beside the main thread. */
export function measureStart(run: Run): Promise<BenchRow[]> {
  return inDirectory({ ...run, cores: onAllCores(run.cores) }, async (directory, processes) => {
    // The first start makes the demo.
    await stop((await start(processes, run.server, directory)).child);
    const times: number[] = [];
    const alone: number[] = [];
    for (let i = 0; i < Math.min(STARTS, run.effort.rounds); i++) {
      const { child, ms } = await start(processes, run.server, directory);
      times.push(ms);
      await stop(child);
      const began = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      alone.push(performance.now() - began);
    }
    const middle = median(times);
    return [
      benchRow({
        name: 'cold start',
        ratio: MOST_MS / middle,
        ratio_of: `${MOST_MS} ms / time from the command to the first answer`,
        aim: 1,
        spread: [MOST_MS / Math.max(...times), MOST_MS / Math.min(...times)],
        notes: `median ${middle.toFixed(0)} ms of ${times.map((ms) => ms.toFixed(0)).join(', ')}; Node alone ${median(alone).toFixed(0)} ms`,
      }),
    ];
  });
}

async function start(processes: Processes, server: string, directory: string) {
  const began = performance.now();
  const { child, greeting } = await processes.startServer(server, directory);
  const url = /advertising {3,}(http\S+)/.exec(greeting)?.[1] ?? '';
  await (await fetch(`${url}/health`)).text();
  return { child, ms: performance.now() - began };
}
