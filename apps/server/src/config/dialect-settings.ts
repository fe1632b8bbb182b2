/** The dialects that a server understands, as settings. */
import { type DialectSettings, shippedDialects } from '../dialects/dialects.ts';
import type { ListenerName } from '../listener-name.ts';
import type { Mode } from '../pipeline/mode.ts';
import { ConfigError } from './addresses.ts';

/** Our choice: none in production mode unless it is named, since requests for its hosts are trusted to have come over TLS. */
export function readDialects(text: string | undefined, mode: Mode): readonly string[] {
  if (text === undefined) return mode === 'development' ? shippedDialects() : [];
  if (text.trim() === 'none') return [];
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const listeners = ['api', 'ads', 'sandbox'] as const satisfies readonly ListenerName[];

/** Reads the dialects of listeners. @throws ConfigError */
export function readListenerDialects(text: string | undefined): DialectSettings['own'] {
  const own: { [Name in (typeof listeners)[number]]?: string } = {};
  for (const part of text?.split(',') ?? []) {
    const [, name, dialect] = /^\s*(\w+)=([a-z0-9-]+)\s*$/.exec(part) ?? [];
    const listener = listeners.find((candidate) => candidate === name);
    if (listener === undefined || dialect === undefined) {
      throw new ConfigError(
        `BROADSIDE_LISTENER_DIALECTS has "${part}"; it must be listener=dialect with a listener of ${listeners.join(', ')}.`,
      );
    }
    own[listener] = dialect;
  }
  return own;
}
