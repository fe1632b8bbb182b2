/** The members of audiences on a server that does not keep them: whoever asks is told where they are. See ADR 0027. */
import type { CopyPart } from '../copies/copy-part.ts';
import type { MemberStore } from '../members/member-store.ts';
import { ElsewhereError } from './errors.ts';

const NOTHING: CopyPart = { before: async () => {}, look: () => {}, after: async () => {}, end: () => {} };

export class MembersElsewhere implements MemberStore {
  /** The server that merges tells of its own. */
  readonly backlog = { bytes: 0, lag_ms: 0 };
  readonly #where: string;

  /** @param where they are, as the end of a sentence */
  constructor(where: string) {
    this.#where = where;
  }

  append(): Promise<never> {
    return this.#reject();
  }

  settle(): Promise<never> {
    return this.#reject();
  }

  matched(): Promise<never> {
    return this.#reject();
  }

  drop(): Promise<never> {
    return this.#reject();
  }

  sweep(): Promise<never> {
    return this.#reject();
  }

  figures(): Promise<never> {
    return this.#reject();
  }

  /** People are told to the server that matches them. */
  async setPeople(): Promise<void> {}

  async peopleLoaded(): Promise<void> {}

  endPeople(): void {}

  onChange(): () => void {
    return () => {};
  }

  onStart(): () => void {
    return () => {};
  }

  onError(): () => void {
    return () => {};
  }

  /** A copy has no members. */
  beginCopy(): CopyPart {
    return NOTHING;
  }

  async close(): Promise<void> {}

  #reject(): Promise<never> {
    return Promise.reject(new ElsewhereError(`The members of audiences are ${this.#where}; send this request there.`));
  }
}
