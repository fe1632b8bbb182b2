/** The lists that people are uploaded to, and the requests that do it. */
import {
  audienceUsersShape,
  listUsersShape,
  MAX_USER_OPERATIONS,
  type UsersShape,
} from '@broadside/core/resources/custom-audiences/users';
import { thin } from '@broadside/core/thin';
import { MAX_BODY_BYTES } from '@broadside/core/wire';
import { readJson } from '../decode.ts';
import { encodeCall } from '../encode.ts';
import { CallError, type RequestFacts, UnexpectedResponseError } from '../errors.ts';
import { isOk, responseError } from '../response-error.ts';
import type { RetryPolicy } from '../retry.ts';
import { isMembers } from '../shape.ts';
import type { Answer, Transport } from '../transport.ts';
import type { AudienceUploadOptions } from './options.ts';
import type { PackLimits } from './pack.ts';
import type { AudienceUploadReport } from './report.ts';
import { uploadRows } from './upload.ts';

const LIMITS: PackLimits = { operations: MAX_USER_OPERATIONS, bytes: MAX_BODY_BYTES };

/** A server that restarts, or a line that breaks off, takes longer than a call would wait. */
const RETRY: RetryPolicy = { attempts: 8, maxWaitMs: 3 * 60_000 };

/** The operation that takes people, and what their records can hold, by the family of the list. */
const lists = {
  custom_audiences: { id: 'custom_audiences.users', shape: audienceUsersShape },
  do_not_reach_lists: { id: 'do_not_reach_lists.users', shape: listUsersShape },
} as const satisfies Readonly<Record<string, { readonly id: string; readonly shape: UsersShape }>>;

/** The name of a family whose lists people are uploaded to. */
export type PeopleListName = keyof typeof lists;

/** Uploads rows to a list. The options name it by the parameters of its path. */
export function uploadToList(
  transport: Transport,
  name: PeopleListName,
  rows: unknown,
  options: AudienceUploadOptions & Readonly<Record<string, unknown>>,
): Promise<AudienceUploadReport> {
  const { id, shape } = lists[name];
  const operation = thin.operations.find((known) => known.id === id);
  if (!operation) throw new CallError(`This client knows no operation ${JSON.stringify(id)}.`);
  const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter);
  const ids = Object.fromEntries(names.map((parameter) => [parameter, options[parameter]]));
  // The operations are put into the body as text, row by row.
  const { method, path } = encodeCall(operation, ids);
  const facts: RequestFacts = { method, path, operation: id };
  const retry = options.retry ?? transport.retry ?? RETRY;
  return uploadRows(
    {
      name: `${id} ${path}`,
      shape,
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
