import {
  accentedLatin,
  directionalMarks,
  forbidden,
  isAsciiAlphanumeric,
  isAsciiDigit,
  punctuation,
  spaces,
} from './character-classes.ts';
import { domainEnding } from './domain-endings.ts';
import { longestUrl } from './limits.ts';
import { punycodeLength } from './punycode-length.ts';
import type { Span } from './spans.ts';

/** A link in code units. */
export interface UrlSpan extends Span {
  kind: 'url';
  /** As written in the text, with or without a scheme. */
  url: string;
}

/** Options of link extraction. */
export interface UrlOptions {
  /**
   * The host of the platform's own short links, such as `s.example`. A link on it ends after the letters and digits of
   * its path and its query, so that a word may follow it without a space.
   */
  shortLinkHost?: string | undefined;
}

const longestLabel = 63;
const longestShortPath = 40;
const defaultScheme = 'https://';

const dot = 0x2e;
const dash = 0x2d;
const underscore = 0x5f;

/** Characters of a host: everything except whitespace, most punctuation and invisible characters. */
const hostBreaks = `${punctuation.replace('\\-./', '/').replace('_', '')}${spaces}${forbidden}${directionalMarks}`;
const hostBreak = new RegExp(`[${hostBreaks}]`);
let breaks: Uint8Array | undefined;
const excludedBefore = new Set(Array.from('@＠$#＃\uFFFE\uFEFF\uFFFF', (sign) => sign.charCodeAt(0)));
const excludedBeforeBareHost = new Set(['-', '_', '.', '/']);

