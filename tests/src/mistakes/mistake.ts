/** A mistake in a request, and the world that it is made in. */
import type { TestRequest, TestUser } from '@broadside/testkit';

/** The world that a mistake is made with. */
export interface MistakeWorld {
  readonly user: TestUser;
  /** A token of the user for reading only. */
  readonly reader: TestUser;
  readonly stranger: TestUser;
  /** The sandbox account of the user. */
  readonly account: string;
  readonly funding: string;
  readonly campaign: string;
  readonly bearer: string;
  readonly now: number;
}

/** A mistake, and the answer to it. */
export interface RequestMistake {
  readonly name: string;
  readonly send: (world: MistakeWorld) => TestRequest;
  readonly status: number;
  readonly code: string | number;
  readonly parameter?: string;
  /** The message, to the letter; `{account}` and the like stand for what the world has. */
  readonly says: string;
}
