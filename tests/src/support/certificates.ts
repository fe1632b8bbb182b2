/** Certificates of tests: an authority that this process trusts, and pairs that it has signed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { type CertifiedKey, certify, makeAuthority } from '../../../apps/cli/src/proxy/certificates.ts';

/** The files of a pair. */
export interface PairFiles {
  readonly cert: string;
  readonly key: string;
}

export class TestAuthority {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'broadside-tls-'));
  /** The file of its certificate. */
  readonly file = path.join(this.directory, 'authority.pem');
  readonly #own: CertifiedKey;
  readonly #trusted = tls.getCACertificates('default');

  private constructor(own: CertifiedKey) {
    this.#own = own;
    writeFileSync(this.file, own.certificate);
  }

  static async create(): Promise<TestAuthority> {
    return new TestAuthority(await makeAuthority(Date.now()));
  }

  /** Has clients of this process trust it, until it is removed. */
  trust(): void {
    tls.setDefaultCACertificates([...this.#trusted, readFileSync(this.file, 'utf8')]);
  }

  /**
   * Makes a pair for the loopback names.
   * @param name of the files; pairs of one name replace each other
   * @param from when it becomes valid, less a day, for 91 days; milliseconds since the epoch
   */
  async pair(name: string, from: number = Date.now()): Promise<PairFiles> {
    const { certificate, key } = await certify(this.#own, ['localhost', '127.0.0.1'], from);
    const files = { cert: path.join(this.directory, `${name}.pem`), key: path.join(this.directory, `${name}-key.pem`) };
    writeFileSync(files.cert, certificate);
    writeFileSync(files.key, key);
    return files;
  }

  remove(): void {
    tls.setDefaultCACertificates(this.#trusted);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
