/** Backups that a running server makes, one at a time. */
import path from 'node:path';
import type { BackupSettings } from '../config/backup-settings.ts';
import { RemoteStoreError } from '../copies/copy-stores.ts';
import { dataNames } from '../data-names.ts';
import { errorText } from '../error-text.ts';
import { randomText, systemRandom } from '../world/random.ts';
import { DEFAULT_ID, type HostedServices } from '../worlds/host-options.ts';
import type { SnapshotFile } from '../worlds/snapshots.ts';
import type { WorldHost } from '../worlds/world-host.ts';
import { type BackupProgress, createBackup, type MadeBackup } from './create-backup.ts';
import { BackupError, NoPlaceError } from './manifest.ts';
import { openPlace } from './open-place.ts';
import { closedSource, openSource, type WorldSource } from './world-source.ts';

/** What a backup is to have and where it goes. */
export interface BackupOrder {
  /** A directory or `s3://` URL; that of the settings when left out. */
  readonly to: string | undefined;
  /** Other worlds too. */
  readonly worlds: boolean;
  /** Snapshots too, and how worlds began. */
  readonly snapshots: boolean;
  readonly keep?: number | undefined;
}

/** A backup that was ordered, since the server was started. */
export interface OrderedBackup {
  readonly number: number;
  readonly place: string;
  readonly progress: BackupProgress;
  readonly outcome:
    | { readonly state: 'RUNNING' }
    | { readonly state: 'SUCCEEDED'; readonly made: MadeBackup }
    | { readonly state: 'FAILED'; readonly reason: string };
}

/** Another backup is being made. */
export class BackupUnderWayError extends Error {
  override readonly name = 'BackupUnderWayError';
}

interface Surroundings {
  readonly dataDirectory: string;
  readonly settings: BackupSettings;
  /** The worlds of the server, which are there when a backup is ordered. */
  readonly host: () => WorldHost<HostedServices>;
  readonly now: () => number;
  /** The operator's token, if there is one. */
  readonly token: string | undefined;
  /** Is told of what failed for no reason that an operator could do something about. */
  readonly failed: (error: unknown) => void;
}

type Changing = { -readonly [Name in keyof OrderedBackup]: OrderedBackup[Name] };

/** Backups that are remembered. */
const REMEMBERED = 20;

export class RunningBackups {
  readonly #surroundings: Surroundings;
  readonly #ordered = new Map<number, Changing>();
  #last = 0;
  #running: Promise<void> | undefined;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** The place of an order. @throws NoPlaceError where none is named; BackupError where it cannot be used */
  placeOf(to: string | undefined) {
    const { settings } = this.#surroundings;
    const text = to ?? settings.url;
    if (text === undefined) {
      throw new NoPlaceError('Name a directory or an s3:// URL for the backup, or set BROADSIDE_BACKUP_URL.');
    }
    return openPlace(text, settings.credentials);
  }

  /**
   * Begins a backup.
   * @throws BackupError where the place cannot be used; BackupUnderWayError while another one is made
   */
  begin(order: BackupOrder): OrderedBackup {
    if (this.#running) throw new BackupUnderWayError('Another backup is being made.');
    const place = this.placeOf(order.to);
    const number = ++this.#last;
    const ordered: Changing = {
      number,
      place: place.label,
      progress: { done: 0, total: 0 },
      outcome: { state: 'RUNNING' },
    };
    this.#ordered.set(number, ordered);
    this.#ordered.delete(number - REMEMBERED);
    this.#running = this.#run(order, ordered).finally(() => {
      this.#running = undefined;
    });
    return ordered;
  }

  /** Finds a backup that was ordered. */
  get(number: number): OrderedBackup | undefined {
    return this.#ordered.get(number);
  }

  /** Waits for the backup that is being made. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #run(order: BackupOrder, ordered: Changing): Promise<void> {
    const { dataDirectory, settings, now, token, failed } = this.#surroundings;
    try {
      const made = await createBackup({
        place: this.placeOf(order.to),
        sources: this.#sources(order),
        // Below the directory of exports, which a start removes.
        scratch: path.join(dataDirectory, dataNames.exports, `backup-${randomText(systemRandom, 8)}`),
        passphrase: settings.passphrase,
        secrets: token === undefined ? {} : { [dataNames.operatorToken]: `${token}\n` },
        keep: order.keep,
        now,
        onProgress: (progress) => {
          ordered.progress = progress;
        },
      });
      ordered.outcome = { state: 'SUCCEEDED', made };
    } catch (error) {
      ordered.outcome = { state: 'FAILED', reason: errorText(error) };
      if (!(error instanceof BackupError || error instanceof RemoteStoreError)) failed(error);
    }
  }

  async *#sources({ worlds, snapshots }: BackupOrder): AsyncGenerator<WorldSource> {
    const { dataDirectory } = this.#surroundings;
    const host = this.#surroundings.host();
    const ids = worlds ? host.list().map(({ id }) => id) : [DEFAULT_ID];
    for (const id of ids) yield this.#world(id);
    if (!snapshots) return;
    for (const id of ids) {
      const origin = host.snapshots.originOf(id);
      if (host.snapshots.hasOrigin(id)) yield closedSource(placeIn(dataDirectory, origin), origin, undefined);
      for (const snapshot of host.snapshots.list(id)) yield this.#snapshot(snapshot);
    }
  }

  #world(id: string): WorldSource {
    const { dataDirectory } = this.#surroundings;
    const host = this.#surroundings.host();
    const place = id === DEFAULT_ID ? '' : `worlds/${id}`;
    return {
      path: place,
      async copied(target, work) {
        const found = await host.use(id, async ({ world }) => {
          await openSource(place, path.join(dataDirectory, place), world).copied(target, work);
          return true;
        });
        if (!found) throw new BackupError(`The world ${id} was deleted while it was backed up.`);
      },
    };
  }

  #snapshot(snapshot: SnapshotFile): WorldSource {
    const host = this.#surroundings.host();
    return {
      path: `snapshots/${snapshot.world_id}/${snapshot.id}`,
      copied: (target, work) =>
        host.snapshots.read(snapshot, (directory) => closedSource('', directory, undefined).copied(target, work)),
    };
  }
}

function placeIn(dataDirectory: string, directory: string): string {
  return path.relative(dataDirectory, directory).split(path.sep).join('/');
}
