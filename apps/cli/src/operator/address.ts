/** The platform that the operator's commands are for, by the settings of its server. */
import path from 'node:path';
import { type FoundCredentials, isChosen, platformOf } from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';

/** An address, and where it is from. */
export interface FoundAddress {
  readonly baseUrl: string;
  readonly because: string;
}

/** The flags and settings that decide the address, for help. */
export const addressDefault =
  'by the settings of its server (BROADSIDE_BASE_URL, BROADSIDE_DATA_DIR, BROADSIDE_HOST, BROADSIDE_API_PORT), or that of the credentials';

/** Finds the address. The server's own settings count, since the command often stands beside the server's in a script. */
export async function findAddress(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  flags: FlagValues,
  inUse: FoundCredentials | undefined,
): Promise<FoundAddress> {
  const found = platformOf(inUse);
  const flag = flags.text('base-url');
  if (flag !== undefined) return { baseUrl: checked(flag), because: '--base-url' };
  const { ConfigError, dataDirectoryOf, findServer, readAddresses, urlsOf } = await import('@broadside/server/place');
  try {
    const addresses = readAddresses(env);
    if (addresses.baseUrls.api) return { baseUrl: addresses.baseUrls.api, because: 'BROADSIDE_BASE_URL' };
    const credentials = baseUrlOf(found);
    if (credentials && found && isChosen(found)) return { baseUrl: credentials, because: found.because };
    const directory = found && !isChosen(found) ? path.dirname(found.file) : dataDirectoryOf(env, cwd);
    const server = findServer(directory);
    if (server?.isHere && server.local_urls)
      return {
        baseUrl: operatorUrlOf(server.local_urls, server.urls),
        because: `the server that runs on ${directory}`,
      };
    const own = urlsOf(addresses).api;
    const isSet = Boolean(env['BROADSIDE_HOST'] || env['BROADSIDE_API_PORT']);
    if (own && isSet) return { baseUrl: own, because: 'BROADSIDE_HOST and BROADSIDE_API_PORT' };
    if (credentials && found) return { baseUrl: credentials, because: found.file };
    return { baseUrl: own ?? 'http://127.0.0.1:8000', because: 'the default' };
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

/** Finds the address of the listener that controls worlds: that of the server that runs on the data directory, or by its settings. */
export async function findControlAddress(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  flags: FlagValues,
  inUse: FoundCredentials | undefined,
): Promise<FoundAddress> {
  const found = platformOf(inUse);
  const flag = flags.text('base-url');
  if (flag !== undefined) return { baseUrl: checked(flag), because: '--base-url' };
  const given = env['BROADSIDE_CONTROL_URL'];
  if (given) return { baseUrl: checked(given, 'BROADSIDE_CONTROL_URL'), because: 'BROADSIDE_CONTROL_URL' };
  const { ConfigError, dataDirectoryOf, findServer, hostInUrl, readAddresses, schemeOf } = await import(
    '@broadside/server/place'
  );
  try {
    const { control, tls } = readAddresses(env);
    const directory = found && !isChosen(found) ? path.dirname(found.file) : dataDirectoryOf(env, cwd);
    const server = findServer(directory);
    if (server?.isHere && server.control_url !== undefined) {
      return { baseUrl: server.control_url, because: 'the server that runs on the data directory' };
    }
    if (server?.isHere && server.local_urls) {
      throw new CliError('unavailable', `The server on ${directory} has its control closed`, [
        'Start it with BROADSIDE_CONTROL=1; in production mode it is closed otherwise.',
        'One that shares its state with others (BROADSIDE_SHARED_URL) has no control: make worlds on a server of their own.',
      ]);
    }
    const because = env['BROADSIDE_CONTROL_PORT'] ? 'BROADSIDE_CONTROL_PORT' : 'the default';
    return { baseUrl: `${schemeOf(tls, 'control')}://${hostInUrl(control.host)}:${control.port}`, because };
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

/**
 * The address at which an operator on this machine reaches a server: that of the listener itself, or with TLS the public one, whose name the
 * certificate has.
 */
export function operatorUrlOf(local: { readonly api: string }, urls: { readonly api: string } = local): string {
  return local.api.startsWith('https:') ? urls.api : local.api;
}

function baseUrlOf(found: FoundCredentials | undefined): string | undefined {
  const url = found?.values['base_url'];
  return url === undefined ? undefined : url.replace(/\/+$/, '');
}

function checked(text: string, name = '--base-url'): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, '');
  throw new UsageError(`${name} is "${text}"; it is a URL such as http://127.0.0.1:8000`);
}
