/** The work on audiences of a process that does it itself, for its own clients or for other servers. */
import { type AudienceStore, OtherRangesError } from '../audience/audience-store.ts';
import type { KeywordInsightsStore } from '../audience/keyword-insights.ts';
import { memberKey } from '../audience/members/member-tree.ts';
import type { AudienceProcessing } from '../audience/processing.ts';
import type { MemberStore } from '../members/member-store.ts';
import { type AudienceWork, type CallHeads, type CallName, readCall, scopeOfWritten } from './calls.ts';
import { doMembersCall, doPartCall } from './part-calls.ts';
import type { SharedAudience } from './shared-audience.ts';

interface Parts {
  readonly audience: AudienceStore;
  readonly insights: KeywordInsightsStore;
  readonly members: MemberStore;
  readonly processing: AudienceProcessing;
}

/** Returns the work of the parts of a world. */
export function ownWork({ audience, insights, members, processing }: Parts): AudienceWork {
  return {
    take: (name, batch, now_s) =>
      processing.intake(name, () => members.append(memberKey(name.environment, name.id), batch, now_s)),
    count: (query, scope) => audience.count(query, scope),
    search: (query) => insights.search(query),
  };
}

/** What a worker answers. */
interface Answering {
  readonly audienceWork: AudienceWork;
  readonly sharedAudience: Pick<SharedAudience, 'parts' | 'kept'> | undefined;
}

/** Does what a call asks. @returns the result as JSON */
export async function doCall(
  { audienceWork, sharedAudience }: Answering,
  name: CallName,
  body: Buffer,
): Promise<string> {
  const { json, bytes } = readCall(body);
  const { parts, kept } = sharedAudience ?? {};
  const shared = (parts && doPartCall(parts, name, json)) ?? (kept && doMembersCall(kept, name, json));
  return shared ?? doWhole(audienceWork, name, json, bytes);
}

async function doWhole(work: AudienceWork, name: CallName, json: string, bytes: Uint8Array): Promise<string> {
  if (name === 'take') {
    const { audience, operations, now_s }: CallHeads['take'] = JSON.parse(json);
    await work.take(audience, { operations, users: bytes }, now_s);
    return 'true';
  }
  if (name === 'count') {
    const { query, scope }: CallHeads['count'] = JSON.parse(json);
    return JSON.stringify(await work.count(query, scopeOfWritten(scope)));
  }
  if (name !== 'search') throw new OtherRangesError();
  const query: CallHeads['search'] = JSON.parse(json);
  return JSON.stringify(await work.search(query));
}
