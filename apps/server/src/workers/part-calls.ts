/** The questions about ranges of people as calls: how they are asked of another worker, and how one answers them. */
import type { PartWork } from '../audience/index-part.ts';
import { rangesOfWritten, writtenRanges } from '../audience/ranges.ts';
import type { WholeWork } from './ask-shared.ts';
import { type CallHeads, type CallName, scopeOfWritten, writtenScope } from './calls.ts';
import { type MemberMarks, writtenMembers } from './marked-members.ts';
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
    count: ({ ranges, scope, commons, ...asked }) =>
      ask('part', {
        ...asked,
        ranges: writtenRanges(ranges),
        scope: writtenScope(scope),
        commons: [...commons],
      }),
    countActive: ({ ranges, ...asked }) => ask('active', { ...asked, ranges: writtenRanges(ranges) }),
    countFollowers: ({ ranges, ...asked }) => ask('followers', { ...asked, ranges: writtenRanges(ranges) }),
    tally: ({ ranges, ...asked }) => ask('tally', { ...asked, ranges: writtenRanges(ranges) }),
    volume: ({ ranges, ...asked }) => ask('volume', { ...asked, ranges: writtenRanges(ranges) }),
    sample: async ({ ranges, ...asked }) =>
      sampleOfWritten(await ask('sample', { ...asked, ranges: writtenRanges(ranges) })),
  };
}

/** Answers such a call. @returns the result as JSON; `undefined` for calls of other names */
export function doPartCall(parts: PartWork, name: CallName, json: string): Promise<string> | undefined {
  const answer = async (result: Promise<unknown>) => JSON.stringify(await result);
  if (name === 'part') {
    const { ranges, scope, commons, ...asked }: CallHeads['part'] = JSON.parse(json);
    const given = { ranges: rangesOfWritten(ranges), scope: scopeOfWritten(scope), commons: new Map(commons) };
    return answer(parts.count({ ...asked, ...given }));
  }
  if (name === 'active') {
    const { ranges, ...asked }: CallHeads['active'] = JSON.parse(json);
    return answer(parts.countActive({ ...asked, ranges: rangesOfWritten(ranges) }));
  }
  if (name === 'followers') {
    const { ranges, ...asked }: CallHeads['followers'] = JSON.parse(json);
    return answer(parts.countFollowers({ ...asked, ranges: rangesOfWritten(ranges) }));
  }
  if (name === 'tally') {
    const { ranges, ...asked }: CallHeads['tally'] = JSON.parse(json);
    return answer(parts.tally({ ...asked, ranges: rangesOfWritten(ranges) }));
  }
  if (name === 'volume') {
    const { ranges, ...asked }: CallHeads['volume'] = JSON.parse(json);
    return answer(parts.volume({ ...asked, ranges: rangesOfWritten(ranges) }));
  }
  if (name !== 'sample') return undefined;
  const { ranges, ...asked }: CallHeads['sample'] = JSON.parse(json);
  return answer(parts.sample({ ...asked, ranges: rangesOfWritten(ranges) }).then(writtenSample));
}

/** Answers what workers ask the one that keeps members. @returns the result as JSON; `undefined` for calls of other names */
export function doMembersCall(marks: MemberMarks, name: CallName, json: string): Promise<string> | undefined {
  if (name === 'marks') {
    const { audiences }: CallHeads['marks'] = JSON.parse(json);
    return marks.of(audiences).then((found) => JSON.stringify(found));
  }
  if (name !== 'matched') return undefined;
  const { audience, ranges }: CallHeads['matched'] = JSON.parse(json);
  return marks.matched(audience, rangesOfWritten(ranges)).then(writtenMembers);
}
