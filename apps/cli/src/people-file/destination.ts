/** The lists that people of a file are uploaded to. */
import type {
  AudienceRows,
  AudienceUploadOptions,
  AudienceUploadReport,
  Client,
  DoNotReachListUploadOptions,
} from '@broadside/client';
import { UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { clientOptions, openSession } from '../session.ts';

/** A family of lists. */
export type ListFamily = 'custom-audiences' | 'do-not-reach-lists';

/** The list, as far as it is known. */
export interface ListNow {
  /** Null while it is not known, and while it is too small to be reported. */
  readonly size: number | null;
  readonly targetable: boolean;
  readonly reasons_not_targetable: readonly string[];
}

/** A list, and the way to it. */
export interface Destination {
  /** The name of its size in JSON. */
  readonly size_name: 'audience_size' | 'list_size';
  /** Tells it from all other lists. */
  readonly name: readonly string[];
  upload(rows: AudienceRows, options: AudienceUploadOptions): Promise<AudienceUploadReport>;
  read(signal: AbortSignal): Promise<ListNow>;
}

type Ids = readonly [account_id: string, id: string];

const destinations: Readonly<Record<ListFamily, (client: Client, ids: Ids) => Omit<Destination, 'name'>>> = {
  'custom-audiences': (client, [account_id, custom_audience_id]) => ({
    size_name: 'audience_size',
    upload: (rows, options) => client.custom_audiences.upload(rows, { ...options, account_id, custom_audience_id }),
    read: async (signal) => {
      const audience = await client.custom_audiences.get({ account_id, custom_audience_id }, { signal });
      return { ...audience, size: audience.audience_size };
    },
  }),
  'do-not-reach-lists': (client, [account_id, do_not_reach_list_id]) => ({
    size_name: 'list_size',
    upload: (rows, { effective_at: _none, ...options }) => {
      const all: DoNotReachListUploadOptions = { ...options, account_id, do_not_reach_list_id };
      return client.do_not_reach_lists.upload(rows, all);
    },
    read: async (signal) => {
      const lists = await client.do_not_reach_lists.list({ account_id }, { signal });
      const list = lists.find(({ id }) => id === do_not_reach_list_id);
      if (!list) return { size: null, targetable: false, reasons_not_targetable: [] };
      return { ...list, size: list.list_size };
    },
  }),
};

/** A dry run works without a server, and without knowing a list. */
export async function nowhere(io: Io, family: ListFamily): Promise<Destination> {
  const { createClient } = await import('@broadside/client');
  return { ...destinations[family](createClient({}, clientOptions(io)), ['0', '0']), name: [] };
}

/** The list that the flags name. @throws UsageError */
export async function destinationOf(io: Io, flags: FlagValues, family: ListFamily): Promise<Destination> {
  const session = await openSession(io, flags);
  const { client, credentials, environment } = session;
  const account_id = flags.text('account-id') ?? session.account_id;
  const isOnly = family === 'do-not-reach-lists';
  const id = flags.text('id') ?? (isOnly && account_id ? await onlyList(client, account_id) : undefined);
  const missing = [
    ...(id ? [] : ['--id <id>']),
    ...(account_id ? [] : ['--account-id <id> (the credentials in use name no default account)']),
  ];
  if (!id || !account_id) {
    throw new UsageError(missing.length === 1 ? 'A required flag is missing:' : 'Required flags are missing:', [
      ...missing,
      `broadside ${family} upload --help describes them.`,
    ]);
  }
  const server = [
    environment,
    credentials.values['ads_base_url'] ?? '',
    credentials.values['ads_sandbox_base_url'] ?? '',
  ];
  return { ...destinations[family](client, [account_id, id]), name: [family, ...server, account_id, id] };
}

/** An account has one do-not-reach list. @throws UsageError when it has none */
async function onlyList(client: Client, account_id: string): Promise<string> {
  const [list] = await client.do_not_reach_lists.list({ account_id });
  if (list) return list.id;
  throw new UsageError('The account has no do-not-reach list', ['broadside do-not-reach-lists create makes it.']);
}
