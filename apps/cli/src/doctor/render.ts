/** An explanation for people: what is wrong, what to do, and where the two base strings part. */
import type { Explanation, Finding, Verdict } from '@broadside/core/doctor';
import type { Paint } from '../paint.ts';
import { printable, width, wrap } from '../text.ts';

/** Rendering options. */
export interface RenderStyle {
  readonly paint: Paint;
  /** Width of the terminal; without one, base strings are on one line each. */
  readonly columns: number | undefined;
}

const HEADLINES: Readonly<Record<Verdict, string>> = {
  valid: 'Valid: the signature is right',
  explained: 'Rejected for this reason',
  unexplained: 'Rejected: the signature matches no known mistake',
  unsigned: 'Rejected: the request is not signed',
  malformed: 'Rejected: the credentials cannot be parsed',
};
/** Text is not set wider than people read. */
const WIDEST_TEXT = 100;
const NARROWEST = 40;

/** All of an explanation. */
export function renderExplanation(explanation: Explanation, style: RenderStyle): string {
  const { verdict, findings, checklist = [], complete } = explanation;
  const { paint } = style;
  const parts = [`${paint('bold', paint(verdict === 'valid' ? 'cyan' : 'red', HEADLINES[verdict]))}\n`];
  findings.forEach((found, index) => {
    parts.push(findingText(found, findings.length > 1 ? `${index + 1}. ` : '', style));
  });
  if (checklist.length > 0)
    parts.push(`${paint('bold', 'What to look at')}\n${checklist.map((line) => item(line, style)).join('')}`);
  const compared = baseStrings(explanation, style);
  if (compared !== '') parts.push(compared);
  if (!complete) parts.push('The request is large, so not everything was tried.\n');
  return parts.join('\n');
}

function findingText({ title, hint, detail, clause }: Finding, mark: string, style: RenderStyle): string {
  const { paint } = style;
  const indent = ' '.repeat(mark.length);
  const below = (text: string) => `${indent}${text.replaceAll('\n', `\n${indent}`)}\n`;
  const set = (text: string) => wrap(printable(text), textWidth(style) - mark.length);
  const lines = [below(set(hint))];
  if (detail !== undefined) lines.push(below(set(detail)));
  if (clause !== undefined) lines.push(below(paint('dim', clause)));
  return `${mark}${paint('yellow', set(title).replaceAll('\n', `\n${indent}`))}\n${lines.join('')}`;
}

function item(text: string, style: RenderStyle): string {
  return `  - ${wrap(printable(text), textWidth(style) - 4, '    ')}\n`;
}

/** The width at which text is set. */
export function textWidth({ columns = 80 }: Pick<RenderStyle, 'columns'>): number {
  return Math.max(NARROWEST, Math.min(columns, WIDEST_TEXT));
}

const EXPECTED = 'expected  ';
const SIGNED = 'signed    ';

function baseStrings(explanation: Explanation, style: RenderStyle): string {
  const { expected_base_string, signed_base_string, first_difference, parameters_begin } = explanation;
  const { paint, columns } = style;
  if (expected_base_string === undefined) return '';
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(NARROWEST, columns) - EXPECTED.length;
  if (signed_base_string === undefined || first_difference === undefined) {
    const head = signed_base_string === undefined ? 'The base string to sign' : 'The base string is right';
    const lines = pieces(expected_base_string, room + EXPECTED.length).map((piece) => `${printable(piece)}\n`);
    const from = parameters_begin === undefined ? '' : `The parameters begin at character ${parameters_begin + 1}.\n`;
    return `${paint('bold', head)}\n${lines.join('')}${from}`;
  }
  const { position } = first_difference;
  const expected = pieces(expected_base_string, room);
  const signed = pieces(signed_base_string, room);
  const head = `The base strings part at character ${position + 1}`;
  const lines = Array.from({ length: Math.max(expected.length, signed.length) }, (_, index) => {
    const from = index * room;
    const marked = position >= (index === 0 ? 0 : from) && position < from + room;
    const [right = '', wrong = ''] = [expected[index], signed[index]];
    const before = Math.max(0, position - (index === 0 ? 0 : from));
    const blank = ' '.repeat(EXPECTED.length + (marked ? width(printable(wrong.slice(0, before))) : 0));
    const rows = [
      ...(right === '' ? [] : [`${paint('cyan', EXPECTED)}${printable(right)}`]),
      ...(wrong === '' ? [] : [`${paint('yellow', SIGNED)}${printable(wrong)}`]),
      ...(marked ? [`${blank}${paint('red', '^')}`] : []),
    ];
    return rows.map((row) => `${row}\n`).join('');
  });
  return `${paint('bold', head)}\n${lines.join('')}`;
}

function pieces(text: string, room: number): string[] {
  if (text.length <= room) return [text];
  return Array.from({ length: Math.ceil(text.length / room) }, (_, index) =>
    text.slice(index * room, (index + 1) * room),
  );
}
