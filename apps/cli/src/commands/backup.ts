/** `broadside backup`: makes, lists, verifies and restores backups of a data directory. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { operatorContract } from '@broadside/core';
import type { BackupCall, BackupManifest, BackupProgress } from '@broadside/server/backup';
import type { Command, Group, Invocation, Positional } from '../command.ts';
import { CliError, UsageError } from '../errors.ts';
import type { Flag } from '../flag.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { prettyJson } from '../json.ts';
import { callProcedure } from '../operator/call-procedure.ts';
import { demandProof } from '../operator/proof.ts';
import { findRunningServer, type OperatedServer } from '../operator/running-server.ts';
import { painter } from '../paint.ts';
import { ProgressBar } from '../progress-bar.ts';
import { dataDirectory, dataDirFlag } from '../server-state.ts';
import { pairs } from '../table.ts';
import { grouped, printable } from '../text.ts';

const operations = operatorContract.admin.backups;

const place: Positional = {
  name: 'place',
  description: 'A directory, or s3://bucket/prefix. Default: BROADSIDE_BACKUP_URL.',
  required: false,
  completes: 'directory',
};
const backupFlag: Flag = {
  name: 'backup',
  kind: 'text',
  hint: 'id',
  description: 'The backup. Default: the latest one.',
};
const jsonFlag: Flag = { name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' };
const output = { title: 'Output', flags: [jsonFlag] };

const secretFacts = [
  ['BROADSIDE_BACKUP_PASSPHRASE', 'Seals keys and credentials, and opens them.'],
  ['BROADSIDE_BACKUP_ACCESS_KEY_ID', 'With BROADSIDE_BACKUP_SECRET_ACCESS_KEY: the credentials of an object store.'],
] as const;

const create: Command = {
  kind: 'command',
  words: ['backup', 'create'],
  summary: 'Back up a platform: all stores, members of audiences and media, of one instant',
  description:
    'The server on the data directory makes it if one runs, and goes on serving; the place is then as the machine and the settings of the server have it. Otherwise this command makes it. Media that the place has already are not copied again. The backup appears as a whole, or not at all.',
  positionals: [place],
  sections: [
    {
      title: 'Contents',
      flags: [
        { name: 'worlds', kind: 'boolean', hint: '', description: 'Other worlds too.' },
        { name: 'snapshots', kind: 'boolean', hint: '', description: 'Snapshots too, and how worlds began.' },
        {
          name: 'keep',
          kind: 'text',
          hint: 'n',
          description: 'Removes older backups beyond so many, once this one is there. Default: none is removed.',
        },
      ],
    },
    {
      title: 'Platform',
      flags: [
        dataDirFlag,
        {
          name: 'base-url',
          kind: 'text',
          hint: 'url',
          description: 'The address of the server, where it does not run on this data directory.',
        },
      ],
    },
    output,
  ],
  facts: secretFacts,
  examples: [
    { line: 'broadside backup create /backups/broadside --keep 14' },
    { line: 'broadside backup create --json' },
  ],
  run: runCreate,
};

const list: Command = {
  kind: 'command',
  words: ['backup', 'list'],
  summary: 'List the backups of a place, the oldest first',
  positionals: [place],
  sections: [output],
  facts: secretFacts.slice(1),
  examples: [{ line: 'broadside backup list /backups/broadside' }],
  run: runList,
};

const verify: Command = {
  kind: 'command',
  words: ['backup', 'verify'],
  summary: 'Verify that a backup can be restored',
  description:
    'Reads all of it: each part has to have its checksum, the stores have to be whole, and media that posts and advertising refer to have to be there. Ends with 1 where something is wrong.',
  positionals: [place],
  sections: [{ title: 'Backup', flags: [backupFlag] }, output],
  facts: secretFacts,
  examples: [{ line: 'broadside backup verify /backups/broadside' }],
  run: runVerify,
};

const restore: Command = {
  kind: 'command',
  words: ['backup', 'restore'],
  summary: 'Restore a backup into an empty data directory, and onto servers of stores',
  description:
    'On any machine, and by this version of the server or a later one than that of the backup. The directory has all of it afterwards, or nothing. Stores and shards go where the settings of the server say (BROADSIDE_DATABASE_URL, BROADSIDE_ADS_SHARDS and so on): into empty stores on libSQL servers, and otherwise into files of the directory. Media go where BROADSIDE_MEDIA_URL says, and otherwise into the directory. When it was cut off, repeat it.',
  positionals: [place],
  sections: [
    { title: 'Backup', flags: [backupFlag] },
    {
      title: 'Place',
      flags: [
        dataDirFlag,
        {
          name: 'without-keys',
          kind: 'boolean',
          hint: '',
          description: 'Leaves out what is sealed; put secret.key there by hand.',
        },
      ],
    },
    output,
  ],
  facts: secretFacts,
  examples: [{ line: 'broadside backup restore /backups/broadside --data-dir ./restored' }],
  run: runRestore,
};

/** `broadside backup`. */
export const backupGroup: Group = {
  kind: 'group',
  words: ['backup'],
  summary: 'Back up, verify and restore a platform',
  children: new Map([create, list, verify, restore].map((command) => [command.words.at(-1) ?? '', command])),
};

