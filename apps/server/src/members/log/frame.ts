/**
 * The records of the log. A frame is a header, the name of an audience, the operations in 13 bytes each, and their users:
 *
 *     length of all that follows the first 8 bytes: u32, CRC-32 of it: u32,
 *     number of the frame: f64, time of the request in seconds: u32, records: u32, operations: u32, kind: u8, length of the name: u8
 *
 * Numbers are little-endian.
 */
import { crc32 } from 'node:zlib';
import type { MemberBatch, MemberOperation } from '../member-store.ts';

/** Bytes before the name. */
const FRAME_HEADER = 30;
const OPERATION_BYTES = 13;

/** The kinds of frames: a request, and the removal of an audience. */
export const frameKinds = { batch: 0, drop: 1 } as const;

/** Bits of the byte of an operation that says what it does. */
export const operationFlags = { delete: 1, default_effective: 2, default_expires: 4 } as const;

/** A frame before it has a number. */
export interface NewFrame {
  readonly kind: number;
  readonly audience: string;
  readonly at_s: number;
  readonly batch: MemberBatch;
}

/** A frame as read. */
export interface Frame {
  readonly seq: number;
  readonly kind: number;
  readonly audience: string;
  readonly at_s: number;
  /** Number of users. */
  readonly records: number;
  /** Operations as encoded, for {@link operationAt}. */
  readonly operations: DataView;
  readonly operation_count: number;
  readonly users: Uint8Array;
  /** Bytes of the frame as a whole. */
  readonly size: number;
}

/** Encodes a frame into two pieces: its head, and the bytes of its users as they are. */
export function encodeFrame(
  { kind, audience, at_s, batch }: NewFrame,
  seq: number,
): [head: Uint8Array, users: Uint8Array] {
  const name = Buffer.from(audience);
  const head = Buffer.alloc(FRAME_HEADER + name.length + batch.operations.length * OPERATION_BYTES);
  head.writeUInt32LE(head.length - 8 + batch.users.length, 0);
  head.writeDoubleLE(seq, 8);
  head.writeUInt32LE(at_s, 16);
  head.writeUInt32LE(recordsOf(batch), 20);
  head.writeUInt32LE(batch.operations.length, 24);
  head.writeUInt8(kind, 28);
  head.writeUInt8(name.length, 29);
  name.copy(head, FRAME_HEADER);
  let at = FRAME_HEADER + name.length;
  for (const operation of batch.operations) {
    head.writeUInt8(flagsOf(operation), at);
    head.writeUInt32LE(operation.effective_s, at + 1);
    head.writeUInt32LE(operation.expires_s, at + 5);
    head.writeUInt32LE(operation.user_count, at + 9);
    at += OPERATION_BYTES;
  }
  head.writeUInt32LE(crc32(batch.users, crc32(head.subarray(8))), 4);
  return [head, batch.users];
}

/** The number of users of a batch. */
export function recordsOf({ operations }: MemberBatch): number {
  return operations.reduce((sum, { user_count }) => sum + user_count, 0);
}

/** Returns the flags of an operation, see {@link operationFlags}. */
export function flagsOf({ operation_type, default_effective, default_expires }: MemberOperation): number {
  return (
    (operation_type === 'Delete' ? operationFlags.delete : 0) |
    (default_effective ? operationFlags.default_effective : 0) |
    (default_expires ? operationFlags.default_expires : 0)
  );
}

/** Reads the frame at an offset; `undefined` where the bytes end before it does, or are not those that were written. */
export function decodeFrame(bytes: Uint8Array, offset: number): Frame | undefined {
  if (offset + FRAME_HEADER > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, bytes.length - offset);
  const size = view.getUint32(0, true) + 8;
  if (size < FRAME_HEADER || size > view.byteLength) return undefined;
  const rest = bytes.subarray(offset + 8, offset + size);
  if (crc32(rest) !== view.getUint32(4, true)) return undefined;
  const name = view.getUint8(29);
  const operation_count = view.getUint32(24, true);
  const operations = FRAME_HEADER + name;
  const users = operations + operation_count * OPERATION_BYTES;
  return {
    seq: view.getFloat64(8, true),
    kind: view.getUint8(28),
    audience: Buffer.from(bytes.buffer, bytes.byteOffset + offset + FRAME_HEADER, name).toString(),
    at_s: view.getUint32(16, true),
    records: view.getUint32(20, true),
    operations: new DataView(bytes.buffer, bytes.byteOffset + offset + operations, users - operations),
    operation_count,
    users: bytes.subarray(offset + users, offset + size),
    size,
  };
}

/** Bytes of the frame that begins at an offset, by its header; `undefined` where the header is not complete. */
export function frameSize(bytes: Uint8Array, offset: number): number | undefined {
  if (offset + FRAME_HEADER > bytes.length) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset + offset).getUint32(0, true) + 8;
}

/** Reads an operation of a frame. */
export function operationAt({ operations }: Frame, i: number): MemberOperation {
  const at = i * OPERATION_BYTES;
  const bits = operations.getUint8(at);
  return {
    operation_type: bits & operationFlags.delete ? 'Delete' : 'Update',
    default_effective: (bits & operationFlags.default_effective) !== 0,
    default_expires: (bits & operationFlags.default_expires) !== 0,
    effective_s: operations.getUint32(at + 1, true),
    expires_s: operations.getUint32(at + 5, true),
    user_count: operations.getUint32(at + 9, true),
  };
}
