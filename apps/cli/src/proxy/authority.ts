/** The proxy's certificate authority on disk: made once in the data directory, its key readable by its owner only. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliError, messageOf, systemCode } from '../errors.ts';
import { type CertifiedKey, HOSTS_DAYS, makeAuthority } from './certificates.ts';

/** An authority, and the file that clients trust. */
export interface Authority extends CertifiedKey {
  readonly file: string;
  /** A sentence for its owner, where it ends soon. */
  readonly notice: string | undefined;
}

/** Certificates of hosts are made for less, so that no client meets one whose authority has ended. */
const NOTICE_MS = HOSTS_DAYS * 24 * 60 * 60 * 1000;

const FOLDER = 'proxy';
const CERTIFICATE = 'ca.pem';
const KEY = 'ca.key';

/**
 * Opens the authority of a data directory; makes it where there is none.
 * @param now milliseconds since 1970
 * @throws CliError when others could read the key or replace it, or when certificate and key are not usable
 */
export async function openAuthority(dataDirectory: string, now: number): Promise<Authority> {
  const folder = path.join(dataDirectory, FOLDER);
  if (!statSync(folder, { throwIfNoEntry: false })) await make(dataDirectory, folder, now);
  for (const directory of [dataDirectory, folder]) verifyDirectory(directory);
  const certificate = readPart(folder, CERTIFICATE);
  const key = readPart(folder, KEY);
  const keyFile = path.join(folder, KEY);
  if (isOpen(keyFile, 0o077))
    throw new CliError('usage', `Others can read ${keyFile}, and so pose as any host to your clients`, [
      `Remove ${folder}: the proxy makes another authority, which its clients must load anew.`,
    ]);
  const flaw = flawOf(certificate, key, now);
  if (flaw !== undefined)
    throw new CliError('usage', `The certificate authority in ${folder} cannot be used: ${flaw}`, [
      'Remove the folder: the proxy makes another authority, which its clients must load anew.',
    ]);
  const { validTo } = new X509Certificate(certificate);
  const notice =
    Date.parse(validTo) - now > NOTICE_MS
      ? undefined
      : `The certificate authority in ${folder} ends on ${validTo}. Remove the folder to get another one, which clients must load anew.`;
  return { certificate, key, file: path.join(folder, CERTIFICATE), notice };
}

/** Makes both files in a folder beside and renames it, so that there are both or none, also when two proxies start at once. */
async function make(dataDirectory: string, folder: string, now: number): Promise<void> {
  const { certificate, key } = await makeAuthority(now);
  let fresh: string | undefined;
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    verifyDirectory(dataDirectory);
    fresh = mkdtempSync(`${folder}.`);
    writeFileSync(path.join(fresh, KEY), key, { mode: 0o600, flush: true });
    writeFileSync(path.join(fresh, CERTIFICATE), certificate, { mode: 0o644, flush: true });
    renameSync(fresh, folder);
  } catch (error) {
    if (error instanceof CliError || systemCode(error) === undefined) throw error;
    // Another proxy was faster.
    if (systemCode(error) === 'ENOTEMPTY' || systemCode(error) === 'EEXIST') return;
    throw new CliError('usage', `The certificate authority cannot be written: ${messageOf(error)}`);
  } finally {
    if (fresh !== undefined) rmSync(fresh, { recursive: true, force: true });
  }
}

function verifyDirectory(directory: string): void {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (!status?.isDirectory()) throw new CliError('usage', `${directory} is not a directory`);
  const uid = process.getuid?.();
  // What root owns only root can change.
  if (uid !== undefined && status.uid !== uid && status.uid !== 0)
    throw new CliError('usage', `${directory} belongs to another user, who could replace the certificate authority`);
  if (isOpen(directory, 0o022))
    throw new CliError('usage', `Others can write to ${directory}, and replace the certificate authority`, [
      `chmod go-w ${directory}`,
    ]);
}

function readPart(folder: string, name: string): string {
  const file = path.join(folder, name);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError('usage', `${file} cannot be read: ${messageOf(error)}`, [
      `Remove ${folder}: the proxy makes another authority, which its clients must load anew.`,
    ]);
  }
}

function isOpen(file: string, bits: number): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & bits) !== 0;
}

/** The reason why an authority cannot sign. */
function flawOf(certificate: string, key: string, now: number): string | undefined {
  try {
    const held = new X509Certificate(certificate);
    if (!held.ca) return `${CERTIFICATE} is not the certificate of an authority`;
    if (!held.checkPrivateKey(createPrivateKey(key))) return `${KEY} is not the key of ${CERTIFICATE}`;
    if (Date.parse(held.validTo) <= now) return `${CERTIFICATE} expired on ${held.validTo}`;
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
