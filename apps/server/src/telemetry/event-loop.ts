/** How busy the event loop of a thread is, and how late it is. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { counter, type Figure, gauge } from './figures.ts';

/** Milliseconds between the looks at how late the loop is. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** See the top of this file. */
export class EventLoop {
  readonly #thread: string;
  readonly #delay: ReturnType<typeof monitorEventLoopDelay>;

  /** @param thread its name as a label */
  constructor(thread: string) {
    this.#thread = thread;
    this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delay.enable();
  }

  close(): void {
    this.#delay.disable();
  }

  /** The delays are those since the last call. */
  figures(): Figure[] {
    const { active, idle } = performance.eventLoopUtilization();
    const thread = this.#thread;
    const delay = (percentile: string, nanoseconds: number) =>
      [{ thread, percentile }, Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000)] as const;
    const delays = [
      delay('50', this.#delay.percentile(50)),
      delay('99', this.#delay.percentile(99)),
      delay('100', this.#delay.max),
    ];
    this.#delay.reset();
    return [
      gauge(
        {
          name: 'broadside_event_loop_delay_seconds',
          help: 'How late the event loop of a thread was since the last scrape, by percentile; 100 is the longest delay',
        },
        delays,
      ),
      counter(
        {
          name: 'broadside_event_loop_active_seconds_total',
          help: 'Time in which the event loop of a thread was busy',
        },
        [[{ thread }, active / 1000]],
      ),
      counter(
        { name: 'broadside_event_loop_idle_seconds_total', help: 'Time in which the event loop of a thread waited' },
        [[{ thread }, idle / 1000]],
      ),
    ];
  }
}
