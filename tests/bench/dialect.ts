/** Reading one entity in a dialect, against reading it in the words of the interface: one server, by processor time. */
import { type BenchRow, benchRow } from './bench-row.ts';
import { startedOnce } from './prepared.ts';
import { median, quartiles } from './rounds.ts';
import { inDirectory, type Run } from './run.ts';
import { interleaved, middle, prepare, sideOf, type Threaded } from './threads.ts';

/** A host of the dialect that is shipped, which a server in development mode knows. */
const HOST = 'https://ads-api.twitter.com';

/** Measures one GET in either vocabulary, in turn. */
export function measureDialect(run: Run): Promise<readonly BenchRow[]> {
  return inDirectory(
    run,
    async (directory, processes) => {
      await startedOnce(directory, run.server);
      const { child } = await processes.startServer(run.server, directory);
      const own = await prepare(child, directory);
      const target = own.request.target.replace(/^\/12\//, '/11/');
      const other = { ...own, held: { ...own.held, ads_base_url: HOST }, request: { ...own.request, target } };
      return compare(run, own, other);
    },
    { settings: { BROADSIDE_WORKERS: '1' } },
  );
}

async function compare({ effort }: Run, own: Threaded, other: Threaded): Promise<readonly BenchRow[]> {
  const [before = [], after = []] = await interleaved(effort, [[own], [other]]);
  const ratios = after.map(({ cpu_us }, i) => (before[i]?.cpu_us ?? 0) / cpu_us);
  const { cpu_us, requests_per_second, p50_ms, p99_ms, memory_mb } = middle(after);
  return [
    benchRow({
      name: 'GET one campaign in a dialect',
      ratio: median(ratios),
      ratio_of: 'processor time without / in the dialect',
      // 15 percent.
      aim: 0.87,
      spread: quartiles(ratios),
      cpu_us,
      requests_per_second,
      p50_ms,
      p99_ms,
      memory_mb,
      other: sideOf(middle(before)),
    }),
  ];
}