async function runCreate({ io, flags, words }: Invocation): Promise<void> {
  const text = flags.text('keep');
  const keep = text === undefined ? undefined : /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (keep === 0) throw new UsageError(`--keep is a whole number of backups, 1 or more, not "${text}"`);
  const order = {
    worlds: flags.on('worlds'),
    snapshots: flags.on('snapshots'),
    ...(keep === undefined ? {} : { keep }),
  };
  const server = await findRunningServer(io, flags, {
    purpose: 'with which a server that runs is backed up',
    otherwise: 'Or stop the server, and back up its data directory.',
  });
  const made = await withProgress(io, flags, (show) =>
    server ? byServer(io, server, { ...order, to: placeOf(io, words) }, show) : offline(io, flags, words, order, show),
  );
  if (flags.on('json')) return void (await io.stdout.write(`${prettyJson(made)}\n`));
  const { backup, removed, new_media } = made;
  await print(io, [
    ['backup', backup.id],
    ['place', made.place],
    ['instant', backup.instant],
    ['size', `${grouped(Number(backup.bytes))} bytes`],
    ['media', `${grouped(backup.media)}, ${grouped(new_media)} of them new`],
    ...removed.map((id): [string, string] => ['removed', id]),
  ]);
  if (backup.has_keys) return;
  await io.stderr.write(
    'Left out: secret.key, credentials and the operator token. Without secret.key all tokens and apps of a restored platform are of no use.\nKeep it elsewhere, or set BROADSIDE_BACKUP_PASSPHRASE, under which it is sealed in the backup.\n',
  );
}

interface Made {
  readonly place: string;
  readonly backup: NonNullable<ReturnType<typeof operations.get.data.parse>['backup']>;
  readonly new_media: number;
  readonly removed: readonly string[];
}

/** Milliseconds between questions how far a backup is. */
const ASK_MS = 250;

async function byServer(
  io: Io,
  { address, token }: OperatedServer,
  order: Readonly<Record<string, unknown>>,
  show: (progress: BackupProgress) => void,
): Promise<Made> {
  await demandProof(io, address, token);
  const target = { io, baseUrl: address.baseUrl, token: token.token };
  const begun = await callProcedure(operations.create, order, target).catch((error) => {
    throw isWithoutPlace(error) ? new UsageError(error.details.errors?.[0]?.message ?? error.message) : error;
  });
  let ordered = operations.create.data.parse(begun);
  while (ordered.state === 'RUNNING') {
    await (io.sleep?.(ASK_MS, undefined) ?? delay(ASK_MS));
    ordered = operations.get.data.parse(await callProcedure(operations.get, { number: ordered.number }, target));
    show({ done: Number(ordered.bytes_done), total: Number(ordered.bytes_total) });
  }
  const { backup, reason, place: at, new_media, removed } = ordered;
  if (!backup) throw new CliError('refused', `There is no backup: ${printable(reason ?? 'it failed')}`);
  return { place: at, backup, new_media, removed };
}

/** Returns whether a server has rejected a backup because nobody has named a place. */
function isWithoutPlace(error: unknown): error is CliError {
  return error instanceof CliError && (error.details.errors ?? []).some(({ code }) => code === 'MISSING_PARAMETER');
}

async function offline(
  io: Io,
  flags: FlagValues,
  words: readonly string[],
  order: { readonly worlds: boolean; readonly snapshots: boolean; readonly keep?: number },
  onProgress: (progress: BackupProgress) => void,
): Promise<Made> {
  const library = await import('@broadside/server/backup');
  const call = await callOf(io, flags, words, onProgress);
  const made = await refusing(() => library.createOffline(call, { keep: undefined, ...order }));
  return {
    place: made.place,
    backup: shown(made.manifest, library.bytesOf),
    new_media: made.new_media,
    removed: made.removed,
  };
}

async function runList({ io, flags, words }: Invocation): Promise<void> {
  const library = await import('@broadside/server/backup');
  const found = await refusing(async () => library.listBackups(await callOf(io, flags, words)));
  const backups = found.flatMap((one) => (typeof one === 'string' ? [] : [shown(one, library.bytesOf)]));
  if (flags.on('json')) await io.stdout.write(`${prettyJson(backups)}\n`);
  else
    for (const { id, bytes, media, has_keys, product_version } of backups) {
      const keys = has_keys ? 'with keys' : 'without keys';
      await io.stdout.write(
        `${id}  ${grouped(Number(bytes))} bytes, ${grouped(media)} media, ${keys}, version ${printable(product_version)}\n`,
      );
    }
  if (found.length === 0 && !flags.on('json')) await io.stderr.write('There is no backup there.\n');
  const unreadable = found.filter((one) => typeof one === 'string');
  if (unreadable.length > 0) throw new CliError('refused', 'Some backups cannot be read', unreadable.map(printable));
}

