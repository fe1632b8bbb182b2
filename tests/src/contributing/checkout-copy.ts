/** A copy of the checkout that a test may change: its sources, and the dependencies by links. */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { environment, execute, root } from '../../../tooling/scripts/toolchain.mjs';

/** Outcome of a command. */
export interface Outcome {
  readonly code: number | null;
  /** Both streams, without colours. */
  readonly output: string;
}

export class CheckoutCopy implements Disposable {
  readonly folder = mkdtempSync(path.join(root, 'tests/.contributing-'));
  readonly #copied: ReadonlySet<string>;

  constructor() {
    const { stdout } = execute('git', ['ls-files', '--cached', '--others', '--exclude-standard', ':!docs']);
    const names = stdout.split('\n').filter((name) => name !== '');
    this.#copied = new Set(names.filter((name) => existsSync(path.join(root, name))));
    for (const file of this.#copied) cpSync(path.join(root, file), this.at(file));
    const manifests = names.filter((file) => path.basename(file) === 'package.json');
    for (const file of manifests) this.#linkDependencies(path.dirname(file));
  }

  /** The place of a file of the checkout. */
  at(file: string): string {
    return path.join(this.folder, file);
  }

  read(file: string): string {
    return readFileSync(this.at(file), 'utf8');
  }

  write(file: string, text: string): void {
    mkdirSync(path.dirname(this.at(file)), { recursive: true });
    writeFileSync(this.at(file), text);
  }

  /** The files of a folder, or the file itself, relative to the checkout. */
  files(place: string): string[] {
    if (path.extname(place) !== '') return [place];
    return readdirSync(this.at(place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)));
  }

  /** The files that are not as in the checkout, or are not there, without those of tools and dependencies. */
  changes(): string[] {
    const found = globSync(['**', '**/.*', '**/.*/**'], {
      cwd: this.folder,
      exclude: ({ name }) => name === 'node_modules' || name === '.git',
      withFileTypes: true,
    });
    const added = found
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
      .filter((file) => !this.#copied.has(file));
    const isChanged = (file: string) =>
      !existsSync(this.at(file)) || !readFileSync(this.at(file)).equals(readFileSync(path.join(root, file)));
    return [...added, ...[...this.#copied].filter(isChanged)];
  }

  /** Keeps the present state of a folder. @returns where */
  keep(place: string): string {
    const kept = path.join('.git/kept', place);
    cpSync(this.at(place), this.at(kept), { recursive: true });
    return kept;
  }

  /** Takes a file or folder away for as long as something runs, and puts another in its place if given. */
  async without<Result>(place: string, run: () => Promise<Result>, instead?: string): Promise<Result> {
    const aside = this.at(path.join('.git/aside', place));
    mkdirSync(path.dirname(aside), { recursive: true });
    renameSync(this.at(place), aside);
    if (instead !== undefined) cpSync(this.at(instead), this.at(place), { recursive: true });
    try {
      return await run();
    } finally {
      rmSync(this.at(place), { recursive: true, force: true });
      renameSync(aside, this.at(place));
    }
  }

  /** Changes a file for as long as something runs. */
  async changing<Result>(file: string, change: (text: string) => string, run: () => Promise<Result>): Promise<Result> {
    const before = this.read(file);
    this.write(file, change(before));
    try {
      return await run();
    } finally {
      this.write(file, before);
    }
  }

  /** Runs one of the repository's tools. */
  async run(command: string, args: readonly string[], folder = '.'): Promise<Outcome> {
    // The copy has no build, which tests use in CI.
    const settings = Object.entries({ ...environment(), NO_COLOR: '1' }).filter(
      ([name]) => !/^(VITEST|CI$)/.test(name),
    );
    const child = spawn(command, args, {
      cwd: this.at(folder),
      env: Object.fromEntries(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    return { code, output };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Links what is installed, without what tools keep of the checkout there, and the packages of the workspace to their copies. */
  #linkDependencies(folder: string): void {
    const installed = path.join(root, folder, 'node_modules');
    if (!existsSync(installed)) return;
    const linked = this.at(path.join(folder, 'node_modules'));
    mkdirSync(path.join(linked, '@broadside'), { recursive: true });
    const others = readdirSync(installed).filter((entry) => !['@broadside', '.vite', '.vitest-cache'].includes(entry));
    for (const name of others) {
      symlinkSync(path.join(installed, name), path.join(linked, name));
    }
    if (!existsSync(path.join(installed, '@broadside'))) return;
    for (const name of readdirSync(path.join(installed, '@broadside'))) {
      const own = path.relative(realpathSync(root), realpathSync(path.join(installed, '@broadside', name)));
      symlinkSync(this.at(own), path.join(linked, '@broadside', name));
    }
  }
}
