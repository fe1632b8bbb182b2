/** `broadside doctor`: explains why a request was rejected, without contacting any server. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { coveredParameters, type Hmac, parseRequest, type ReceivedRequest } from '@broadside/core/auth';
import type { AddressHeaders, Explanation } from '@broadside/core/doctor';
import type { Command, Group, Invocation } from '../command.ts';
import { connectionFlags } from '../credentials.ts';
import { headerOf, type PastedRequest, PasteError } from '../doctor/pasted.ts';
import { readPaste } from '../doctor/read-paste.ts';
import { renderExplanation } from '../doctor/render.ts';
import {
  type ChosenSecrets,
  chooseSecrets,
  type KnownCredentials,
  knownCredentials,
  secretVariables,
} from '../doctor/secrets.ts';
import { CliError, messageOf, UsageError } from '../errors.ts';
import type { FlagValues } from '../flags.ts';
import type { Io } from '../io.ts';
import { prettyJson } from '../json.ts';
import { painter } from '../paint.ts';
import { pairs } from '../table.ts';
import { printable } from '../text.ts';
import { hash } from './doctor-hash.ts';

const SCHEMES = ['http', 'https'] as const;
const ADDRESSES = ['base_url', 'ads_base_url', 'ads_sandbox_base_url'] as const;

const signature: Command = {
  kind: 'command',
  words: ['doctor', 'signature'],
  summary: 'Explain why the signature of a request was rejected',
  description:
    'Takes a request as a curl command line, as the text of an HTTP request, or as JSON with method, url, headers and body. Rebuilds what was signed under a table of known mistakes, and names the one under which the signature fits. Asks no server. Secrets come from the credentials and profiles on this machine that have the key and the token of the request. Whether the time is right is judged when --at says so. Exit code 0 when the signature is right, 7 when it is explained why not, 8 when it is not explained.',
  positionals: [
    {
      name: 'file',
      description: 'Holds the request. Without one, or with -, it is read from stdin: paste it and end with Ctrl-D.',
      required: false,
      completes: 'file',
    },
  ],
  sections: [
    {
      title: 'Request',
      flags: [
        {
          name: 'base-url',
          kind: 'text',
          hint: 'url',
          description: 'Public address of the server, where the request went to another one, such as behind a proxy.',
        },
        {
          name: 'scheme',
          kind: 'text',
          hint: SCHEMES.join('|'),
          values: SCHEMES,
          description: 'Of a request whose text does not say it. Default: https, and http on this machine.',
        },
        {
          name: 'at',
          kind: 'text',
          hint: 'time',
          description:
            "The server's time: now, a date with an offset, or seconds since 1970. Default: that of the request.",
        },
      ],
    },
    {
      title: 'Secrets',
      flags: [
        {
          name: 'consumer-secret',
          kind: 'text',
          hint: 'secret',
          description: `- asks for it. Others can see what a command line holds: ${secretVariables.consumer} is safer.`,
        },
        {
          name: 'token-secret',
          kind: 'text',
          hint: 'secret',
          description: `The same for the secret of the token: ${secretVariables.token}.`,
        },
        ...connectionFlags.flags.filter(({ name }) => name !== 'sandbox'),
      ],
    },
    { title: 'Output', flags: [{ name: 'json', kind: 'boolean', hint: '', description: 'As JSON.' }] },
  ],
  examples: [
    { line: 'broadside doctor signature' },
    { line: 'broadside doctor signature request.txt --at now' },
    { line: 'broadside doctor signature --profile work < request.txt' },
  ],
  run: explain,
};

/** `broadside doctor`. */
export const doctorGroup: Group = {
  kind: 'group',
  words: ['doctor'],
  summary: 'Explain offline why a signature was rejected, or a hash matches nobody',
  children: new Map([
    ['signature', signature],
    ['hash', hash],
  ]),
};

const hmac: Hmac = (algorithm, key, text) => createHmac(algorithm, key).update(text).digest('base64');

async function explain({ io, flags, words }: Invocation): Promise<void> {
  const pasted = read(await pastedText(io, words[0]));
  const known = knownCredentials(io, flags);
  const request = receivedOf(pasted);
  const parameters = new Map(coveredParameters(parseRequest(request).covered));
  const consumerKey = parameters.get('oauth_consumer_key');
  const secrets = consumerKey
    ? await chooseSecrets(io, flags, known, { consumerKey, token: parameters.get('oauth_token') || undefined })
    : undefined;
  const place = placeOf(pasted, flags, known);
  const { explainSignature } = await import('@broadside/core/doctor');
  const explanation = await explainSignature({
    request,
    headers: addressHeaders(pasted),
    base: place.base,
    otherBases: place.others,
    secrets: secrets?.pair,
    otherSecrets: secrets?.others,
    nowSeconds: timeOf(io, flags, parameters.get('oauth_timestamp')),
    // If the key is not known here, nothing was found out about it.
    facts: { consumer: 'known' },
    hmac,
  });
  await print(io, flags, { pasted, explanation, place, secrets });
  if (explanation.verdict === 'valid') return;
  throw new CliError(explanation.verdict === 'unexplained' ? 'unexplained' : 'explained', '');
}

