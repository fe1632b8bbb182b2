/** A range of a text in UTF-16 code units, its end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Returns a counter of the code points before an offset in code units. Called with ascending offsets, so that it reads
 * the text once.
 */
export function codePointCounter(text: string): (unit: number) => number {
  let unit = 0;
  let point = 0;
  return (target) => {
    while (unit < target) {
      unit += isPair(text, unit) ? 2 : 1;
      point += 1;
    }
    return point;
  };
}

function isPair(text: string, at: number): boolean {
  return text.charCodeAt(at) >= 0xd800 && (text.codePointAt(at) ?? 0) > 0xffff;
}

/**
 * Resolves overlaps: of two overlapping spans the one that begins earlier is kept, or the one given earlier when they
 * begin together. The result is in ascending order.
 */
export function withoutOverlaps<S extends Span>(spans: readonly S[]): S[] {
  let end = 0;
  return spans
    .toSorted((one, other) => one.start - other.start)
    .filter((span) => {
      if (span.start < end) return false;
      end = span.end;
      return true;
    });
}
