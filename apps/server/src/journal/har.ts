/** Calls as an HTTP archive (HAR 1.2), which the developer tools of browsers open. */
import { STATUS_CODES } from 'node:http';
import type { JournalCall } from '@broadside/core/resources/control/journal';
import type { Entry, Har, Header, PostData, Request, Response } from 'har-format';
import { packageVersion } from '../package-file.ts';

/** Makes an archive, the earliest request first. @param calls those of a request in their order */
export function harOf(calls: readonly JournalCall[]): Har {
  // The calls of a batch of procedures came in one request, which the first of those that are given stands for.
  const requests = [...Map.groupBy(calls, ({ id }) => id.split('.', 1)[0]).values()];
  return {
    log: {
      version: '1.2',
      creator: { name: 'Broadside', version: packageVersion() },
      entries: requests
        .flatMap(([call]) => (call ? entryOf(call) : []))
        .sort((one, other) => Date.parse(one.startedDateTime) - Date.parse(other.startedDateTime)),
    },
  };
}

/** Members of our own begin with an underscore, as the format says. */
type OwnMembers = Readonly<Record<`_${string}`, unknown>>;

function entryOf(call: JournalCall): Entry & OwnMembers {
  const { time, duration_ms, operation, caller, account_id, params, errors, changes, fired, delivery, world_time } =
    call;
  return {
    startedDateTime: time,
    time: duration_ms,
    request: requestOf(call),
    response: responseOf(call),
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
    ...(delivery === 'LOST' ? { comment: 'The answer did not reach the client.' } : {}),
    _operation: operation,
    _caller: caller,
    _account_id: account_id,
    _params: params,
    _errors: errors,
    _changes: changes,
    _fired: fired,
    _delivery: delivery,
    _world_time: world_time,
  };
}

function requestOf(call: JournalCall): Request {
  const { method, query, content_type, body, user_agent, client_request, left_out_bytes } = call;
  const headers = {
    ...(content_type === null ? {} : { 'content-type': content_type }),
    ...(user_agent === null ? {} : { 'user-agent': user_agent }),
    ...(client_request === null ? {} : { 'x-request-id': client_request }),
  };
  return {
    method,
    url: urlOf(call),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairsOf(headers),
    queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    ...(body === null && left_out_bytes === 0 ? {} : { postData: postDataOf(call) }),
    headersSize: -1,
    bodySize: Buffer.byteLength(body ?? '') + left_out_bytes,
  };
}

/** A client may have sent what no address can be made of: a host that is none, or a target that is no path. */
function urlOf({ base_url, path, query }: JournalCall): string {
  const target = `${path}${query === '' ? '' : `?${query}`}`;
  // Joined as texts, since //x would be another host.
  return (URL.parse(`${base_url}${target}`) ?? new URL(`${NO_HOST}${target.startsWith('/') ? '' : '/'}${target}`)).href;
}

const NO_HOST = 'http://host.invalid';

/** What is not kept of a body is missing, and a comment says so. */
function postDataOf({ content_type, body, left_out_bytes }: JournalCall): PostData {
  const missing = left_out_bytes === 0 ? {} : { comment: `${left_out_bytes} bytes are left out.` };
  return { mimeType: content_type ?? '', text: body ?? '', ...missing };
}

function responseOf({ status, answer: { headers, body, size } }: JournalCall): Response {
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairsOf(headers),
    content: {
      size,
      mimeType: String(headers['content-type'] ?? ''),
      ...(body === null ? {} : { text: body }),
    },
    redirectURL: String(headers['location'] ?? ''),
    headersSize: -1,
    bodySize: size,
  };
}

function pairsOf(members: Readonly<Record<string, unknown>>): Header[] {
  return Object.entries(members).map(([name, value]) => ({ name, value: String(value) }));
}