const pathRun = new RegExp(`[a-z0-9\\u0400-\\u04FF${accentedLatin}!*';:=+,.$/%#[\\]\\-\\u2013_~@|&]*`, 'iy');
const pathEnd = new RegExp(`[a-z0-9\\u0400-\\u04FF${accentedLatin}+\\-=_#/]`, 'i');
const queryRun = /[a-z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*/iy;
const queryEnd = /[a-z0-9\-_&=#/]/i;
const bareHosts = new RegExp(`(?:[-a-z0-9${accentedLatin}]+\\.)+`, 'gi');

/** A possible link, split into its parts and not yet validated. */
interface Candidate extends Span {
  hostStart: number;
  hostEnd: number;
  pathStart: number;
}

/**
 * Finds the links of a text, with a scheme (`http`, `https`) or without.
 *
 * A host ends in an existing top-level domain. A host in other scripts requires a scheme; without one, its parts in
 * ASCII and accented Latin are links by themselves (`例えばexample.comです`). A path contains balanced parentheses to a
 * depth of two. Punctuation after a link is not part of it. One pass over the text: the cost depends on nothing but the
 * length.
 */
export function findUrls(text: string, options: UrlOptions = {}): UrlSpan[] {
  const urls: UrlSpan[] = [];
  let taken = 0;
  let searched = 0;
  for (let dotAt = text.indexOf('.'); dotAt !== -1; dotAt = text.indexOf('.', searched)) {
    const least = searched;
    searched = dotAt + 1;
    if (text.charCodeAt(searched) === dot) continue;
    const end = runEnd(text, dotAt);
    searched = end;
    if (!hasDomain(text, dotAt, end)) continue;
    const hosts = new HostRun(text, runStart(text, dotAt, least), end);
    for (;;) {
      const candidate = nextCandidate(text, hosts, taken);
      if (candidate === undefined) break;
      taken = candidate.end;
      collect(urls, text, candidate, options);
    }
    searched = Math.max(taken, end);
  }
  return urls;
}

/** Returns whether a domain starts after any dot of a run. */
function hasDomain(text: string, dotAt: number, end: number): boolean {
  for (let at = dotAt; at < end; at++) {
    if (text.charCodeAt(at) === dot && domainEnding(text, at + 1) > 0) return true;
  }
  return false;
}

/** Returns the code units that cannot occur in a host; built when a text first needs it. */
function hostBreakTable(): Uint8Array {
  breaks ??= Uint8Array.from({ length: 0x10000 }, (_, unit) => Number(hostBreak.test(String.fromCharCode(unit))));
  return breaks;
}

function runStart(text: string, dotAt: number, least: number): number {
  const table = hostBreakTable();
  let at = dotAt;
  while (at > least && table[text.charCodeAt(at - 1)] === 0) at -= 1;
  return at;
}

/** Returns the end of a run: before the first character that no host contains, or before two dots, since host labels are not empty. */
function runEnd(text: string, dotAt: number): number {
  const table = hostBreakTable();
  let at = dotAt + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (table[unit] !== 0 || (unit === dot && text.charCodeAt(at + 1) === dot)) break;
  }
  return at;
}

/** Returns the first link of a run of host characters that begins after `taken`. */
function nextCandidate(text: string, hosts: HostRun, taken: number): Candidate | undefined {
  const scheme = schemeStart(text, hosts.start);
  if (scheme !== undefined && scheme >= taken && mayPrecede(text, scheme, taken)) {
    const hostEnd = hosts.hostEnd(hosts.start);
    if (hostEnd !== undefined) return withTail(text, scheme, hosts.start, hostEnd);
  }
  for (let at = Math.max(hosts.start, taken); at < hosts.end; at++) {
    if (!mayPrecede(text, at, taken)) continue;
    const hostEnd = hosts.hostEnd(at);
    if (hostEnd !== undefined) return withTail(text, at, at, hostEnd);
  }
  return undefined;
}

/** Returns the start of the `http://` or `https://` that ends at `end`. */
function schemeStart(text: string, end: number): number | undefined {
  if (end < 7 || text[end - 1] !== '/' || text[end - 2] !== '/' || text[end - 3] !== ':') return undefined;
  const name = /https?$/i.exec(text.slice(Math.max(0, end - 8), end - 3));
  return name === null ? undefined : end - 3 - name[0].length;
}

/** Returns whether a link may start at `at`: at the start of the text, or after a character that is not part of the same word. */
function mayPrecede(text: string, at: number, taken: number): boolean {
  if (at === 0) return true;
  if (at <= taken) return false;
  const before = text.charCodeAt(at - 1);
  return !isAsciiAlphanumeric(before) && !excludedBefore.has(before);
}

/** Adds port, path and query to a host. */
function withTail(text: string, start: number, hostStart: number, hostEnd: number): Candidate {
  const pathStart = skipPort(text, hostEnd);
  const queryStart = text[pathStart] === '/' ? skipPath(text, pathStart) : pathStart;
  const end = text[queryStart] === '?' ? skipQuery(text, queryStart) : queryStart;
  return { start, hostStart, hostEnd, pathStart, end };
}

function skipPort(text: string, from: number): number {
  if (text[from] !== ':') return from;
  let at = from + 1;
  while (at < text.length && isAsciiDigit(text.charCodeAt(at))) at += 1;
  return at > from + 1 ? at : from;
}

/**
 * Returns the end of the path that begins with the slash at `from`: after the last character that may end one, and
 * after parentheses that directly follow it.
 */
function skipPath(text: string, from: number): number {
  let end = from + 1;
  for (let at = from + 1; ; ) {
    const stop = skipRun(pathRun, text, at);
    end = Math.max(end, lastMatch(pathEnd, text, at, stop));
    const closed = text[stop] === '(' ? skipParentheses(text, stop) : undefined;
    if (closed === undefined) return end;
    if (end === stop) end = closed;
    at = closed;
  }
}

/**
 * Returns the offset after the parenthesis that closes the one at `open`, when there is something in it and at most one
 * pair within.
 */
function skipParentheses(text: string, open: number): number | undefined {
  const first = skipRun(pathRun, text, open + 1);
  if (text[first] === ')') return first > open + 1 ? first + 1 : undefined;
  if (text[first] !== '(') return undefined;
  const inner = skipRun(pathRun, text, first + 1);
  if (text[inner] !== ')' || inner === first + 1) return undefined;
  const last = skipRun(pathRun, text, inner + 1);
  return text[last] === ')' ? last + 1 : undefined;
}

/** Returns the end of the query that starts with the question mark at `from`, or `from` if no character can end it. */
function skipQuery(text: string, from: number): number {
  const end = lastMatch(queryEnd, text, from + 1, skipRun(queryRun, text, from + 1));
  return end === 0 ? from : end;
}

function skipRun(run: RegExp, text: string, from: number): number {
  run.lastIndex = from;
  run.test(text);
  return Math.max(run.lastIndex, from);
}

/** Returns the offset after the last matching character of a range, or 0. */
function lastMatch(pattern: RegExp, text: string, from: number, to: number): number {
  for (let at = to; at > from; at--) {
    if (pattern.test(text.charAt(at - 1))) return at;
  }
  return 0;
}

/** Adds the links of a candidate: itself, or the parts of its host that are links without a scheme. */
function collect(urls: UrlSpan[], text: string, candidate: Candidate, options: UrlOptions): void {
  const { start, hostStart, hostEnd } = candidate;
  const bare = start === hostStart;
  const length = candidate.end - start + (bare ? defaultScheme.length : 0);
  if (length > longestUrl || !hasHostLabels(text, hostStart, hostEnd)) return;
  if (bare) {
    if (!excludedBeforeBareHost.has(text.charAt(start - 1))) collectBare(urls, text, candidate);
    return;
  }
  if (hasMixedEncoding(text.slice(hostStart, hostEnd))) return;
  const end = shortLinkEnd(text, candidate, options.shortLinkHost);
  if (end !== undefined) urls.push(urlSpan(text, start, end));
}

function urlSpan(text: string, start: number, end: number): UrlSpan {
  return { kind: 'url', start, end, url: text.slice(start, end) };
}

/** Returns whether every label of a host, in its ASCII form, is within the DNS length limit. */
function hasHostLabels(text: string, from: number, to: number): boolean {
  let ascii = true;
  for (let at = from, label = from; at <= to; at++) {
    const unit = at === to ? dot : text.charCodeAt(at);
    ascii &&= unit < 0x80;
    if (unit !== dot) continue;
    if (at - label > 2 * longestLabel || (ascii && at - label > longestLabel)) return false;
    if (!ascii && punycodeLength(text.slice(label, at), longestLabel) === undefined) return false;
    label = at + 1;
    ascii = true;
  }
  return true;
}

/** Returns whether a label with the prefix `xn--` contains characters other than ASCII letters, digits and hyphens. */
function hasMixedEncoding(host: string): boolean {
  return /(?:^|\.)xn--[-a-z0-9]*[^-a-z0-9.]/i.test(host);
}

/**
 * Adds the hosts of ASCII and accented Latin within a host; the last one includes path and query if it ends where they
 * begin.
 */
function collectBare(urls: UrlSpan[], text: string, { hostStart, hostEnd, pathStart, end }: Candidate): void {
  const tail = text[pathStart] === '/' ? end : hostEnd;
  if (isPlainHost(text, hostStart, hostEnd)) {
    urls.push(urlSpan(text, hostStart, tail));
    return;
  }
  const host = text.slice(hostStart, hostEnd);
  bareHosts.lastIndex = 0;
  for (let match = bareHosts.exec(host); match !== null; match = bareHosts.exec(host)) {
    const ending = bareEnding(host, match.index, bareHosts.lastIndex);
    if (ending === undefined) continue;
    bareHosts.lastIndex = ending;
    urls.push(urlSpan(text, hostStart + match.index, ending === host.length ? tail : hostStart + ending));
  }
}

/** Returns whether a host consists of ASCII letters, digits, hyphens and dots only. */
function isPlainHost(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (!isAsciiAlphanumeric(unit) && unit !== dash && unit !== dot) return false;
  }
  return true;
}

