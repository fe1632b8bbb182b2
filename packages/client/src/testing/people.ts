/// <reference types="node" />
/** People to upload, and the records that are sent for them. */
import { createHash } from 'node:crypto';
import type { AudienceUploadOptions } from '../audience-upload/options.ts';
import type { AudienceRow } from '../audience-upload/rows.ts';
import { uploadRows } from '../audience-upload/upload.ts';
import type { FakeAudience } from './fake-audience.ts';

/** Returns the SHA-256 of a text as hex digits. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns the row of a person, whose address is not in normal form. */
export const person = (n: number): AudienceRow => ({ email: `Person.${n}@Example.com ` });

/** Returns the rows of persons 1 to `count`. */
export const people = (count: number) => Array.from({ length: count }, (_, n) => person(n + 1));

/** Returns the record of a person. */
export const recordOf = (n: number) => ({ email: [sha256(`person.${n}@example.com`)] });

/** Limits with room for one person of one hash. */
export const ONE = { operations: 2_500, bytes: 250 };

/** Uploads rows to a list, with a fast hash. */
export function upload(list: FakeAudience, rows: unknown, options: AudienceUploadOptions = {}) {
  return uploadRows(list.target, rows, { sha256, ...options });
}

/** Gives rows one by one, as a file does. */
export async function* asyncOf<Row>(rows: Iterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}
