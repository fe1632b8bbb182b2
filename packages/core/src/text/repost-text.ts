import { type ExtractOptions, findEntities } from './entities.ts';
import { searchedUnits, weightLimit } from './limits.ts';
import { weightedLength } from './weighted-length.ts';

const ellipsis = '…';

/** Made when first used: it takes as long as hundreds of modules take to load. */
let characters: Intl.Segmenter | undefined;

/**
 * Returns the text of a repost: `RT @name: ` and the text of the post. The excess over the length of a post is replaced
 * by an ellipsis. The cut is between graphemes, and not within a link, a mention or a tag; only a hashtag at the
 * beginning of the text is cut when it is too long itself.
 */
export function repostText(screenName: string, text: string, options: ExtractOptions = {}): string {
  const lead = `RT @${screenName}: `;
  // Text longer than any post need not be measured.
  if (text.length <= searchedUnits && weighs(lead + text, options) <= weightLimit) return lead + text;
  const cuts = possibleCuts(text, weightLimit - weighs(lead + ellipsis, options), options);
  // A cut can create a link (`a.comb` cut after `a.com`), so the whole is weighed again.
  const fits = (cut: number) => weighs(lead + text.slice(0, cut) + ellipsis, options) <= weightLimit;
  return lead + text.slice(0, cuts.findLast(fits) ?? 0) + ellipsis;
}

function weighs(text: string, options: ExtractOptions): number {
  return weightedLength(text, options).weighted_length;
}

/** Returns the places at which a text can be cut to weigh at most `room`, ascending, in code units. */
function possibleCuts(text: string, room: number, options: ExtractOptions): number[] {
  const cuts: number[] = [];
  let used = 0;
  for (const { part, end } of parts(text, options)) {
    used += weighs(part, options);
    if (used > room) break;
    cuts.push(end);
  }
  return cuts;
}

/** Yields the parts that a cut leaves whole: entities, and the graphemes between them. */
function* parts(text: string, options: ExtractOptions): Generator<{ part: string; end: number }> {
  let from = 0;
  for (const entity of findEntities(text, options)) {
    if (entity.kind === 'hashtag' && entity.start === 0) continue;
    yield* charactersOf(text, from, entity.start);
    yield { part: text.slice(entity.start, entity.end), end: entity.end };
    from = entity.end;
  }
  yield* charactersOf(text, from, Math.min(text.length, searchedUnits));
}

function* charactersOf(text: string, from: number, to: number): Generator<{ part: string; end: number }> {
  characters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment, index } of characters.segment(text.slice(from, to))) {
    yield { part: segment, end: from + index + segment.length };
  }
}