/** Returns the end of the longest host whose labels lie between `from` and `to`. */
function bareEnding(host: string, from: number, to: number): number | undefined {
  for (let at = to; at > from; at = host.lastIndexOf('.', at - 2) + 1) {
    const ending = domainEnding(host, at);
    if (ending > 0) return ending;
  }
  return undefined;
}

/** Returns the end of a link after applying the short-link rule, or undefined if it is not a link. */
function shortLinkEnd(text: string, candidate: Candidate, shortLinkHost: string | undefined): number | undefined {
  const { hostStart, hostEnd, pathStart, end } = candidate;
  if (shortLinkHost === undefined || pathStart !== hostEnd || text[pathStart] !== '/') return end;
  if (text.slice(hostStart, hostEnd).toLowerCase() !== shortLinkHost) return end;
  let at = pathStart + 1;
  while (at < end && isAsciiAlphanumeric(text.charCodeAt(at))) at += 1;
  if (at === pathStart + 1) return end;
  if (at - pathStart - 1 > longestShortPath) return undefined;
  return text[at] === '?' ? skipQuery(text, at) : at;
}

/** A range of host characters, read once so that every host in it is found without reading it again. */
class HostRun {
  readonly start: number;
  readonly end: number;
  readonly #text: string;
  /** Start offset of each label. */
  readonly #labels: number[];
  /** For each label: the end of a host whose last label before the domain is the previous one, or 0. */
  readonly #domain: number[];
  /** For each label: the end of the longest host that continues through the whole label, or 0. */
  readonly #whole: number[];
  #current = 0;
  /** Within the current label: the offset after its last underscore. */
  #plainFrom: number | undefined;

