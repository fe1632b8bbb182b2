/** The certificate of a server: read at the start, and again when its files change. */
import { formatTimestamp } from '@broadside/core';
import type { Logger } from 'pino';
import type { WallClock } from '../world/clock.ts';
import type { Random } from '../world/random.ts';
import {
  checkKeyPair,
  type KeyPair,
  type KeyPairFiles,
  type KeyPairText,
  readKeyPairText,
  TlsFileError,
} from './key-pair.ts';
import { type TlsSecrets, TlsServers } from './tls-servers.ts';

/** The files are looked at in this interval. Events of the file system miss symbolic links that are exchanged, and network disks. */
const LOOK_MS = 1000;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Days before its end from which a certificate is reported. */
const NOTICE_DAYS = 14;

const TICKET_KEY_BYTES = 48;

/** Parts of the server that the certificate works with. */
interface CertificateOptions {
  readonly files: KeyPairFiles;
  readonly clock: Pick<WallClock, 'now'>;
  readonly random: Random;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export class Certificate {
  readonly servers: TlsServers;
  readonly #options: CertificateOptions;
  #pair: KeyPair;
  /** The content at the last look. */
  #seen: string;
  /** The content that was last served or reported. */
  #settled: string;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #renewed: (secrets: TlsSecrets) => void = () => {};

  private constructor(options: CertificateOptions, pair: KeyPair) {
    this.#options = options;
    this.#pair = pair;
    this.#seen = this.#settled = markOf(pair);
    this.servers = new TlsServers(this.#secretsOf(pair));
  }

  /** Reads the files. @throws TlsFileError when they cannot be served, or the certificate has ended */
  static async read(options: CertificateOptions): Promise<Certificate> {
    const { files, clock } = options;
    return new Certificate(options, checkPair(await readKeyPairText(files), files, clock.now()));
  }

  /** Looks at the files from now on. @param renewed called with each new pair, after the listeners of this thread have it */
  watch(renewed: (secrets: TlsSecrets) => void): void {
    this.#renewed = renewed;
    this.#timer = setInterval(() => void this.#enqueue(() => this.#look(false)), LOOK_MS);
    this.#timer.unref();
  }

  /** Looks at the files at once. */
  async reload(): Promise<void> {
    await this.#enqueue(() => this.#look(true));
  }

  /** What the operator should know of the certificate. */
  notice(): string | undefined {
    const { valid_from_ms: from, valid_to_ms: to } = this.#pair;
    const now = this.#options.clock.now();
    if (now < from) return `The TLS certificate is not valid before ${formatTimestamp(from)}.`;
    if (now > to) return `The TLS certificate ended at ${formatTimestamp(to)}.`;
    if (to - now < NOTICE_DAYS * DAY_MS) return `The TLS certificate ends at ${formatTimestamp(to)}.`;
    return undefined;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #enqueue(step: () => Promise<void>): Promise<void> {
    this.#looking = this.#looking.then(step);
    return this.#looking;
  }

  /** @param atOnce whatever the files have now; otherwise only what they had at the look before too, since two files are replaced one after the other */
  async #look(atOnce: boolean): Promise<void> {
    const { files, clock, logger } = this.#options;
    let text: KeyPairText | undefined;
    let problem: TlsFileError | undefined;
    try {
      text = await readKeyPairText(files);
    } catch (error) {
      if (!(error instanceof TlsFileError)) throw error;
      problem = error;
    }
    const mark = text ? markOf(text) : `${problem?.message}`;
    const isSettled = atOnce || mark === this.#seen;
    this.#seen = mark;
    if (!isSettled || (mark === this.#settled && !atOnce)) return;
    this.#settled = mark;
    try {
      if (problem || !text) throw problem;
      this.#serve(checkPair(text, files, clock.now()));
    } catch (error) {
      if (!(error instanceof TlsFileError)) throw error;
      logger.warn(`the TLS certificate is not replaced. ${error.message}`);
    }
  }

  #serve(pair: KeyPair): void {
    const { logger } = this.#options;
    this.#pair = pair;
    const secrets = this.#secretsOf(pair);
    this.servers.renew(secrets);
    this.#renewed(secrets);
    logger.info({ valid_to: formatTimestamp(pair.valid_to_ms) }, 'the TLS certificate was read');
  }

  #secretsOf({ cert, key }: KeyPair): TlsSecrets {
    return { cert, key, ticketKeys: this.#options.random.bytes(TICKET_KEY_BYTES) };
  }
}

/** @throws TlsFileError */
function checkPair(text: KeyPairText, files: KeyPairFiles, now: number): KeyPair {
  const pair = checkKeyPair(text, files);
  if (now <= pair.valid_to_ms) return pair;
  throw new TlsFileError(
    `BROADSIDE_TLS_CERT: the certificate in ${files.cert} ended at ${formatTimestamp(pair.valid_to_ms)}; renew it.`,
  );
}

function markOf({ cert, key }: KeyPairText): string {
  return `${cert}\0${key}`;
}
