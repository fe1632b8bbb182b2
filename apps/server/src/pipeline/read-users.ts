/** Reads a batch of users, giving way to other work. */
import { hash } from 'node:crypto';
import {
  type OtherNames,
  type ReadUsers,
  UsersReader,
  type UsersShape,
} from '@broadside/core/resources/custom-audiences';
import { Pace } from '../pace.ts';

/** Bytes that are read before looking at the time: a fraction of a millisecond's work. */
const STEP_BYTES = 16_384;

const digest = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');

/** Reads a batch of users. @param others names under which members may come beside their own */
export async function readUsers(
  json: Uint8Array,
  shape: UsersShape,
  others?: OtherNames,
  pace: Pace = new Pace(),
): Promise<ReadUsers> {
  const reader = new UsersReader(json, shape, digest, others);
  while (!reader.step(STEP_BYTES)) if (pace.isOver) await pace.step();
  return reader.result;
}

/** Returns values of a typed caller as the JSON that they would have sent, so that all batches are read in one way. */
export function jsonOf(items: unknown): Uint8Array {
  // No value of a batch is a number, so it does not matter which one stands for a number that JSON cannot express.
  const text = JSON.stringify(items, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
  return Buffer.from(text ?? 'null');
}
