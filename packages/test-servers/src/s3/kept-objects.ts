/** Objects that outlive the process, each in a file. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A map whose entries are in a directory too, before `set` returns. They survive the process, not the machine. */
export class KeptObjects extends Map<string, Buffer> {
  readonly #directory: string;

  constructor(directory: string) {
    super();
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
    for (const name of readdirSync(directory)) {
      if (name.startsWith(HALF)) continue;
      super.set(Buffer.from(name, 'base64url').toString(), readFileSync(path.join(directory, name)));
    }
  }

  override set(key: string, bytes: Buffer): this {
    const half = path.join(this.#directory, HALF);
    writeFileSync(half, bytes);
    renameSync(half, this.#file(key));
    return super.set(key, bytes);
  }

  override delete(key: string): boolean {
    rmSync(this.#file(key), { force: true });
    return super.delete(key);
  }

  #file(key: string): string {
    return path.join(this.#directory, Buffer.from(key).toString('base64url'));
  }
}

/** The file that is being written. No name of an object has a dot. */
const HALF = 'half.';
