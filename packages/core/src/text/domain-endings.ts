import { isAsciiAlphanumeric } from './character-classes.ts';
import { topLevelDomains } from './top-level-domains.ts';

/** The domains with a common prefix, by the next code unit. */
interface Branch {
  whole: boolean;
  next: Map<number, Branch>;
}

let root: Branch | undefined;

/** Built when a text first needs it. */
function domains(): Branch {
  if (root !== undefined) return root;
  root = { whole: false, next: new Map() };
  for (const domain of topLevelDomains.trim().split(/\s+/)) {
    let branch = root;
    for (let at = 0; at < domain.length; at++) {
      const unit = domain.charCodeAt(at);
      const found = branch.next.get(unit) ?? { whole: false, next: new Map<number, Branch>() };
      branch.next.set(unit, found);
      branch = found;
    }
    branch.whole = true;
  }
  return root;
}

/** No script with capital letters that has top-level domains lies beyond this code unit. */
const lastCased = 0x10ff;

const encodedLabel = /xn--[-0-9a-z]+/iy;

/**
 * Returns the end of the longest top-level domain that begins at `from`, or 0. A label in the ASCII form of another
 * script counts as one. A domain must not be followed by an ASCII letter, digit, `@`, `+` or `-`: `a.com` ends in one,
 * `a.comb` does not, `a.comで` does.
 */
export function domainEnding(text: string, from: number): number {
  let branch: Branch | undefined = domains();
  let end = 0;
  for (let at = from; at < text.length; ) {
    branch = branch.next.get(lowerCase(text, at));
    if (branch === undefined) break;
    at += 1;
    if (branch.whole && !continues(text.charCodeAt(at))) end = at;
  }
  if (end > 0) return end;
  encodedLabel.lastIndex = from;
  return isEncoded(text, from) && encodedLabel.test(text) ? encodedLabel.lastIndex : 0;
}

function isEncoded(text: string, from: number): boolean {
  return (text.charCodeAt(from) | 0x20) === 0x78 && text[from + 2] === '-';
}

function lowerCase(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return unit >= 0x41 && unit <= 0x5a ? unit | 0x20 : unit;
  if (unit > lastCased) return unit;
  const lower = text.charAt(at).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : unit;
}

/** Returns whether the code unit after a domain continues the word. `NaN` represents the end of the text. */
function continues(unit: number): boolean {
  return isAsciiAlphanumeric(unit) || unit === 0x40 || unit === 0x2b || unit === 0x2d;
}
