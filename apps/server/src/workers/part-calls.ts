/** The questions about ranges of people as calls: how they are asked of another worker, and how one answers them. */
import type { PartWork } from '../audience/index-part.ts';
import { type Ranges, rangesOfWritten, writtenRanges } from '../audience/ranges.ts';
import type { WholeWork } from './ask-shared.ts';
import {
  type CallHeads,
  type CallName,
  type PartCallName,
  scopeOfWritten,
  type WrittenRanges,
  writtenScope,
} from './calls.ts';
import { type KeptMembers, writtenMembers } from './marked-members.ts';
import type { SignedCalls } from './signed-calls.ts';
import type { WorkerAddress } from './worker-address.ts';
import { sampleOfWritten, writtenSample } from './written-sample.ts';

/** Makes a call. @returns the result as JSON */
type MakeCall = <Name extends CallName>(name: Name, head: CallHeads[Name]) => Promise<string>;

/** Asks the worker at an address. Its methods reject with UnreachedError where it is not there, or has not got the ranges. */
export function partsAt(address: WorkerAddress, calls: SignedCalls, until: AbortSignal): PartWork {
  return partsBy((name, head) => calls.ask(address, name, head, until));
}

/** Asks the worker at an address about everybody. */
export function wholeAt(address: WorkerAddress, calls: SignedCalls): WholeWork {
  return {
    count: async (until, query, scope) =>
      JSON.parse(await calls.ask(address, 'count', { query, scope: writtenScope(scope) }, until)),
    search: async (until, query) => JSON.parse(await calls.ask(address, 'search', query, until)),
  };
}

/** Asks by calls. */
export function partsBy(call: MakeCall): PartWork {
  const ask = async <Name extends CallName>(name: Name, head: CallHeads[Name]) => JSON.parse(await call(name, head));
  return {
    count: ({ scope, commons, ...asked }) =>
      ask('part', { ...written(asked), scope: writtenScope(scope), commons: [...commons] }),
    countActive: (asked) => ask('active', written(asked)),
    countFollowers: (asked) => ask('followers', written(asked)),
    tally: (asked) => ask('tally', written(asked)),
    volume: (asked) => ask('volume', written(asked)),
    sample: async (asked) => sampleOfWritten(await ask('sample', written(asked))),
  };
}

/** What answers each call, before it is written as JSON. */
const answers: { readonly [Name in PartCallName]: (parts: PartWork, head: CallHeads[Name]) => Promise<unknown> } = {
  part: (parts, { scope, commons, ...asked }) =>
    parts.count({ ...ofWritten(asked), scope: scopeOfWritten(scope), commons: new Map(commons) }),
  active: (parts, head) => parts.countActive(ofWritten(head)),
  followers: (parts, head) => parts.countFollowers(ofWritten(head)),
  tally: (parts, head) => parts.tally(ofWritten(head)),
  volume: (parts, head) => parts.volume(ofWritten(head)),
  sample: async (parts, head) => writtenSample(await parts.sample(ofWritten(head))),
};

/** Answers such a call. @returns the result as JSON; `undefined` for calls of other names */
export function doPartCall(parts: PartWork, name: CallName, json: string): Promise<string> | undefined {
  const answer = isPartCall(name) ? answers[name] : undefined;
  return answer?.(parts, JSON.parse(json)).then((result) => JSON.stringify(result));
}

function isPartCall(name: CallName): name is PartCallName {
  return name in answers;
}

/** What is asked about some ranges, for JSON. */
function written<Asked extends { readonly ranges: Ranges }>(asked: Asked): Omit<Asked, 'ranges'> & WrittenRanges {
  return { ...asked, ranges: writtenRanges(asked.ranges) };
}

/** Reads what {@link written} wrote. */
function ofWritten<Head extends WrittenRanges>(head: Head): Omit<Head, 'ranges'> & { readonly ranges: Ranges } {
  return { ...head, ranges: rangesOfWritten(head.ranges) };
}

/** Answers what others ask the one that keeps members. @returns the result as JSON; `undefined` for calls of other names */
export function doMembersCall(
  { marks, settle }: KeptMembers,
  name: CallName,
  json: string,
): Promise<string> | undefined {
  if (name === 'settle') {
    const { audience }: CallHeads['settle'] = JSON.parse(json);
    return settle(audience).then(() => 'true');
  }
  if (name === 'marks') {
    const { audiences }: CallHeads['marks'] = JSON.parse(json);
    return marks.of(audiences).then((found) => JSON.stringify(found));
  }
  if (name !== 'matched') return undefined;
  const { audience, ranges }: CallHeads['matched'] = JSON.parse(json);
  return marks.matched(audience, rangesOfWritten(ranges)).then(writtenMembers);
}
