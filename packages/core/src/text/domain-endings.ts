import { isAsciiAlphanumeric } from './character-classes.ts';
import { topLevelDomains } from './top-level-domains.ts';

/** The domains that share a beginning, by the code unit that comes next. */
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

/** No script with capital letters that has domains lies beyond. */
const lastCased = 0x10ff;

const encodedLabel = /xn--[-0-9a-z]+/iy;

/**
 * Where the longest top-level domain ends that begins at `from`, or 0. A label that is written in ASCII for another script counts as
 * one. A domain is not one when a letter, digit, `@`, `+` or `-` of ASCII follows: `a.com` ends in one, `a.comb` does not, `a.comで` does.
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

/** Returns whether the code unit after a domain continues the word. `NaN` stands for the end of the text. */
function continues(unit: number): boolean {
  return isAsciiAlphanumeric(unit) || unit === 0x40 || unit === 0x2b || unit === 0x2d;
}
