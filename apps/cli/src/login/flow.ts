/** The person's part of the log-in: in the browser of this machine, or anywhere with a PIN. */
import type { ApiResponseError, OAuth } from '@broadside/client';
import { CliError, UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { reasonLines } from '../report.ts';
import { shellWord } from '../text.ts';
import type { AppInUse } from './app.ts';
import { CallbackServer } from './callback-server.ts';
import { forgetPending, keepPending, readPending } from './pending.ts';

/** The grant of the platform: a person's access token. */
export type Granted = Awaited<ReturnType<OAuth['accessToken']>>;

type RequestToken = Awaited<ReturnType<OAuth['requestToken']>>;

/** Context of all steps. */
export interface LogIn {
  readonly io: Io;
  readonly flags: FlagValues;
  readonly app: AppInUse;
  readonly oauth: OAuth;
}

/** A request token lives no longer (reference, auth section 3). */
const PATIENCE_MS = 15 * 60_000;
/** The platform's own limit, after which it discards the request token, is lower than anything guessable. */
const PIN_ATTEMPTS = 3;
const OUT_OF_BAND = 'oob';

/** Signs in through the browser of this machine. @throws CliError when it is cancelled, or rejected */
export async function byBrowser(logIn: LogIn): Promise<Granted> {
  const { io, flags, oauth } = logIn;
  const server = await CallbackServer.listen(io.callbacks);
  try {
    const request = await requestToken(logIn, server.url);
    const url = addressFor(logIn, request);
    await io.stderr.write(`Sign in at this address:\n  ${url}\n`);
    if (io.stdout.isTTY && !flags.on('no-browser')) io.openBrowser(url);
    await io.stderr.write('Waiting for the browser. Is it on another machine? broadside login --headless\n');
    const { oauth_verifier, respond } = await server.arrival(request.oauth_token, PATIENCE_MS);
    if (oauth_verifier === undefined) {
      await respond({ status: 200, title: 'Cancelled', text: 'Nobody was signed in. You can close this window.' });
      throw new CliError('unauthenticated', 'The log-in was cancelled in the browser');
    }
    try {
      const granted = await oauth.accessToken({ ...request, oauth_verifier });
      const text = `The command line is signed in as @${granted.screen_name}. You can close this window.`;
      await respond({ status: 200, title: 'Signed in', text });
      return granted;
    } catch (error) {
      await respond({ status: 502, title: 'Not signed in', text: 'It did not work out. The terminal says why.' });
      throw error;
    }
  } finally {
    server.close();
  }
}

/**
 * Signs in with a PIN. Without a terminal and with nothing on stdin the request token is kept, and `--pin` ends the log-in.
 * @returns `undefined` when the PIN is still to come
 */
export async function byPin(logIn: LogIn): Promise<Granted | undefined> {
  const { io, app } = logIn;
  const request = await requestToken(logIn, OUT_OF_BAND);
  const url = addressFor(logIn, request);
  // The address is what a script needs, so it is alone on stdout.
  await io.stderr.write('Sign in at this address, and read the PIN there:\n');
  await io.stdout.write(`${url}\n`);
  const pin = await askPin(io, 'PIN: ');
  if (pin !== undefined) return exchangePin(logIn, request, pin);
  keepPending(io.env, { base_url: app.base_url, consumer_key: app.consumer_key, ...request });
  await io.stderr.write('Then end the log-in with the PIN: broadside login --pin PIN\n');
  return undefined;
}

/** Ends a log-in that was begun by {@link byPin}. @throws UsageError when there is none for this app */
export async function byLaterPin(logIn: LogIn, given: string): Promise<Granted> {
  const { io, app } = logIn;
  const pending = readPending(io.env);
  if (!pending || pending.base_url !== app.base_url || pending.consumer_key !== app.consumer_key) {
    throw new UsageError(
      pending ? 'The log-in that waits for a PIN is of another app' : 'No log-in waits for a PIN here',
      ['`broadside login --headless` begins one.'],
    );
  }
  const pin = given === '-' ? await askPin(io, 'PIN: ') : bare(given);
  if (pin === undefined || pin === '') throw new UsageError('The PIN is empty');
  const granted = await exchangePin(logIn, pending, pin);
  forgetPending(io.env);
  return granted;
}

async function exchangePin(logIn: LogIn, request: Omit<RequestToken, 'oauth_callback_confirmed'>, pin: string) {
  const { io, oauth } = logIn;
  let oauth_verifier = pin;
  for (let attempt = 1; ; attempt++) {
    try {
      return await oauth.accessToken({ ...request, oauth_verifier });
    } catch (error) {
      const { ApiResponseError } = await import('@broadside/client');
      // 32 for a wrong PIN; 89 says that the request token itself is gone.
      const again = error instanceof ApiResponseError && error.has(32) && io.stdin.isTTY && attempt < PIN_ATTEMPTS;
      const next = again ? await askPin(io, 'That PIN was rejected. PIN: ') : undefined;
      if (next !== undefined) oauth_verifier = next;
      else if (error instanceof ApiResponseError && error.status === 401) throw refusedPin(error, io);
      else throw error;
    }
  }
}

function refusedPin(error: ApiResponseError, { env }: Io): CliError {
  const over = error.has(89);
  if (over) forgetPending(env);
  return new CliError(
    'unauthenticated',
    over ? 'The log-in is over, so its PIN counts no more' : 'The PIN was rejected',
    [
      ...reasonLines(error.errors),
      over
        ? '`broadside login --headless` begins anew.'
        : 'Look at it again, or begin anew with `broadside login --headless`.',
    ],
  );
}

async function askPin({ stdin, stderr }: Io, question: string): Promise<string | undefined> {
  for (;;) {
    if (stdin.isTTY) await stderr.write(question);
    const line = await stdin.line();
    const pin = line && bare(line);
    if (line === undefined || pin) return pin;
  }
}

/** A PIN as people copy it: in groups, perhaps with blanks around. */
function bare(text: string): string {
  return text.replace(/[\s-]/g, '');
}

function addressFor({ flags, oauth }: LogIn, { oauth_token }: RequestToken): string {
  const screen_name = flags.text('screen-name')?.replace(/^@/, '');
  return oauth.authorizeUrl({
    oauth_token,
    ...(flags.on('force-login') ? { force_login: true } : {}),
    ...(screen_name ? { screen_name } : {}),
  });
}

async function requestToken({ io, flags, app, oauth }: LogIn, oauth_callback: string): Promise<RequestToken> {
  try {
    return await oauth.requestToken({
      oauth_callback,
      ...(flags.on('read-only') ? { platform_auth_access_type: 'read' } : {}),
    });
  } catch (error) {
    const { ApiResponseError } = await import('@broadside/client');
    throw error instanceof ApiResponseError ? (explained(error, app, io.callbacks) ?? error) : error;
  }
}

/** Returns the remedy for a rejection that a setting of the app causes. */
function explained(error: ApiResponseError, app: AppInUse, callbacks: readonly string[]): CliError | undefined {
  const update = `broadside admin apps update --consumer-key ${shellWord(app.consumer_key)}`;
  if (error.has(415)) {
    return new CliError('refused', 'The app does not allow callbacks to this machine (415)', [
      '`broadside login --headless` signs in with a PIN. Or add these to the callback URLs of the app; the list replaces the one before, so name the others too:',
      `${update} ${callbacks.map((url) => `--callback-urls ${shellWord(url)}`).join(' ')}`,
    ]);
  }
  if (error.has(417)) {
    return new CliError('refused', 'The app does not allow PINs (417)', [
      '`broadside login` signs in by the browser of this machine. Or allow PINs:',
      `${update} --oob-enabled`,
    ]);
  }
  return error.has(416) ? new CliError('refused', 'The app is suspended (416)') : undefined;
}