async function runVerify({ io, flags, words }: Invocation): Promise<void> {
  const library = await import('@broadside/server/backup');
  const { manifest, problems } = await withProgress(io, flags, (show) =>
    refusing(async () => library.verify(await callOf(io, flags, words, show), flags.text('backup'))),
  );
  if (flags.on('json')) await io.stdout.write(`${prettyJson({ ...shown(manifest, library.bytesOf), problems })}\n`);
  else if (problems.length === 0)
    await print(io, [
      ['backup', manifest.id],
      ['verified', `${grouped(library.bytesOf(manifest))} bytes, all as they were written`],
    ]);
  if (problems.length > 0)
    throw new CliError('refused', `The backup ${manifest.id} cannot be relied on`, problems.map(printable));
}

async function runRestore({ io, flags, words }: Invocation): Promise<void> {
  const library = await import('@broadside/server/backup');
  const directory = await dataDirectory(io, flags);
  const { manifest, secrets, settings, servers } = await withProgress(io, flags, (show) =>
    refusing(async () =>
      library.restore(await callOf(io, flags, words, show), {
        id: flags.text('backup'),
        withoutKeys: flags.on('without-keys'),
      }),
    ),
  );
  const backup = shown(manifest, library.bytesOf);
  if (flags.on('json')) {
    const restored = { ...backup, data_directory: directory, secrets, settings, stores_on_servers: servers };
    return void (await io.stdout.write(`${prettyJson(restored)}\n`));
  }
  await print(io, [
    ['backup', manifest.id],
    ['instant', backup.instant],
    ['data_directory', directory],
    ...servers.map((name): [string, string] => ['on a server', name]),
  ]);
  const hasKey = secrets.includes('secret.key');
  const next = [
    ...(hasKey
      ? []
      : [
          `Before the first start, put secret.key of the platform into ${printable(directory)}, or set BROADSIDE_SECRET_KEY.`,
        ]),
    ...Object.entries(settings).map(([name, value]) => `Its shards are files there: set ${name}=${printable(value)}`),
    ...(servers.includes('platform')
      ? [
          'Start on this directory first, as the worker if there is one: it has the members of audiences.',
          'Then start other servers on empty directories, with its secret.key. All take these settings of stores and shards, and an empty Redis.',
        ]
      : []),
    `Start with: broadside start --data-dir ${printable(directory)}`,
    'Settings are not in a backup: set BROADSIDE_BASE_URL and the others as they were.',
  ];
  await io.stderr.write(`${next.join('\n')}\n`);
}

function shown(manifest: BackupManifest, bytesOf: (manifest: BackupManifest) => number): Made['backup'] {
  const { id, instant_ms, product_version, worlds, sealed } = manifest;
  return {
    id,
    instant: `${new Date(instant_ms).toISOString().slice(0, 19)}Z`,
    product_version,
    worlds: worlds.length,
    media: worlds.reduce((sum, { media }) => sum + media.length, 0),
    bytes: BigInt(bytesOf(manifest)),
    has_keys: sealed !== null,
  };
}

/** The place as it is named, with a directory as an absolute path. */
function placeOf(io: Pick<Io, 'cwd'>, [word]: readonly string[]): string | undefined {
  return word === undefined || /^[a-z][a-z0-9+.-]+:\/\//i.test(word) ? word : path.resolve(io.cwd, word);
}

async function callOf(
  io: Io,
  flags: FlagValues,
  words: readonly string[],
  onProgress: (progress: BackupProgress) => void = () => {},
): Promise<BackupCall> {
  return { env: io.env, dataDirectory: await dataDirectory(io, flags), at: placeOf(io, words), onProgress };
}

async function withProgress<Result>(
  io: Io,
  flags: FlagValues,
  work: (show: (progress: BackupProgress) => void) => Promise<Result>,
): Promise<Result> {
  const bar = new ProgressBar(io.stderr, () => performance.now());
  const isShown = io.stderr.isTTY && !flags.on('json');
  try {
    return await work(({ done, total }) => {
      if (isShown) bar.show({ done, total, note: `${(done / 1e6).toFixed(1)} MB` });
    });
  } finally {
    await bar.end();
  }
}

async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  const { BackupRefusedError } = await import('@broadside/server/backup');
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BackupRefusedError)) throw error;
    const exit = error.missing === 'backup' ? 'notFound' : error.missing === 'place' ? 'usage' : 'refused';
    throw new CliError(exit, printable(error.message), [], error);
  }
}

async function print(io: Io, rows: readonly (readonly [string, string])[]): Promise<void> {
  const { isTTY, columns } = io.stdout;
  const safe = rows.map(([name, value]) => [name, printable(value)] as const);
  await io.stdout.write(pairs(safe, painter(io.stdout, io.env), isTTY ? columns : undefined));
}
