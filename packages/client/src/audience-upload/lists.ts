/** The lists that people are uploaded to, and the requests that do it. */
import { type IdentifierKind, identifierKinds } from '@broadside/core/identifiers';
import { readJson } from '../decode.ts';
import { encodeCall } from '../encode.ts';
import { type RequestFacts, UnexpectedResponseError } from '../errors.ts';
import { isOk, responseError } from '../response-error.ts';
import type { RetryPolicy } from '../retry.ts';
import { isMembers } from '../shape.ts';
import type { Answer, Transport } from '../transport.ts';
import type { AudienceUploadOptions } from './options.ts';
import type { PackLimits } from './pack.ts';
import type { AudienceUploadReport } from './report.ts';
import { uploadRows } from './upload.ts';

/** Limits of a request (specification B, Limits). */
const LIMITS: PackLimits = { operations: 2_500, bytes: 5_000_000 };

/** A server that restarts, or a line that breaks off, takes longer than a call would wait. */
const RETRY: RetryPolicy = { attempts: 8, maxWaitMs: 3 * 60_000 };

interface PeopleList {
  readonly operation: { readonly kind: 'ads'; readonly id: string; readonly method: 'POST'; readonly path: string };
  readonly kinds: readonly IdentifierKind[];
  /** False where people count from the moment of the request. */
  readonly takesEffectiveAt: boolean;
}

const lists = {
  custom_audiences: {
    operation: {
      kind: 'ads',
      id: 'custom_audiences.users',
      method: 'POST',
      path: '/12/accounts/:account_id/custom_audiences/:custom_audience_id/users',
    },
    kinds: identifierKinds,
    takesEffectiveAt: true,
  },
} as const satisfies Record<string, PeopleList>;

/** The name of a family whose lists people are uploaded to. */
export type PeopleListName = keyof typeof lists;

/** Uploads rows to a list. The options name it by the parameters of its path. */
export function uploadToList(
  transport: Transport,
  name: PeopleListName,
  rows: unknown,
  options: AudienceUploadOptions & Readonly<Record<string, unknown>>,
): Promise<AudienceUploadReport> {
  const { operation, kinds, takesEffectiveAt }: PeopleList = lists[name];
  const ids = [...operation.path.matchAll(/:(\w+)/g)].map(
    ([, parameter = '']) => [parameter, options[parameter]] as const,
  );
  const { method, path } = encodeCall({ ...operation, envelope: 'entity', data: 'members' }, Object.fromEntries(ids));
  const facts: RequestFacts = { method, path, operation: operation.id };
  const retry = options.retry ?? transport.retry ?? RETRY;
  return uploadRows(
    {
      name: `${operation.id} ${path}`,
      kinds,
      takesEffectiveAt,
      limits: LIMITS,
      now: transport.now,
      pause: (ms, signal) => transport.pause(ms, signal),
      send: async (json, users, call) => {
        const request = { method, path, query: [], json, repeatable: true, auth: 'oauth', host: 'ads', facts } as const;
        const answer = await transport.send(request, { ...call, retry });
        if (!isOk(answer.status)) throw responseError(facts, answer);
        checkCounts(facts, answer, users);
        return answer.rateLimits;
      },
    },
    rows,
    options,
  );
}

/**
 * The two counts must be those of the users that were sent (specification B, Custom audience users).
 * @throws UnexpectedResponseError
 */
function checkCounts(facts: RequestFacts, answer: Answer, users: number): void {
  const body = readJson(answer.text);
  const data: unknown = isMembers(body) ? body['data'] : undefined;
  const parts: readonly unknown[] = Array.isArray(data) ? data : [data];
  for (const name of ['success_count', 'total_count']) {
    const counted = parts.reduce<number>((sum, part) => sum + (isMembers(part) ? Number(part[name]) : Number.NaN), 0);
    if (counted !== users)
      throw new UnexpectedResponseError(facts, answer, `its "${name}" is not the ${users} users that were sent`);
  }
}
