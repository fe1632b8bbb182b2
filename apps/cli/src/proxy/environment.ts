/** The variables with which clients use the proxy and trust its certificates. */
import type { Env } from '../io.ts';
import { shellWord } from '../text.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/**
 * Variables by name.
 * @param proxy the proxy's own URL
 * @param authorityFile absolute path of the certificate that clients trust
 * @param env where exceptions are kept from
 */
export function proxyVariables(proxy: string, authorityFile: string, env: Env): Record<string, string> {
  const exceptions = exceptionsOf(env).join(',');
  return {
    // Which of the two spellings is read differs between clients; some read the first only, some the second.
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    NO_PROXY: exceptions,
    no_proxy: exceptions,
    // Python's requests.
    REQUESTS_CA_BUNDLE: authorityFile,
    // curl, and what is built on libcurl.
    CURL_CA_BUNDLE: authorityFile,
    // OpenSSL: Python's ssl, Ruby; Go on Linux.
    SSL_CERT_FILE: authorityFile,
    NODE_EXTRA_CA_CERTS: authorityFile,
    // Node's fetch and https read HTTPS_PROXY only with this; before 22.21 and 24.5 not even then.
    NODE_USE_ENV_PROXY: '1',
  };
}

/** Hosts that are reached without the proxy: loopback, and what has been set before, unless that is everything. */
function exceptionsOf(env: Env): string[] {
  const before = (env['NO_PROXY'] ?? env['no_proxy'] ?? '')
    .split(/[\s,]+/)
    .filter((host) => host !== '' && host !== '*');
  return [...new Set([...LOOPBACK, ...before])];
}

/** Lines for a POSIX shell. */
export function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${shellWord(value)}\n`)
    .join('');
}
