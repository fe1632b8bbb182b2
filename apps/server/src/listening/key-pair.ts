/** A certificate with its private key, as their files have them. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { TlsSettings } from '../config/addresses.ts';
import { errorCode } from '../error-text.ts';

/** A certificate or key that cannot be served. The message names the setting and its file, in one line. */
export class TlsFileError extends Error {
  override readonly name = 'TlsFileError';
}

/** The files of a pair. */
export type KeyPairFiles = Pick<TlsSettings, 'cert' | 'key'>;

/** The content of the files. */
export interface KeyPairText {
  readonly cert: string;
  readonly key: string;
}

/** A pair that fits. */
export interface KeyPair extends KeyPairText {
  /** Milliseconds since the epoch between which the certificate of the server itself is valid. */
  readonly valid_from_ms: number;
  readonly valid_to_ms: number;
}

/** Reads the files. @throws TlsFileError */
export async function readKeyPairText(files: KeyPairFiles): Promise<KeyPairText> {
  return { cert: await read('BROADSIDE_TLS_CERT', files.cert), key: await read('BROADSIDE_TLS_KEY', files.key) };
}

/** Verifies that a certificate and a key can be served together. @throws TlsFileError */
export function checkKeyPair({ cert, key }: KeyPairText, files: KeyPairFiles): KeyPair {
  const certificate = parseCertificate(cert, files.cert);
  if (!certificate.checkPrivateKey(parseKey(key, files.key))) {
    throw new TlsFileError(
      `BROADSIDE_TLS_KEY: the key in ${files.key} does not belong to the first certificate in ${files.cert}.`,
    );
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new TlsFileError(`BROADSIDE_TLS_CERT: ${files.cert} cannot be served: ${reasonOf(error)}.`);
  }
  return {
    cert,
    key,
    valid_from_ms: Date.parse(certificate.validFrom),
    valid_to_ms: Date.parse(certificate.validTo),
  };
}

async function read(setting: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') throw new TlsFileError(`${setting}: there is no file ${file}.`);
    throw new TlsFileError(`${setting}: ${file} cannot be read by the user of the server (${code}).`);
  }
}

function parseCertificate(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch {
    throw new TlsFileError(`BROADSIDE_TLS_CERT: ${file} has no certificate in PEM ("-----BEGIN CERTIFICATE-----").`);
  }
}

function parseKey(text: string, file: string): KeyObject {
  // Both forms name it in plain text: a header of the older one, the label of PKCS#8.
  if (/ENCRYPTED/.test(text)) {
    throw new TlsFileError(
      `BROADSIDE_TLS_KEY: the key in ${file} is encrypted; write one without a passphrase: openssl pkey -in ${file} -out FILE`,
    );
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw new TlsFileError(`BROADSIDE_TLS_KEY: ${file} has no private key in PEM ("-----BEGIN PRIVATE KEY-----").`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
}