async function pastedText(io: Io, file: string | undefined): Promise<string> {
  if (file === undefined || file === '-') {
    if (io.stdin.isTTY) await io.stderr.write('Paste the request, then press Ctrl-D on a line of its own:\n');
    return io.stdin.text();
  }
  try {
    return readFileSync(path.resolve(io.cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`);
  }
}

function read(text: string): PastedRequest {
  try {
    return readPaste(text);
  } catch (error) {
    if (error instanceof PasteError) throw new UsageError(printable(error.message));
    throw error;
  }
}

function receivedOf({ method, target, headers, body }: PastedRequest): ReceivedRequest {
  return {
    method,
    target,
    authorization: headerOf(headers, 'authorization'),
    contentType: headerOf(headers, 'content-type'),
    body,
  };
}

function addressHeaders({ headers, host }: PastedRequest): AddressHeaders {
  return {
    host,
    'x-forwarded-host': headerOf(headers, 'x-forwarded-host'),
    'x-forwarded-proto': headerOf(headers, 'x-forwarded-proto'),
    'x-forwarded-port': headerOf(headers, 'x-forwarded-port'),
    'x-forwarded-prefix': headerOf(headers, 'x-forwarded-prefix'),
  };
}

/** Returns the address at which the server receives the request. */
interface Place {
  readonly base: string;
  readonly others: readonly string[];
  readonly note: string | undefined;
}

function placeOf(pasted: PastedRequest, flags: FlagValues, known: readonly KnownCredentials[]): Place {
  const given = flags.text('base-url');
  const addresses = [...new Set(known.flatMap(({ values }) => ADDRESSES.flatMap((name) => values[name] ?? [])))];
  const others = (base: string) => addresses.filter((address) => address !== base);
  if (given !== undefined) {
    if (!URL.canParse(given)) throw new UsageError(`--base-url is not an address: "${given}"`);
    return { base: given, others: others(given), note: undefined };
  }
  const { host } = pasted;
  if (host === undefined) {
    throw new UsageError('The request does not say to which host it goes', ['--base-url names the address.']);
  }
  const scheme = schemeOf(pasted, flags, host, addresses);
  const origin = `${scheme}://${host}`;
  if (!URL.canParse(origin)) return { base: origin, others: addresses, note: undefined };
  const own = addresses.find((address) => originOf(address) === new URL(origin).origin);
  if (own !== undefined) return { base: origin, others: others(own), note: undefined };
  const alias = addresses.find((address) => isSameMachine(address, origin));
  if (alias !== undefined) {
    const note = `The request went to ${host}, which is the server at ${alias}: that address is what it expects to be signed.`;
    return { base: alias, others: others(alias), note };
  }
  const note =
    addresses.length === 0
      ? undefined
      : `${origin} is none of the addresses in the credentials here. If the server has another public address, --base-url names it.`;
  return { base: origin, others: addresses, note };
}

function schemeOf({ scheme }: PastedRequest, flags: FlagValues, host: string, addresses: readonly string[]): string {
  const given = flags.text('scheme');
  if (given !== undefined && given !== 'http' && given !== 'https')
    throw new UsageError(`--scheme is http or https, not "${given}"`);
  const same = addresses.find((address) => URL.canParse(address) && new URL(address).host === host);
  const guess = same ? new URL(same).protocol.slice(0, -1) : isLoopback(host) ? 'http' : 'https';
  return given ?? scheme ?? guess;
}

function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** This machine under two of its names, and the same port. */
function isSameMachine(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [a, b] = [new URL(one), new URL(other)];
  return isLoopback(a.host) && isLoopback(b.host) && a.port === b.port && a.protocol === b.protocol;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?$/i.test(host);
}

/** The server's time in seconds. A pasted request is old by nature, so its own time is the default. */
function timeOf(io: Io, flags: FlagValues, timestamp: string | undefined): number {
  const now = Math.floor((io.now ?? Date.now)() / 1000);
  const at = flags.text('at');
  if (at === undefined) return timestamp !== undefined && /^\d{1,11}$/.test(timestamp) ? Number(timestamp) : now;
  if (at === 'now') return now;
  if (/^\d{1,11}$/.test(at)) return Number(at);
  const parsed = Date.parse(at);
  if (Number.isNaN(parsed)) throw new UsageError(`--at is now, a date or seconds since 1970, not "${at}"`);
  return Math.floor(parsed / 1000);
}

interface Printed {
  readonly pasted: PastedRequest;
  readonly explanation: Explanation;
  readonly place: Place;
  readonly secrets: ChosenSecrets | undefined;
}

async function print(io: Io, flags: FlagValues, { pasted, explanation, place, secrets }: Printed): Promise<void> {
  const { method, target, notes } = pasted;
  const [pathOnly = ''] = target.split('?');
  const facts = {
    request: `${method.toUpperCase()} ${pathOnly}`,
    base_url: place.base,
    secrets_from: secrets?.from.join(', ') ?? null,
    time: flags.text('at') === undefined ? 'not judged' : `judged at ${flags.text('at')}`,
  };
  const remarks = [...notes, ...(place.note === undefined ? [] : [place.note])];
  if (flags.on('json')) {
    await io.stdout.write(`${prettyJson({ ...facts, ...explanation, notes: remarks })}\n`);
    return;
  }
  const { isTTY, columns } = io.stdout;
  const style = { paint: painter(io.stdout, io.env), columns: isTTY ? columns : undefined };
  const rows = Object.entries(facts).map(([name, value]) => [name, printable(value ?? '-')] as const);
  const text = renderExplanation(explanation, style);
  await io.stdout.write(`${pairs(rows, style.paint, style.columns)}\n${text}`);
  for (const remark of remarks) await io.stderr.write(`${printable(remark)}\n`);
}
