/** Requests as a journal keeps them. */
import type { JournalCall } from '@broadside/core/resources/control/journal';
import type { PackedNumbers, PackedTexts } from './packed-texts.ts';
import type { RecordedCall, RecordedRequest } from './records.ts';
import { shownCalls } from './shown-calls.ts';

/** What a journal keeps at its place. */
interface Placed {
  readonly elapsed_ms: number;
  /** Orders requests that were answered at the same time. */
  readonly seq: number;
  readonly bytes: number;
  /** The place among those of which it is known what became of their answers. */
  readonly told: number | undefined;
}

/** Requests in words, of another thread or from a file. */
export interface ToldRequest extends Placed {
  readonly calls: readonly JournalCall[];
}

/** Where a journal packs its requests. */
export interface Packing {
  readonly texts: PackedTexts;
  readonly numbers: PackedNumbers;
}

/** Places of numbers. */
const ANSWERED = 0;
const ELAPSED = 1;
const DURATION = 2;
const WORLD = 3;
const SEQ = 4;
const TOLD = 5;
const COUNT = 6;

/**
 * A request that was recorded here: one object beside those that the pipeline had made anyway. The body of its answer, and numbers that would be
 * objects, are packed.
 */
export class KeptRequest implements Placed, RecordedRequest {
  readonly id: string;
  readonly listener: string;
  readonly base_url: string;
  readonly method: string;
  readonly target: string;
  readonly content_type: string | undefined;
  readonly user_agent: string | undefined;
  readonly client_request: string | undefined;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body_size: number;
  readonly fired: readonly string[];
  readonly calls: readonly RecordedCall[];
  readonly bytes: number;
  delivery: RecordedRequest['delivery'];
  readonly #body: Buffer | undefined;
  readonly #at: number;
  readonly #length: number;
  readonly #numbers: Float64Array;
  readonly #first: number;

  constructor(request: RecordedRequest, seq: number, bytes: number, { texts, numbers }: Packing) {
    this.id = request.id;
    this.listener = request.listener;
    this.base_url = request.base_url;
    this.method = request.method;
    this.target = request.target;
    this.content_type = request.content_type;
    this.user_agent = request.user_agent;
    this.client_request = request.client_request;
    this.status = request.status;
    this.headers = request.headers;
    this.body_size = request.body_size;
    this.fired = request.fired;
    this.calls = request.calls;
    this.bytes = bytes;
    this.delivery = request.delivery;
    const { body } = request;
    this.#body = body === undefined ? undefined : texts.add(body);
    this.#at = texts.at;
    this.#length = texts.length;
    const block = numbers.take(COUNT);
    const first = numbers.at;
    this.#numbers = block;
    this.#first = first;
    block[first + ANSWERED] = request.answered_ms;
    block[first + ELAPSED] = request.elapsed_ms;
    block[first + DURATION] = request.duration_ms;
    block[first + WORLD] = request.world_ms;
    block[first + SEQ] = seq;
    block[first + TOLD] = Number.NaN;
  }

  get body(): string | undefined {
    return this.#body?.toString('utf8', this.#at, this.#at + this.#length);
  }

  get answered_ms(): number {
    return this.#number(ANSWERED);
  }

  get elapsed_ms(): number {
    return this.#number(ELAPSED);
  }

  get duration_ms(): number {
    return this.#number(DURATION);
  }

  get world_ms(): number {
    return this.#number(WORLD);
  }

  get seq(): number {
    return this.#number(SEQ);
  }

  get told(): number | undefined {
    const told = this.#number(TOLD);
    return Number.isNaN(told) ? undefined : told;
  }

  set told(told: number | undefined) {
    this.#numbers[this.#first + TOLD] = told ?? Number.NaN;
  }

  #number(place: number): number {
    return this.#numbers[this.#first + place] ?? 0;
  }
}

/** The calls of a request, in words. */
export function callsOf(kept: KeptRequest | ToldRequest): readonly JournalCall[] {
  return kept instanceof KeptRequest ? shownCalls(kept) : kept.calls;
}
