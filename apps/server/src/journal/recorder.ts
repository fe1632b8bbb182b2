/** Has requests of a listener written into the journal of the world that they were for. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type LoggedAnswer, REQUEST_ID } from '../adapters/rest/request-log.ts';
import { receivedTarget } from '../dialects/spoken.ts';
import type { BrokenOff } from '../faults/delivery.ts';
import { wallClock as machine } from '../world/clock.ts';
import type { Answered, JournalLimits, RecordedCall, Recording } from './records.ts';

/** An answer, as far as the journal keeps it. */
interface RecordedAnswer extends LoggedAnswer {
  /** Names in lower case, each followed by its value. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array | undefined;
  /** How its connection is ended on purpose. */
  readonly ends?: BrokenOff | undefined;
}

/** Writes the requests of a listener into journals. */
export class Recorder {
  readonly #listener: string;
  readonly #journalOf: (request: IncomingMessage) => Recording | undefined;

  readonly #scheme: string;

  /**
   * @param journalOf the journal for a request that was for no operation
   * @param scheme what the listener speaks
   */
  constructor(listener: string, journalOf: (request: IncomingMessage) => Recording | undefined, scheme = 'http') {
    this.#listener = listener;
    this.#scheme = scheme;
    this.#journalOf = journalOf;
  }

  /**
   * Records a request with its answer. To be called before the answer is sent, so that whoever has read it finds it in the journal.
   * @param target path and query as they came
   * @param ms time that it took to answer
   */
  record(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    target: string,
    { recorded, journal: known, status, headers, body, fired = NONE, ends }: RecordedAnswer,
    ms: number,
  ): void {
    const calls = recorded === undefined ? NO_CALLS : isOne(recorded) ? [recorded] : recorded;
    const journal = calls[0]?.journal ?? known ?? this.#journalOf(request);
    if (journal === undefined) return;
    const isLost = ends !== undefined || response.destroyed;
    const { limits, wallClock } = journal;
    const { 'content-type': content_type, 'user-agent': user_agent, [REQUEST_ID]: client_request } = request.headers;
    const entry: Answered = {
      id,
      listener: this.#listener,
      base_url: calls[0]?.base_url ?? `${this.#scheme}://${request.headers.host ?? 'localhost'}`,
      method: request.method ?? 'GET',
      target,
      content_type,
      user_agent,
      client_request: typeof client_request === 'string' ? client_request : undefined,
      answered_ms: wallClock.now(),
      elapsed_ms: machine.elapsed(),
      duration_ms: ms,
      status,
      headers,
      body_size: body?.length ?? 0,
      fired,
      told: undefined,
      delivery: isLost ? 'lost' : 'pending',
      dropped: ends === 'unanswered',
      calls: calls.some((call) => isLarge(call, limits)) ? calls.map((call) => bounded(call, limits)) : calls,
      world_ms: calls[0]?.world_ms ?? journal.clock.now(),
    };
    journal.record(entry, body === undefined ? undefined : beginningOf(body, limits.body));
    let settled = false;
    const settle = (delivery: Answered['delivery']) => {
      if (settled) return;
      settled = true;
      entry.delivery = delivery;
      journal.settled(entry);
    };
    if (isLost) {
      settle('lost');
      return;
    }
    response.on('finish', () => settle('sent'));
    response.on('close', () => settle('lost'));
  }

  /**
   * Records what the framework answers: calls, and requests that were rejected or change something. Our choice: pages, media and
   * documents that are read are no calls.
   */
  recordReply(request: FastifyRequest, reply: FastifyReply, payload: unknown, ends?: BrokenOff): void {
    const { recorded, fired, journal } = reply.logged ?? {};
    const status = reply.statusCode;
    const isOne = recorded !== undefined || status >= 400 || (request.method !== 'GET' && request.method !== 'HEAD');
    if (!isOne) return;
    const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => [name, String(value)]);
    const isPage = recorded === undefined && `${reply.getHeader('content-type')}`.startsWith('text/html');
    const body = !isPage && (typeof payload === 'string' || payload instanceof Uint8Array) ? payload : undefined;
    const target = receivedTarget(request.raw);
    this.record(
      request.raw,
      reply.raw,
      request.id,
      target,
      { recorded, journal, status, headers, body, fired, ends },
      reply.elapsedTime,
    );
  }
}

const NONE: readonly string[] = [];
const NO_CALLS: readonly RecordedCall[] = [];

function isOne(recorded: NonNullable<LoggedAnswer['recorded']>): recorded is RecordedCall {
  return !Array.isArray(recorded);
}

/** The beginning of a body as a text of its own, which does not hold on to the rest. */
function beginningOf(body: string | Uint8Array, most: number): string {
  if (typeof body !== 'string')
    return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, most)).toString();
  return body.length <= most ? body : Buffer.from(body.slice(0, most)).toString();
}

/** Changes of one call that are kept. */
const MOST_CHANGES = 100;

/** The part of the journal that the changes of one call may take: otherwise one call could push out all others. */
const CHANGES_SHARE = 1 / 8;

function isLarge({ body, changes }: RecordedCall, limits: JournalLimits): boolean {
  return (body !== undefined && body.length > limits.body) || changes.length > fitting(changes, limits);
}

/** The number of changes that are kept. */
function fitting(changes: RecordedCall['changes'], { bytes }: JournalLimits): number {
  let left = bytes * CHANGES_SHARE;
  const over = changes.findIndex(({ text }, at) => {
    left -= text.length;
    return at === MOST_CHANGES || left < 0;
  });
  return over === -1 ? changes.length : over;
}

/** A call of which little enough is kept: the parameters of a long body are as long. */
function bounded(call: RecordedCall, limits: JournalLimits): RecordedCall {
  const { body, changes } = call;
  const most = fitting(changes, limits);
  const kept = { ...call, changes: changes.slice(0, most), changes_left_out: changes.length - most };
  if (body === undefined || body.length <= limits.body) return kept;
  const beginning = beginningOf(body, limits.body);
  const left_out_bytes = call.left_out_bytes + Buffer.byteLength(body) - Buffer.byteLength(beginning);
  return { ...kept, body: beginning, params: {}, items: undefined, left_out_bytes };
}
