/** A listener of its own for `/metrics`, for servers whose control is closed, and for scrapers that have no token. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { bearerToken } from '../../pipeline/credentials.ts';
import type { Exposition } from '../../telemetry/exposition.ts';
import { OpenMetricsError } from '../../telemetry/open-metrics-error.ts';
import { equalSecrets } from '../../world/secrets.ts';
import { ownHosts } from '../own-host.ts';
import { pathOf } from '../rest/request-log.ts';
import { commonHeaders } from '../rest/styles.ts';

/** Time for the head of a request. */
const HEADERS_MS = 10_000;
const MOST_CONNECTIONS = 64;

interface MetricsListenerOptions {
  readonly exposition: Exposition;
  readonly host: string;
  readonly port: number;
  /** The operator's token, which is asked for where the address is not one of this machine alone. */
  readonly token: string | undefined;
}

/**
 * Listens.
 * @throws OpenMetricsError; the error of the system where the address cannot be listened on
 */
export async function listenForMetrics({ exposition, host, port, token }: MetricsListenerOptions): Promise<Server> {
  const isOpen = isLoopback(host);
  if (!isOpen && token === undefined) {
    throw new OpenMetricsError(
      `Metrics at ${host} need the operator's token: set BROADSIDE_OPERATOR_TOKEN, or BROADSIDE_METRICS_HOST to 127.0.0.1.`,
    );
  }
  // A page whose name was pointed to this machine would send that name.
  const isOwn = ownHosts('production', host);
  const admits = (request: IncomingMessage): Refusal | undefined => {
    if (isOpen) return isOwn(request) ? undefined : FOREIGN;
    const given = bearerToken(request.headers.authorization);
    return given !== undefined && token !== undefined && equalSecrets(given, token) ? undefined : UNAUTHORIZED;
  };
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: HEADERS_MS }, (request, response) => {
    void answer(request, response, exposition, admits);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.listen({ host, port });
  await once(server, 'listening');
  return server;
}

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const answerHeaders = { ...commonHeaders, 'cache-control': 'no-store' };

const FOREIGN: Refusal = { status: 403, text: 'Call this listener by its own address' };
const UNAUTHORIZED: Refusal = {
  status: 401,
  text: 'Send the token of the operator as a bearer token',
  headers: { 'www-authenticate': 'Bearer' },
};
const NOT_FOUND: Refusal = { status: 404, text: 'Metrics are at /metrics' };
const OTHER_METHOD: Refusal = { status: 405, text: 'Metrics are read with GET', headers: { allow: 'GET, HEAD' } };
const FAILED: Refusal = { status: 503, text: 'The metrics cannot be collected; try again' };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  exposition: Exposition,
  admits: (request: IncomingMessage) => Refusal | undefined,
): Promise<void> {
  request.resume();
  const refusal =
    admits(request) ??
    (pathOf(request.url ?? '/') === '/metrics' ? undefined : NOT_FOUND) ??
    (request.method === 'GET' || request.method === 'HEAD' ? undefined : OTHER_METHOD);
  if (refusal) return refuse(response, refusal);
  try {
    const text = await exposition.text();
    response.writeHead(200, { ...answerHeaders, 'content-type': exposition.contentType });
    response.end(request.method === 'HEAD' ? undefined : text);
  } catch {
    refuse(response, FAILED);
  }
}

function refuse(response: ServerResponse, { status, text, headers }: Refusal): void {
  response.writeHead(status, { ...answerHeaders, 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(`${text}\n`);
}

/** Returns whether an address that is listened on is reached from this machine alone. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || (isIPv6(host) ? host === '::1' : /^127(?:\.\d{1,3}){3}$/.test(host));
}
