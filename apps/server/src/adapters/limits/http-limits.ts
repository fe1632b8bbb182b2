/** The limits of what clients may make the server hold before and while it reads their requests. */

/** Limits of the listeners. They are those of a process, its three listeners together. */
export interface HttpLimits {
  /** Maximum number of open connections. */
  readonly connections: number;
  /** Maximum number of them from one address. Connections of trusted proxies count in the whole only. */
  readonly connections_per_address: number;
  /** Maximum size of the bodies that are being read or handled, in bytes. A body counts with its announced length. */
  readonly body_bytes: number;
  /** Maximum size of those from one address. */
  readonly body_bytes_per_address: number;
  /** The time that a body waits for room, in milliseconds. */
  readonly room_ms: number;
  /** The time that the head of a request may take, in milliseconds. */
  readonly header_ms: number;
  /** The time that a whole request may take to arrive, in milliseconds. */
  readonly request_ms: number;
  /** The interval in which a body has to grow, and a client has to read some of what waits for it, in milliseconds. */
  readonly stall_ms: number;
}

/** Bytes by which a body has to grow in each interval: slower clients than any modem. */
export const PROGRESS_BYTES = 4_096;

/** Limits without a setting: our choice. */
export const defaultHttpLimits: HttpLimits = {
  connections: 4_000,
  connections_per_address: 1_000,
  body_bytes: 128_000_000,
  body_bytes_per_address: 64_000_000,
  room_ms: 5_000,
  header_ms: 10_000,
  request_ms: 300_000,
  stall_ms: 10_000,
};
