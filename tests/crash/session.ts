/** A client of the server that is going to be killed, and what its writers know. */
import { strict as assert } from 'node:assert';
import { parseJson } from '@broadside/core';
import { buildRequest, type TestRequest, type WireRequest } from '@broadside/testkit';
import { idOf } from '../src/support/body.ts';
import type { ServerProcess } from '../src/support/server-process.ts';

/** A source of random numbers from 0 to 1, so that a failed round can be played again. */
export type Chance = () => number;

/** Numbers that look random, the same for the same seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Fields = Readonly<Record<string, unknown>>;

/** Effect of a request, as the entities that it leaves behind. */
export interface Intent {
  readonly request: TestRequest;
  /** Names by which new entities are recognized. */
  readonly creates: readonly string[];
  /** Existing entities, with the fields that they will have. */
  readonly changes: ReadonlyMap<string, Fields>;
  /** The server has to answer 400 and leave everything as it is. */
  readonly isWrong?: boolean;
}

export interface Writer {
  /** The last acknowledged state of each entity, by id. */
  readonly known: Map<string, Fields>;
  readonly sent: WireRequest[];
  underWay: Intent | undefined;
  acknowledged: number;
  /** Requests that were rejected, of which nothing may be left. */
  rejected: number;
  /** Entities that were read after their writes were acknowledged. */
  readBack: number;
}

/** The kinds of entity, each recognized by a field that no other has. */
export const tellTales = {
  campaigns: 'budget_optimization',
  line_items: 'objective',
  targeting_criteria: 'targeting_type',
};

/** The fields that a request decides; the others follow from the state around an entity. */
export const decided = [
  'name',
  'deleted',
  'entity_status',
  'campaign_id',
  'line_item_id',
  'total_budget_amount_local_micro',
  'bid_amount_local_micro',
  'updated_at',
] as const;

export class Session {
  readonly server: ServerProcess;
  readonly account_id: string;
  readonly funding_instrument_id: string;
  /** Responses with 408: a machine under load may take longer to read a request than it may take. */
  late = 0;
  /** Requests are signed this far ahead of the clock: after a loss of power, timestamps up to half a minute ahead are rejected. */
  aheadSeconds = 0;
  #nonces = 0;

  constructor(server: ServerProcess, account_id: string, funding_instrument_id: string) {
    this.server = server;
    this.account_id = account_id;
    this.funding_instrument_id = funding_instrument_id;
  }

  sign(request: TestRequest): Promise<WireRequest> {
    const { credentials } = this.server;
    return buildRequest(request, {
      origin: request.listener === 'api' ? credentials.base_url : credentials.ads_sandbox_base_url,
      user: credentials,
      signing: {
        nowSeconds: () => Math.floor(Date.now() / 1000) + this.aheadSeconds,
        nonce: () => `${process.pid}-${Date.now()}-${++this.#nonces}`,
      },
    });
  }

  /**
   * Sends a request, once more where it was too late for the server: that says that nothing was done.
   * @throws TypeError when no response came
   */
  async send(request: WireRequest): Promise<{ status: number; body: unknown; text: string }> {
    const { method, url, headers, body } = request;
    // A connection that is kept may be closed by a server that was stopped for longer than it keeps one, at the moment it is used.
    const unkept = { ...headers, connection: 'close' };
    const response = await fetch(url, { method, headers: unkept, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    if (response.status === 408 && this.late < 20) {
      this.late++;
      return this.send(request);
    }
    return { status: response.status, text, body: text === '' ? undefined : parseJson(text) };
  }

  async ok(request: TestRequest): Promise<unknown> {
    const { status, body, text } = await this.send(await this.sign(request));
    assert.equal(status, 200, text);
    return body;
  }
}

/** Makes an account with a means of payment, to write to. @param ok sends a request and returns the body of its answer */
export async function makeAccount(
  ok: (request: TestRequest) => Promise<unknown>,
): Promise<{ readonly account_id: string; readonly funding_instrument_id: string }> {
  const account_id = idOf(await ok({ method: 'POST', path: '/12/accounts' }));
  const query = { type: 'PARTNER_MANAGED', currency: 'USD', start_time: '2026-01-01' };
  const path = `/12/accounts/${account_id}/funding_instruments`;
  return { account_id, funding_instrument_id: idOf(await ok({ method: 'POST', path, query })) };
}
