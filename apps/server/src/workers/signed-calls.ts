/** Calls of other servers of the platform, signed, and answers that are believed because they are. See ADR 0033. */
import { ElsewhereError } from '../servers/errors.ts';
import { type Clock, wallClock } from '../world/clock.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { bodyHash, CallProof } from './call-proof.ts';
import {
  type CallHeads,
  type CallName,
  headers,
  pathOfCall,
  provedOfAnswer,
  provedOfCall,
  writeCall,
} from './calls.ts';
import type { WorkerAddress } from './worker-address.ts';

/** A call is given up after this time, in milliseconds. */
export const DEADLINE_MS = 25_000;

export interface CallOptions {
  readonly platformKey: string;
  readonly clock?: Clock | undefined;
  readonly deadline_ms?: number;
}

/** What came back from an address. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

/** What was asked is not at the address, or not any more. */
export class UnreachedError extends Error {
  override readonly name = 'UnreachedError';
}

export class SignedCalls {
  readonly #proof: CallProof;
  readonly #clock: Clock;
  readonly #deadline_ms: number;

  constructor({ platformKey, clock = wallClock, deadline_ms = DEADLINE_MS }: CallOptions) {
    this.#proof = new CallProof(platformKey);
    this.#clock = clock;
    this.#deadline_ms = deadline_ms;
  }

  /** When a call that begins now is given up. */
  deadline(): AbortSignal {
    return AbortSignal.timeout(this.#deadline_ms);
  }

  /** @returns the result as JSON @throws UnreachedError, ElsewhereError */
  async ask<Name extends CallName>(
    address: WorkerAddress,
    name: Name,
    head: CallHeads[Name],
    until: AbortSignal,
    bytes?: Uint8Array,
  ): Promise<string> {
    const { status, text } = await this.#send(address, name, writeCall(head, bytes), until);
    if (status === 200) return text;
    if (status === 421) throw new UnreachedError('another worker listens there, or it has other people');
    const says = status === 503 ? text : 'It failed, and its log says why.';
    throw new ElsewhereError(`The worker at ${address.url} cannot do this now; try again later. ${says}`);
  }

  async #send({ url, place }: WorkerAddress, name: CallName, body: Buffer, until: AbortSignal): Promise<Answer> {
    const call = {
      path: pathOfCall(name),
      time: `${this.#clock.now()}`,
      id: randomText(systemRandom, 22),
      place,
      body: bodyHash(body),
    };
    const { path, time, id } = call;
    const sent = {
      [headers.time]: time,
      [headers.id]: id,
      [headers.place]: place,
      [headers.body]: call.body,
      [headers.proof]: this.#proof.of('call', provedOfCall(call)),
    };
    let response: Response;
    let text: string;
    try {
      response = await fetch(url + path, { method: 'POST', headers: sent, body, signal: until, redirect: 'error' });
      text = await response.text();
    } catch (error) {
      if (until.aborted) throw away({ url, place }, error);
      throw new UnreachedError('the call failed', { cause: error });
    }
    const { status } = response;
    const proof = response.headers.get(headers.proof) ?? '';
    // Who listens there is no server of this platform, or has other keys or another time.
    if (!this.#proof.holds(proof, 'answer', provedOfAnswer(id, status, bodyHash(Buffer.from(text))))) {
      throw new ElsewhereError(
        `What answers at ${url} is no worker of this platform, or its clock differs by minutes; look at BROADSIDE_INTERNAL_URL and the log there.`,
      );
    }
    return { status, text };
  }
}

/** The error where nobody answers. */
export function away({ url }: WorkerAddress, cause: unknown): ElsewhereError {
  const error = new ElsewhereError(`The worker of this platform at ${url} does not answer; try again later.`);
  error.cause = cause;
  return error;
}