  constructor(text: string, start: number, end: number) {
    this.start = start;
    this.end = end;
    this.#text = text;
    let labels = 1;
    for (let at = start; at < end; at++) if (text.charCodeAt(at) === dot) labels += 1;
    this.#labels = new Array<number>(labels).fill(start);
    this.#domain = new Array<number>(labels).fill(0);
    this.#whole = new Array<number>(labels).fill(0);
    for (let at = start, label = 1; label < labels; at++) {
      if (text.charCodeAt(at) !== dot) continue;
      this.#labels[label] = at + 1;
      label += 1;
    }
    for (let label = labels - 1; label > 0; label--) {
      const from = this.#labelStart(label);
      this.#domain[label] = domainEnding(text, from);
      this.#whole[label] = this.#hostEnd(label, from);
    }
  }

  /** Returns the end of the longest host that starts at `from`. Called with ascending offsets, except that the first may be repeated. */
  hostEnd(from: number): number | undefined {
    while (from >= this.#labelStart(this.#current + 1)) {
      this.#current += 1;
      this.#plainFrom = undefined;
    }
    const end = this.#hostEnd(this.#current, from);
    return end === 0 ? undefined : end;
  }

  #labelStart(label: number): number {
    return this.#labels[label] ?? this.end + 1;
  }

  /** Returns the end of the longest host that starts at `from` within a label, or 0. */
  #hostEnd(label: number, from: number): number {
    const end = this.#labelStart(label + 1) - 1;
    if (end >= this.end || from >= end || isJoiner(this.#text.charCodeAt(from))) return 0;
    if (isJoiner(this.#text.charCodeAt(end - 1))) return 0;
    const whole = this.#whole[label + 1] ?? 0;
    if (whole > 0) return whole;
    const domain = this.#domain[label + 1] ?? 0;
    return domain > 0 && this.#isPlain(label, from, end) ? domain : 0;
  }

  /** Returns whether a label has no underscore from `from` on. */
  #isPlain(label: number, from: number, end: number): boolean {
    if (label !== this.#current) return !this.#text.slice(from, end).includes('_');
    this.#plainFrom ??= this.#text.slice(this.#labelStart(label), end).lastIndexOf('_') + 1 + this.#labelStart(label);
    return from >= this.#plainFrom;
  }
}

function isJoiner(unit: number): boolean {
  return unit === dash || unit === underscore || unit === dot;
}
