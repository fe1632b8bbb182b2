/** The facts of a rejected request, prepared for the search for mistakes. */
import { canonicalBase, signingKey } from '../auth/base-string.ts';
import { coveredParameters } from '../auth/covered.ts';
import { isFormType, type ReceivedRequest, type SignedRequest } from '../auth/parse.ts';
import { formPairs } from '../auth/percent.ts';
import { type Change, type Place, type SigningModel, type SourcePair, standardModel } from './signing-model.ts';

/** Headers that indicate the address that a client may have called; names in lower case. */
export interface AddressHeaders {
  readonly host?: string | undefined;
  readonly 'x-forwarded-host'?: string | undefined;
  readonly 'x-forwarded-proto'?: string | undefined;
  readonly 'x-forwarded-port'?: string | undefined;
  readonly 'x-forwarded-prefix'?: string | undefined;
}

/** The secrets that should have signed a request. */
export interface SecretPair {
  readonly consumer: string;
  readonly token?: string | undefined;
}

/** Secrets that may have been used by mistake, with a name that may be shown. */
export interface NamedSecrets {
  readonly name: string;
  readonly consumer?: string | undefined;
  readonly token?: string | undefined;
}

/** The parts of a base URL. */
export interface Address {
  readonly scheme: string;
  /** In lower case, without port. */
  readonly host: string;
  /** `''` or digits. */
  readonly port: string;
  readonly prefix: string;
}

/** A signed request with everything that is searched for mistakes. */
export interface Evidence {
  readonly request: SignedRequest;
  readonly contentType: string | undefined;
  /** The body when it is not a form and short enough to be searched. */
  readonly otherBody: string | undefined;
  readonly rawQuery: string;
  readonly realm: string | undefined;
  readonly address: Address;
  readonly otherAddresses: readonly Address[];
  readonly headers: AddressHeaders;
  readonly secrets: SecretPair | undefined;
  readonly otherSecrets: readonly NamedSecrets[];
  /** The standard model of RFC 5849. */
  readonly standard: SigningModel;
  /** All characters that occur in names and values. */
  readonly characters: ReadonlySet<string>;
}

/** One way of making a mistake in a request. */
export interface Variant {
  readonly change: Change;
  readonly detail?: string;
  /** Rare, so not combined with other mistakes. */
  readonly rare?: boolean;
}

const ADDRESS = /^(https?):\/\/(\[[^\]]*\]|[^:/]*)(?::([0-9]+))?(.*)$/;
const REALM = /[\s,]realm[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"/i;
/** Longer bodies are not searched: a signer that took one for parameters would have failed on its own. */
const MAX_BODY_LOOKED_INTO = 65_536;
const MAX_OTHER_ADDRESSES = 16;

/** Parses a base URL, or returns `undefined` when it is not valid. */
export function readAddress(base: string): Address | undefined {
  const [, scheme, host, port = '', prefix = ''] = ADDRESS.exec(canonicalBase(base) ?? '') ?? [];
  return scheme === undefined || host === undefined ? undefined : { scheme, host, port, prefix };
}

/** Joins scheme, host and port. */
export function originOf(address: Pick<Address, 'scheme' | 'host' | 'port'>): string {
  return `${address.scheme}://${address.host}${address.port === '' ? '' : `:${address.port}`}`;
}

/** Gathers the evidence of a request. The base must be valid: see {@link readAddress}. */
export function gatherEvidence(
  received: ReceivedRequest,
  request: SignedRequest,
  address: Address,
  known: {
    readonly headers?: AddressHeaders | undefined;
    readonly otherBases?: readonly string[] | undefined;
    readonly secrets: SecretPair | undefined;
    readonly otherSecrets?: readonly NamedSecrets[] | undefined;
  },
): Evidence {
  const { target, contentType, body } = received;
  const mark = target.indexOf('?');
  const rawQuery = mark === -1 ? '' : target.slice(mark + 1);
  const isForm = isFormType(contentType);
  const pairs = placePairs(request, rawQuery, isForm ? (body ?? '') : '');
  const { secrets } = known;
  const standard = standardModel({
    method: request.method,
    origin: originOf(address),
    path: address.prefix + request.path,
    pairs,
    key: secrets ? signingKey(secrets.consumer, secrets.token) : '',
  });
  const characters = new Set<string>();
  for (const { name, value } of pairs) {
    for (const character of name) characters.add(character);
    for (const character of value) characters.add(character);
  }
  const otherAddresses: Address[] = [];
  for (const base of (known.otherBases ?? []).slice(0, MAX_OTHER_ADDRESSES)) {
    const other = readAddress(base);
    if (other) otherAddresses.push(other);
  }
  return {
    request,
    contentType,
    otherBody: isForm || !body || body.length > MAX_BODY_LOOKED_INTO ? undefined : body,
    rawQuery,
    realm: REALM.exec(received.authorization ?? '')?.[1],
    address,
    otherAddresses,
    headers: known.headers ?? {},
    secrets,
    otherSecrets: known.otherSecrets ?? [],
    standard,
    characters,
  };
}

/** Returns the signed parameters, each with its place; in the order header, query, form. */
function placePairs(request: SignedRequest, rawQuery: string, form: string): readonly SourcePair[] {
  const inQuery = countPairs(rawQuery);
  const inForm = countPairs(form);
  const pairs = coveredParameters(request.covered);
  const inHeader = pairs.length - inQuery - inForm;
  return pairs.map(([name, value], index): SourcePair => {
    const place: Place = index < inHeader ? 'header' : index < inHeader + inQuery ? 'query' : 'form';
    return { name, value, place };
  });
}

function countPairs(text: string): number {
  const pairs = formPairs(text, Number.POSITIVE_INFINITY);
  if (pairs === undefined || pairs === 'too many') return 0;
  return pairs.filter(([name]) => name !== 'oauth_signature').length;
}

/** Returns whether a parameter belongs to the protocol. */
export function isProtocol(pair: SourcePair): boolean {
  return pair.name.startsWith('oauth_');
}
