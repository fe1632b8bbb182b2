/** The settings of metrics. */
import type { Environment } from './addresses.ts';
import { ConfigError, port } from './addresses.ts';

/** Where metrics are served. */
export interface MetricsSettings {
  /** The address of a listener of their own. */
  readonly host: string;
  /** Its port; `undefined` for the listener that controls worlds, where that is open. */
  readonly port: number | undefined;
}

/** The port of the listener where the one that controls worlds is closed, and no other port is set. */
export const METRICS_PORT = 8004;

/** Reads where metrics are served; `undefined` where nothing is measured. @throws ConfigError */
export function readMetrics(env: Environment): MetricsSettings | undefined {
  const text = env['BROADSIDE_METRICS'] || undefined;
  const given = env['BROADSIDE_METRICS_PORT'] || undefined;
  const isOn = text === undefined ? given !== undefined : switched(text);
  const settings = {
    host: env['BROADSIDE_METRICS_HOST'] || '127.0.0.1',
    port: given === undefined ? undefined : port(env, 'BROADSIDE_METRICS_PORT', METRICS_PORT),
  };
  return isOn ? settings : undefined;
}

function switched(text: string): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(0|false|no|off)$/i.test(text)) return false;
  throw new ConfigError(`BROADSIDE_METRICS is "${text}"; it must be 1 or 0.`);
}
