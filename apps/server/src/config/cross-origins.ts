/** The setting of origins whose pages may call. */
import type { Mode } from '../pipeline/mode.ts';
import { ConfigError } from './addresses.ts';

/** Origins whose pages may call, and whether those of this machine may too. */
export interface CrossOrigins {
  readonly loopback: boolean;
  /** As browsers send them: scheme, host and port, in lower case. */
  readonly origins: readonly string[];
}

/** The pages of no other origin may call. */
export const NO_ORIGINS: CrossOrigins = { loopback: false, origins: [] };

/** Reads the setting. @throws ConfigError */
export function readCrossOrigins(text: string | undefined, mode: Mode): CrossOrigins {
  const origins: string[] = [];
  let loopback = false;
  const given = text ?? (mode === 'development' ? 'loopback' : 'none');
  if (given.trim() === 'none') return NO_ORIGINS;
  for (const part of given.split(',')) {
    const name = part.trim();
    if (name === 'loopback') {
      loopback = true;
      continue;
    }
    const url = /^https?:/i.test(name) && URL.canParse(name) ? new URL(name) : undefined;
    if (url === undefined || url.origin !== name.toLowerCase().replace(/\/$/, '')) {
      throw new ConfigError(
        `BROADSIDE_CORS_ORIGINS has "${name}"; it must be loopback, none, or origins such as https://app.example or http://127.0.0.1:3000, without a path, separated by commas.`,
      );
    }
    origins.push(url.origin);
  }
  return { loopback, origins };
}
