import type { Config } from '../config/config.ts';
import type { Telemetry } from './telemetry.ts';
import { ThreadFigures } from './thread-figures.ts';

/** What a thread measures; nothing where nobody asked for it. @param thread its number; the main thread has 0 */
export function openTelemetry({ metrics }: Pick<Config, 'metrics'>, thread: number): Telemetry | undefined {
  if (!metrics) return undefined;
  const figures = new ThreadFigures(thread);
  return { figures, closed: (code) => figures.closedConnections.add({ code }) };
}
