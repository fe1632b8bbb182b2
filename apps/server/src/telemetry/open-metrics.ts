/** The metrics of a server, where they are turned on. */
import { METRICS_PORT, type MetricsSettings } from '../config/metrics-settings.ts';
import { plainUrl } from '../listening/plain-url.ts';
import type { Exposition } from './exposition.ts';
import { type MeasuredServer, sourcesOf } from './server-figures.ts';

/** A listener that answers `/metrics`. */
export interface MetricsListener {
  readonly url: string;
  close(): Promise<void>;
}

/** Prepares the metrics of a server. What writes them is loaded here: a server without them does without. */
export async function openMetrics(server: MeasuredServer): Promise<Exposition> {
  const { Exposition } = await import('./exposition.ts');
  return new Exposition(sourcesOf(server));
}

/** The address of the listener of metrics alone; `undefined` where they are on the listener that controls worlds. */
export function metricsAddress({ host, port }: MetricsSettings, hasControl: boolean) {
  if (port === undefined && hasControl) return undefined;
  return { host, port: port ?? METRICS_PORT };
}

/** Opens that listener. @throws as `listenForMetrics` does */
export async function openMetricsListener(
  exposition: Exposition,
  { host, port }: { readonly host: string; readonly port: number },
  token: string | undefined,
): Promise<MetricsListener> {
  const { listenForMetrics } = await import('../adapters/metrics/listener.ts');
  const server = await listenForMetrics({ exposition, host, port, token });
  return {
    url: plainUrl(server, host),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
