import { styleText } from 'node:util';
import type { Env, Sink } from './io.ts';

/** A style by what it is for. */
type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan';

/** Puts a style on text where the sink shows styles. */
export type Paint = (style: Style, text: string) => string;

/** Colour is for terminals only, and not where the user does not want it (no-color.org). */
export function painter(sink: Sink, env: Env): Paint {
  const wanted = sink.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return wanted ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
