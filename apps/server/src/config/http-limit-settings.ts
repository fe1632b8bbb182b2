/** The limits of HTTP as a setting. */
import { defaultHttpLimits, type HttpLimits } from '../adapters/limits/http-limits.ts';
import { ConfigError } from './addresses.ts';

/** The figures of `BROADSIDE_HTTP_LIMITS`: the limit of each, and how many of its units one is. */
const httpFigures = {
  connections: ['connections', 1],
  connections_per_address: ['connections_per_address', 1],
  body_mb: ['body_bytes', 1_000_000],
  body_mb_per_address: ['body_bytes_per_address', 1_000_000],
  header_seconds: ['header_ms', 1000],
  request_seconds: ['request_ms', 1000],
  stall_seconds: ['stall_ms', 1000],
} as const satisfies Record<string, readonly [limit: keyof HttpLimits, units: number]>;

/** The largest body of the interface and an upload in base64 must have room. */
const MIN_BODY_MB = 10;

function isHttpFigure(name: string | undefined): name is keyof typeof httpFigures {
  return name !== undefined && Object.hasOwn(httpFigures, name);
}

/** Reads the figures; those that are not given are the defaults. @throws ConfigError */
export function readHttpLimits(text: string | undefined): HttpLimits {
  const limits: { -readonly [Name in keyof HttpLimits]: HttpLimits[Name] } = { ...defaultHttpLimits };
  for (const part of text?.split(',') ?? []) {
    const [, name, digits] = /^\s*(\w+)=(\d{1,7})\s*$/.exec(part) ?? [];
    const figure = Number(digits);
    if (!isHttpFigure(name) || figure < (name.startsWith('body_mb') ? MIN_BODY_MB : 1)) {
      const names = Object.keys(httpFigures).join(', ');
      throw new ConfigError(
        `BROADSIDE_HTTP_LIMITS has "${part}"; it must be name=figure with a name of ${names}, and ${MIN_BODY_MB} megabytes or more for bodies.`,
      );
    }
    const [limit, units] = httpFigures[name];
    limits[limit] = figure * units;
  }
  return limits;
}
