/** The work on audiences, for a server that has it done by the worker of its platform. */
import type { AudienceQuery } from '@broadside/core/resources/audience-estimate';
import type { KeywordInsights } from '@broadside/core/resources/keyword-insights';
import type { InsightsQuery } from '../audience/keyword-insights.ts';
import type { AudienceScope } from '../audience/members/member-tree.ts';
import type { AudienceName } from '../audience/processing.ts';
import type { MemberBatch } from '../members/member-store.ts';
import { ElsewhereError } from '../servers/errors.ts';
import type { PlatformFacts } from '../servers/platform-facts.ts';
import { type Clock, wallClock } from '../world/clock.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { bodyHash, CallProof } from './call-proof.ts';
import {
  type AudienceWork,
  type CallHeads,
  type CallName,
  headers,
  pathOfCall,
  provedOfAnswer,
  provedOfCall,
  writeCall,
  writtenScope,
} from './calls.ts';
import { findWorkerAddress, type WorkerAddress } from './worker-address.ts';

/** A call is given up after this time, in milliseconds. */
const DEADLINE_MS = 25_000;

interface Services {
  readonly facts: Pick<PlatformFacts, 'find'>;
  readonly platformKey: string;
  readonly clock?: Clock | undefined;
  readonly deadline_ms?: number;
}

/** What came back from an address. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The connection failed, so that the address may be an old one. */
class UnreachedError extends Error {
  override readonly name = 'UnreachedError';
}

export class AskedWorker implements AudienceWork {
  readonly #facts: Services['facts'];
  readonly #proof: CallProof;
  readonly #clock: Clock;
  readonly #deadline_ms: number;
  #address: WorkerAddress | undefined;

  constructor({ facts, platformKey, clock = wallClock, deadline_ms = DEADLINE_MS }: Services) {
    this.#facts = facts;
    this.#proof = new CallProof(platformKey);
    this.#clock = clock;
    this.#deadline_ms = deadline_ms;
  }

  async take(audience: AudienceName, { operations, users }: MemberBatch, now_s: number): Promise<void> {
    await this.#ask('take', { audience, operations, now_s }, users);
  }

  async count(query: AudienceQuery, scope?: AudienceScope): Promise<number> {
    return JSON.parse(await this.#ask('count', { query, scope: writtenScope(scope) }));
  }

  async search(query: InsightsQuery): Promise<KeywordInsights> {
    return JSON.parse(await this.#ask('search', query));
  }

  /** @returns the result as JSON @throws ElsewhereError where there is none */
  async #ask<Name extends CallName>(name: Name, head: CallHeads[Name], bytes?: Uint8Array): Promise<string> {
    const body = writeCall(head, bytes);
    const until = AbortSignal.timeout(this.#deadline_ms);
    const known = this.#address;
    try {
      return await this.#askAt(known ?? (await this.#find()), name, body, until);
    } catch (error) {
      if (!(error instanceof UnreachedError)) throw error;
      // It may have moved, or have been started again, or have closed a connection that was kept.
      const address = await this.#find();
      return this.#askAt(address, name, body, until).catch((again: unknown) => {
        throw again instanceof UnreachedError ? away(address, again) : again;
      });
    }
  }

  async #find(): Promise<WorkerAddress> {
    this.#address = await findWorkerAddress(this.#facts);
    if (this.#address) return this.#address;
    throw new ElsewhereError(
      'Work on audiences is done by a worker (BROADSIDE_ROLE=worker), and none has been started on this platform yet; try again later.',
    );
  }

  async #askAt(address: WorkerAddress, name: CallName, body: Buffer, until: AbortSignal): Promise<string> {
    const { status, text } = await this.#send(address, name, body, until);
    if (status === 200) return text;
    if (status === 421) throw new UnreachedError('another worker listens there');
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

function away({ url }: WorkerAddress, cause: unknown): ElsewhereError {
  const error = new ElsewhereError(`The worker of this platform at ${url} does not answer; try again later.`);
  error.cause = cause;
  return error;
}
