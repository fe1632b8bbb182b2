/** Location in an S3-compatible store, from the configuration. */
export interface S3Location {
  readonly bucket: string;
  /** Prefix of every key, with its slash; empty for none. */
  readonly prefix: string;
  readonly region: string;
  /** The base URL of the bucket's objects, without a trailing slash. */
  readonly baseUrl: string;
}

/** An invalid URL of a store. The message says what would be valid, and contains no part of the URL. */
export class BlobLocationError extends Error {
  override readonly name = 'BlobLocationError';
}

const EXAMPLE = 's3://bucket/prefix?region=eu-central-1 or s3://bucket?endpoint=https://storage.example.com';
const parameters = ['endpoint', 'region', 'style'];

/**
 * Parses `s3://bucket/prefix?endpoint=URL&region=NAME&style=path|host`. Without an endpoint it is Amazon's of the region.
 * `style` selects whether the bucket is part of the path (usual with an endpoint) or of the host (usual without one).
 * @throws BlobLocationError
 */
export function parseS3Location(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:') throw new BlobLocationError(`It must be a URL such as ${EXAMPLE}.`);
  if (url.username || url.password) {
    throw new BlobLocationError('It must not hold credentials; they are settings of their own.');
  }
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined || url.hash) {
    throw new BlobLocationError(`It may have the parameters ${parameters.join(', ')} and no others, as in ${EXAMPLE}.`);
  }
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new BlobLocationError('The bucket must have 3 to 63 lower-case letters, digits, dots and hyphens.');
  }
  const path = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  if (!/^(?:[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*)?$/.test(path) || path.length > 500) {
    throw new BlobLocationError(
      'The prefix may have letters, digits, dots, underscores and hyphens, separated by slashes.',
    );
  }
  const region = url.searchParams.get('region') ?? 'us-east-1';
  if (!/^[a-z0-9-]{1,40}$/.test(region)) throw new BlobLocationError('The region must be a name such as eu-central-1.');
  const endpoint = url.searchParams.get('endpoint');
  const style = url.searchParams.get('style') ?? (endpoint === null && !bucket.includes('.') ? 'host' : 'path');
  if (style !== 'path' && style !== 'host') throw new BlobLocationError('The style must be path or host.');
  const base = readEndpoint(endpoint ?? `https://s3.${region}.amazonaws.com`);
  return {
    bucket,
    prefix: path && `${path}/`,
    region,
    baseUrl:
      style === 'path'
        ? `${base.origin}${base.pathname.replace(/\/+$/, '')}/${bucket}`
        : `${base.protocol}//${bucket}.${base.host}${base.pathname.replace(/\/+$/, '')}`,
  };
}

function readEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new BlobLocationError('The endpoint must be a URL such as https://storage.example.com.');
  }
  return url;
}
