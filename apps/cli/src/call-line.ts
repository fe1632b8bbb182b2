/** Calls of a journal as lines, each as wide as the terminal. */
import type { JournalCall } from '@broadside/core/resources/control/journal';
import type { Paint } from './paint.ts';
import { cut, pad, printable } from './text.ts';

/** Widths of the columns; the last takes what is left. */
const TIME = 8;
const ID = 15;
const STATUS = 6;
const MS = 8;
const LEAST_CALL = 20;
const MOST_CALL = 44;
const LEAST_NOTE = 10;
/** Terminals narrower than this show no durations. */
const WITH_MS = 100;
const GAP = '  ';

/** A pipe has no width to respect. */
const UNBOUNDED = 1000;

/** The line of headers. */
export function callHeader(paint: Paint, columns = UNBOUNDED): string {
  return paint('bold', fitted(['TIME', 'ID', 'STATUS', 'CALL', 'MS', 'NOTE'], columns).trimEnd());
}

/** The line of a call. */
export function callLine(call: JournalCall, paint: Paint, columns = UNBOUNDED): string {
  const { id, time, operation, method, path, status, duration_ms } = call;
  const what = operation ?? `${method} ${path}`;
  const line = fitted(
    [time.slice(11, 19), id, `${status}`, what, duration_ms.toFixed(1), noteOf(call)].map(printable),
    columns,
  ).trimEnd();
  if (call.delivery === 'LOST') return paint('yellow', line);
  return status >= 400 ? paint('red', line) : line;
}

function fitted(
  [time = '', id = '', status = '', what = '', ms = '', note = '']: readonly string[],
  columns: number,
): string {
  const hasMs = columns >= WITH_MS;
  const fixed = TIME + ID + STATUS + 3 * GAP.length + (hasMs ? MS + GAP.length : 0);
  const call = Math.max(LEAST_CALL, Math.min(MOST_CALL, columns - fixed - GAP.length - 2 * LEAST_NOTE));
  const rest = Math.max(LEAST_NOTE, columns - fixed - call - GAP.length);
  const cells = [
    pad(cut(time, TIME), TIME),
    pad(cut(id, ID), ID),
    pad(cut(status, STATUS), STATUS),
    pad(cut(what, call), call),
    ...(hasMs ? [pad(cut(ms, MS), MS, 'right')] : []),
    cut(note, rest),
  ];
  return cells.join(GAP);
}

/** What there is to say of a call: that nobody has got its answer, the faults that befell it, its error, or what it changed. */
function noteOf({ delivery, fired, errors, changes }: JournalCall): string {
  const [error] = errors;
  const rejected = error ? `${error.code}${error.parameter === null ? '' : ` ${error.parameter}`}` : undefined;
  const changed = [...Map.groupBy(changes, ({ entity }) => entity)].map(([entity, all]) =>
    all.length === 1 ? `${SIGNS[all[0]?.change_type ?? 'UPDATE']}${entity}` : `${all.length} ${entity}`,
  );
  const notes = [
    ...(delivery === 'LOST' ? ['answer lost'] : []),
    ...fired.map((rule) => `fault ${rule}`),
    ...(rejected === undefined ? [] : [rejected]),
    ...changed,
  ];
  return notes.join(', ');
}

const SIGNS = { CREATE: '+', UPDATE: '~', DELETE: '-' } as const;
