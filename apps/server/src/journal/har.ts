/** Calls as an HTTP archive (HAR 1.2), which the developer tools of browsers open. */
import { STATUS_CODES } from 'node:http';
import type { JournalCall } from '@broadside/core/resources/control/journal';
import { packageVersion } from '../package-file.ts';

type Members = Readonly<Record<string, unknown>>;

/** Makes an archive. @param calls in the order in which they were answered */
export function harOf(calls: readonly JournalCall[]): { readonly log: Members } {
  // The calls of a batch of procedures came in one request, which the first of them stands for.
  const requests = calls.filter(({ id }) => !id.includes('.'));
  return {
    log: {
      version: '1.2',
      creator: { name: 'Broadside', version: packageVersion() },
      entries: requests.map(entryOf),
    },
  };
}

/** Members of our own begin with an underscore, as the format says. */
function entryOf(call: JournalCall): Members {
  const { time, duration_ms, operation, caller, account_id, params, errors, changes, fired, delivery, world_time } =
    call;
  return {
    startedDateTime: time,
    time: duration_ms,
    request: requestOf(call),
    response: responseOf(call),
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
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

function requestOf(call: JournalCall): Members {
  const { method, base_url, path, query, content_type, body, user_agent, client_request, left_out_bytes } = call;
  const headers = {
    ...(content_type === null ? {} : { 'content-type': content_type }),
    ...(user_agent === null ? {} : { 'user-agent': user_agent }),
    ...(client_request === null ? {} : { 'x-request-id': client_request }),
  };
  return {
    method,
    url: `${base_url}${path}${query === '' ? '' : `?${query}`}`,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairsOf(headers),
    queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    ...(body === null ? {} : { postData: { mimeType: content_type ?? '', text: body } }),
    headersSize: -1,
    bodySize: body === null ? left_out_bytes : Buffer.byteLength(body),
  };
}

function responseOf({ status, answer: { headers, body, size } }: JournalCall): Members {
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

function pairsOf(members: Members): readonly { readonly name: string; readonly value: string }[] {
  return Object.entries(members).map(([name, value]) => ({ name, value: String(value) }));
}
