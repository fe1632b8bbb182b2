/** Help text of any node. All words about operations are the contract's. */
import { type Command, flagsOf, type Group } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { Flag } from './flag.ts';
import type { Paint } from './paint.ts';
import { pad, wrap } from './text.ts';

/** Layout options of help. */
export interface HelpStyle {
  readonly paint: Paint;
  /** Width of the terminal. */
  readonly columns: number | undefined;
}

const WIDEST = 100;
const NARROWEST = 60;

function lineWidth({ columns = 80 }: HelpStyle): number {
  return Math.max(NARROWEST, Math.min(columns, WIDEST));
}

/** The help of a group: what can follow it. */
export function groupHelp(group: Group, style: HelpStyle): string {
  const listed = group.listed ?? [['Commands', [...group.children.keys()]] as const];
  const widest = Math.max(...[...group.children].filter(([, child]) => !child.hidden).map(([name]) => name.length));
  const sections = listed.map(([title, names]) => {
    const lines = names.flatMap((name) => {
      const child = group.children.get(name);
      if (!child || child.hidden) return [];
      return [row(style.paint('cyan', pad(name, widest)), widest, child.summary, style)];
    });
    return `${style.paint('bold', title)}\n${lines.join('')}`;
  });
  const words = ['broadside', ...group.words].join(' ');
  const usage = `${style.paint('bold', 'Usage')}\n  ${words} <command> [flags]\n`;
  const closing = group.closing ?? [`${words} <command> --help says more.`];
  const head = group.listed ? `${wrap(group.summary, lineWidth(style))}\n` : '';
  return [head, usage, ...sections, `${closing.map((line) => wrap(line, lineWidth(style))).join('\n')}\n`]
    .filter((part) => part !== '')
    .join('\n');
}

/** The help of a command. */
export function commandHelp(command: Command, style: HelpStyle): string {
  const { paint } = style;
  const columns = lineWidth(style);
  const parts = [`${command.summary}\n`];
  if (command.description) parts.push(`${wrap(command.description, columns)}\n`);
  if (command.steps) {
    const lines = command.steps.map((text, i) => row(paint('cyan', `${i + 1}.`), 2, text, style));
    parts.push(lines.join(''));
  }
  parts.push(`${paint('bold', 'Usage')}\n  ${wrap(usageOf(command), columns - 4, '    ')}\n`);
  const words = (command.positionals ?? []).filter(({ standsFor }) => standsFor === undefined);
  if (words.length > 0) {
    parts.push(
      `${paint('bold', 'Words')}\n${words.map(({ name, description }) => flagRow(`<${name}>`, description, style)).join('')}`,
    );
  }
  for (const { title, flags } of command.sections) {
    parts.push(
      `${paint('bold', title)}\n${flags.map((flag) => flagRow(signature(flag), flagText(flag), style)).join('')}`,
    );
  }
  if (command.examples?.length) {
    const lines = command.examples.map(({ line, file }) => {
      const text = file ? `${line}\n\n${file.name}:\n${file.text}` : line;
      return `${text.replace(/^(?=.)/gm, '  ')}\n`;
    });
    parts.push(`${paint('bold', command.examples.length > 1 ? 'Examples' : 'Example')}\n${lines.join('')}`);
  }
  if (command.facts?.length) parts.push(facts(command, style));
  return parts.join('\n');
}

function facts(command: Command, style: HelpStyle): string {
  const entries = command.facts ?? [];
  const widest = Math.max(...entries.map(([title]) => title.length));
  return entries.map(([title, text]) => row(style.paint('cyan', pad(title, widest)), widest, text, style)).join('');
}

function usageOf(command: Command): string {
  const positionals = command.positionals ?? [];
  const required = flagsOf(command).filter((flag) => flag.required);
  const words = positionals.map(({ name, required: must, rest, standsFor }) => {
    if (must || required.some((flag) => flag.name === standsFor)) return `<${name}>`;
    return rest ? `[${name} ...]` : `[${name}]`;
  });
  // A parameter that may be given as a word is not named twice.
  const flags = required.filter((flag) => !positionals.some(({ standsFor }) => standsFor === flag.name)).map(signature);
  const needs = command.needs === undefined ? [] : [command.needs];
  const more = command.sections.length > 0 ? ['[flags]'] : [];
  return ['broadside', ...command.words, ...words, ...flags, ...needs, ...more].join(' ');
}

function signature(flag: Flag): string {
  const short = flag.short ? `, -${flag.short}` : '';
  return `--${flag.name}${short}${flag.kind === 'boolean' ? '' : ` <${flag.hint}>`}`;
}

function flagText({ description, values, hint, default: fallback, kind }: Flag): string {
  const parts = [description];
  if (values && values.join('|') !== hint) parts.push(`${kind === 'list' ? 'Any of' : 'One of'} ${values.join(', ')}.`);
  if (fallback !== undefined && !(kind === 'boolean' && fallback === 'false')) parts.push(`Default: ${fallback}.`);
  return parts.filter((part) => part !== '').join(' ');
}

/** Names longer than this are on a line of their own. */
const NAME_WIDTH = 24;

function flagRow(name: string, text: string, style: HelpStyle): string {
  const painted = style.paint('cyan', name.length <= NAME_WIDTH ? pad(name, NAME_WIDTH) : name);
  if (name.length <= NAME_WIDTH) return row(painted, NAME_WIDTH, text, style);
  return `  ${painted}\n${row(' '.repeat(NAME_WIDTH), NAME_WIDTH, text, style)}`;
}

function row(name: string, nameWidth: number, text: string, style: HelpStyle): string {
  const indent = ' '.repeat(nameWidth + 4);
  const room = Math.max(24, lineWidth(style) - indent.length);
  return `  ${name}  ${wrap(text, room, indent)}\n`;
}

/** The table of exit codes. */
export function exitCodeHelp(style: HelpStyle): string {
  const rows = Object.values(exitCodes).map(({ code, meaning }) =>
    row(style.paint('cyan', pad(`${code}`, 3, 'right')), 3, meaning, style),
  );
  return `${style.paint('bold', 'Exit codes')}\n${rows.join('')}`;
}
