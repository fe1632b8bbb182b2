/** The lists that people are uploaded to, and the requests that do it. */
import {
  audienceUsersShape,
  listUsersShape,
  MAX_USER_OPERATIONS,
  type UsersShape,
} from '@broadside/core/resources/custom-audiences/users';
import type { ThinOperation } from '@broadside/core/thin';
import { MAX_BODY_BYTES } from '@broadside/core/wire';
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

const LIMITS: PackLimits = { operations: MAX_USER_OPERATIONS, bytes: MAX_BODY_BYTES };

/** A server that restarts, or a line that breaks off, takes longer than a call would wait. */
const RETRY: RetryPolicy = { attempts: 8, maxWaitMs: 3 * 60_000 };

/** The records that a list takes, by its family. */
const shapes = {
  custom_audiences: audienceUsersShape,
  do_not_reach_lists: listUsersShape,
} as const satisfies Readonly<Record<string, UsersShape>>;

/** The name of a family whose lists people are uploaded to. */
export type PeopleListName = keyof typeof shapes;

/**
 * Uploads rows to a list. The options name it by the parameters of its path.
 * @param operation the one of the family that takes people
 */
export function uploadToList(
  transport: Transport,
  family: PeopleListName,
  operation: ThinOperation,
  rows: unknown,
  options: AudienceUploadOptions & Readonly<Record<string, unknown>>,
): Promise<AudienceUploadReport> {
  const { id } = operation;
  const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter);
  const ids = Object.fromEntries(names.map((parameter) => [parameter, options[parameter]]));
  // The operations are put into the body as text, row by row.
  const { method, path } = encodeCall(operation, ids);
  const facts: RequestFacts = { method, path, operation: id };
  const retry = options.retry ?? transport.retry ?? RETRY;
  return uploadRows(
    {
      name: `${id} ${path}`,
      shape: shapes[family],
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
