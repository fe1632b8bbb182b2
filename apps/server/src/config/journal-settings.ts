/** The setting of the journal. */
import { type JournalLimits, usualJournal } from '../journal/records.ts';
import type { Mode } from '../pipeline/mode.ts';
import { ConfigError } from './addresses.ts';

/** The figures: the limit of each, how many of its units one is, and the largest. */
const figures = {
  calls: ['calls', 1, 10_000],
  megabytes: ['bytes', 1_000_000, 1000],
  body_kb: ['body', 1024, 64],
} as const satisfies Record<string, readonly [limit: keyof JournalLimits, units: number, most: number]>;

/**
 * Reads what the journal of a world keeps; `undefined` where it keeps nothing: in production mode unless it is asked for.
 * @throws ConfigError
 */
export function readJournal(text: string | undefined, mode: Mode): JournalLimits | undefined {
  if (text === undefined) return mode === 'development' ? usualJournal : undefined;
  if (/^(?:on|1|true|yes)$/i.test(text)) return usualJournal;
  if (/^(?:off|0|false|no)$/i.test(text)) return undefined;
  const limits: { -readonly [Name in keyof JournalLimits]: JournalLimits[Name] } = { ...usualJournal };
  for (const part of text.split(',')) {
    const [, name, digits] = /^\s*(\w+)=(\d{1,7})\s*$/.exec(part) ?? [];
    const figure = Number(digits);
    const known = isFigure(name) ? figures[name] : undefined;
    if (known === undefined || figure < 1 || figure > known[2]) {
      const names = Object.entries(figures).map(([each, [, , most]]) => `${each} (up to ${most})`);
      throw new ConfigError(
        `BROADSIDE_JOURNAL has "${part}"; it must be on, off, or name=figure with a name of ${names.join(', ')}.`,
      );
    }
    const [limit, units] = known;
    limits[limit] = figure * units;
  }
  return limits;
}

function isFigure(name: string | undefined): name is keyof typeof figures {
  return name !== undefined && Object.hasOwn(figures, name);
}
