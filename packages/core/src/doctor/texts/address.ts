/** Texts of mistakes in the method and the address. */
import { METHOD, URI } from './clauses.ts';
import type { MistakeText } from './mistake-text.ts';

export const ADDRESS_TEXTS = {
  wrong_method: {
    title: 'Another HTTP method was signed than was sent',
    hint: 'Sign the method of the request line. A library that follows redirects, or tunnels PUT through POST, must sign anew.',
    clause: METHOD,
  },
  method_not_upper_case: {
    title: 'The HTTP method was not signed in upper case',
    hint: 'Write the method in upper case in the base string, whatever the library takes.',
    clause: METHOD,
  },
  wrong_scheme: {
    title: 'http was signed and https is the public address, or the reverse',
    hint: 'Sign the scheme that clients call. Behind a proxy that ends TLS, set the base URL of the server to the public https address.',
    clause: URI,
  },
  wrong_host: {
    title: 'Another host was signed than the server takes for its own, as behind a proxy',
    hint: 'Call the server by its public address and sign that. If clients are right and the server is not, set its base URL to the address that they call.',
    clause: URI,
  },
  other_listener: {
    title: 'The address of another listener of this platform was signed, such as production for the sandbox',
    hint: 'Sign the base URL that the request goes to: scheme, host and port of the same listener.',
    clause: URI,
  },
  default_port_kept: {
    title: 'The default port stands in the signed address',
    hint: 'Leave :80 of http and :443 of https out of the base string.',
    clause: URI,
  },
  port_left_out: {
    title: 'The port is missing from the signed address',
    hint: 'Keep every port but :80 of http and :443 of https in the base string.',
    clause: URI,
  },
  wrong_port: {
    title: 'Another port was signed than the public one, as behind a proxy',
    hint: 'Sign the port that clients call. If clients are right, set the base URL of the server to the address that they call.',
    clause: URI,
  },
  address_not_lower_case: {
    title: 'Scheme or host was signed as typed and not in lower case',
    hint: 'Put scheme and host in lower case before you sign. The path stays as it is.',
    clause: URI,
  },
  origin_left_out: {
    title: 'The path alone was signed, without scheme and host',
    hint: 'Sign the absolute URL without its query.',
    clause: URI,
  },
  query_in_address: {
    title: 'The query string was kept in the signed address',
    hint: 'Cut the address at the question mark; sign the query parameters with all the others.',
    clause: URI,
  },
  trailing_slash: {
    title: 'The signed path has a slash at its end and the sent one has not, or the reverse',
    hint: 'Sign the path as it stands in the request line. Turn off what tidies URLs between signing and sending.',
    clause: URI,
  },
  path_spelled_anew: {
    title: 'The path was decoded, encoded or tidied between signing and sending',
    hint: 'Encode the path once, then sign and send the same text. A proxy must hand it on as it came.',
    clause: URI,
  },
  path_prefix: {
    title: 'The path prefix of the base URL is missing from the signed path, or stands there twice',
    hint: "Sign the path that clients call, prefix and all. Compare it with the server's base URL.",
    clause: URI,
  },
} as const satisfies Record<string, MistakeText>;
