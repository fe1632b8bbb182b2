/**
 * Everything that the doctor can name, as data: the answers, the guide and the tests are read off this table. A mistake is
 * told by how the client's request differs from RFC 5849, never by what the server computed.
 */

/** What is said of a mistake, the same for every request. */
interface MistakeText {
  /** What the client does, as a sentence without its full stop. */
  readonly title: string;
  /** What to change. */
  readonly hint: string;
  /** Where the right way is written down. */
  readonly clause?: string;
}

const METHOD = 'RFC 5849 section 3.4.1.1';
const URI = 'RFC 5849 section 3.4.1.2';
const SOURCES = 'RFC 5849 section 3.4.1.3.1';
const NORMALIZATION = 'RFC 5849 section 3.4.1.3.2';
const KEY = 'RFC 5849 section 3.4.2';
const ENCODING = 'RFC 5849 section 3.6';
const SENDING = 'RFC 5849 section 3.5';
const CHECKS = 'RFC 5849 section 3.2';
const TIME = 'RFC 5849 section 3.3';

/** Mistakes by part of the signature, in the order in which the guide lists them. */
export const MISTAKES = {
  // Method and address
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
  // Which parameters are signed
  query_left_out: {
    title: 'The parameters of the query string were not signed',
    hint: 'Give the signer the query parameters too, also for POST and PUT.',
    clause: SOURCES,
  },
  form_left_out: {
    title: 'The parameters of the form body were not signed',
    hint: 'Give the signer the parameters of the form body, or send a JSON body, which is not signed.',
    clause: SOURCES,
  },
  json_body_signed: {
    title: 'A JSON body was signed as if it were parameters',
    hint: 'Sign only the query and the oauth_ parameters when the body is JSON.',
    clause: SOURCES,
  },
  multipart_fields_signed: {
    title: 'Fields of a multipart body were signed',
    hint: 'Sign only the query and the oauth_ parameters when the body is multipart/form-data.',
    clause: SOURCES,
  },
  content_type_not_form: {
    title: 'A form body was signed but not declared as one',
    hint: 'Send Content-Type: application/x-www-form-urlencoded with the body.',
    clause: SOURCES,
  },
  oauth_parameter_left_out: {
    title: 'A protocol parameter was sent but not signed',
    hint: 'Sign every oauth_ parameter that is sent, except oauth_signature.',
    clause: SOURCES,
  },
  oauth_parameter_not_sent: {
    title: 'A protocol parameter was signed but not sent',
    hint: 'Send every oauth_ parameter that you sign, or leave it out of both.',
    clause: SOURCES,
  },
  signature_included: {
    title: 'oauth_signature was part of what was signed',
    hint: 'Build the base string before oauth_signature is added, and leave it out also when it is empty.',
    clause: SOURCES,
  },
  realm_included: {
    title: 'realm was signed as if it were a parameter',
    hint: 'Leave realm of the Authorization header out of the base string.',
    clause: SOURCES,
  },
  empty_parameters: {
    title: 'Parameters without a value were left out, or signed without their equals sign',
    hint: 'Sign an empty parameter as name=, with nothing after the equals sign.',
    clause: NORMALIZATION,
  },
  duplicate_parameters: {
    title: 'A name that comes more than once was signed once, or its values joined',
    hint: 'Sign each pair of a repeated name on its own: a map or dictionary of parameters loses them. Most operations here want one comma-separated value.',
    clause: NORMALIZATION,
  },
  // How they are encoded
  marks_left_raw: {
    title: "Some of ! * ' ( ) were left unencoded",
    hint: "Encode ! * ' ( ) as %21 %2A %27 %28 %29; encodeURIComponent and most URL functions leave them.",
    clause: ENCODING,
  },
  reserved_left_raw: {
    title: 'Reserved characters such as commas, colons or slashes were left unencoded',
    hint: 'Encode everything but letters, digits and - . _ ~ in names and values before you join them.',
    clause: ENCODING,
  },
  plus_for_space: {
    title: 'A space was signed as +',
    hint: 'Sign a space as %20 (%2520 in the base string). Functions for HTML forms write +, or read a sent + as itself.',
    clause: ENCODING,
  },
  lower_case_hex: {
    title: 'Percent encoding was written with lower-case digits',
    hint: 'Write the hexadecimal digits in upper case: %2F, not %2f.',
    clause: ENCODING,
  },
  unreserved_encoded: {
    title: 'Some of - . _ ~ were encoded',
    hint: 'Leave letters, digits and - . _ ~ as they are; older URL functions encode ~ as %7E.',
    clause: ENCODING,
  },
  values_encoded_twice: {
    title: 'Names and values were encoded once too often, in what was signed or in what was sent',
    hint: 'Give the signer decoded parameters, and encode once for the wire. Do not sign text taken from an encoded URL.',
    clause: NORMALIZATION,
  },
  values_not_encoded: {
    title: 'Names and values were joined without being encoded first',
    hint: 'Encode each name and each value, join them, and then encode the joined text once more for the base string.',
    clause: NORMALIZATION,
  },
  text_not_utf8: {
    title: 'Text was encoded in another character set than UTF-8',
    hint: 'Turn text into UTF-8 bytes before percent encoding, when you sign and when you send.',
    clause: ENCODING,
  },
  utf8_twice: {
    title: 'Text was turned into UTF-8 twice, in what was signed or in what was sent',
    hint: 'Find where UTF-8 bytes are taken for Latin-1 text, and decode them there. It shows as \u00c3\u00a9 for \u00e9.',
    clause: ENCODING,
  },
  // In which order
  sorted_before_encoding: {
    title: 'Parameters were sorted before they were encoded',
    hint: 'Encode names and values first, then sort by bytes.',
    clause: NORMALIZATION,
  },
  sorted_by_name_only: {
    title: 'Parameters were sorted by name only',
    hint: 'Sort pairs of the same name by their encoded values.',
    clause: NORMALIZATION,
  },
  sorted_as_joined: {
    title: 'Joined name=value texts were sorted',
    hint: 'Compare names first and values after; the equals sign must not take part.',
    clause: NORMALIZATION,
  },
  sorted_by_alphabet: {
    title: 'Parameters were sorted as words and not by bytes',
    hint: 'Sort by bytes: upper case comes before lower case. Do not use a collation or a comparison that ignores case.',
    clause: NORMALIZATION,
  },
  not_sorted: {
    title: 'Parameters were not sorted, or the protocol parameters apart from the others',
    hint: 'Put all parameters in one list, of protocol, query and form, and sort the list.',
    clause: NORMALIZATION,
  },
  // How the base string is put together
  parameters_not_encoded: {
    title: 'The joined parameters were put into the base string unencoded',
    hint: 'Percent-encode the joined parameters as a whole: & becomes %26, = becomes %3D and % becomes %25.',
    clause: METHOD,
  },
  address_not_encoded: {
    title: 'The address was put into the base string unencoded',
    hint: 'Percent-encode the address as a whole: it begins with http%3A%2F%2F or https%3A%2F%2F.',
    clause: METHOD,
  },
  parts_encoded_twice: {
    title: 'The joined parameters, the address or the whole base string was encoded once too often',
    hint: 'Encode the address and the joined parameters once each, and the base string not at all.',
    clause: METHOD,
  },
  // The key
  secrets_swapped: {
    title: 'Consumer secret and token secret are swapped in the key',
    hint: 'Put the consumer secret first and the token secret after the &.',
    clause: KEY,
  },
  token_secret_left_out: {
    title: 'The token secret is missing from the key',
    hint: 'Sign with consumer secret & token secret when the request has a token; check that the setting is read.',
    clause: KEY,
  },
  consumer_secret_left_out: {
    title: 'The consumer secret is missing from the key',
    hint: 'Sign with consumer secret & token secret; check that the setting is read.',
    clause: KEY,
  },
  ampersand_missing: {
    title: 'The & after the consumer secret is missing from the key',
    hint: 'End the key with & when there is no token secret, and join the two secrets with it otherwise.',
    clause: KEY,
  },
  secrets_not_encoded: {
    title: 'The secrets were not percent-encoded in the key, or not completely',
    hint: 'Percent-encode each secret before you join them with &.',
    clause: KEY,
  },
  secrets_encoded_twice: {
    title: 'The secrets were percent-encoded twice in the key',
    hint: 'Give the library the secrets as they were issued: it encodes them itself.',
    clause: KEY,
  },
  space_around_secret: {
    title: 'A secret has white space, a line break or quotes around it',
    hint: 'Trim what you read from files and environment variables, and take the quotes off.',
  },
  key_used_as_secret: {
    title: 'The consumer key or the token stands where its secret belongs',
    hint: 'Look at the order of arguments: key, secret, token, token secret.',
    clause: KEY,
  },
  wrong_consumer_secret: {
    title: 'The consumer secret is that of another app',
    hint: 'Use key and secret of the same app, and the newest secret if it was generated anew.',
  },
  wrong_token_secret: {
    title: 'The token secret is that of another token',
    hint: 'Use token and token secret of the same answer: a request token has another secret than the access token it is exchanged for.',
  },
  // The signature itself
  wrong_digest: {
    title: 'The signature was made with another digest than oauth_signature_method names',
    hint: 'Use SHA-1 for HMAC-SHA1 and SHA-256 for HMAC-SHA256.',
    clause: KEY,
  },
  plaintext_signature: {
    title: 'The signature is the key itself, as PLAINTEXT has it',
    hint: 'Compute an HMAC; PLAINTEXT is not served. Take secrets that were sent like this over http for known to others.',
    clause: 'RFC 5849 section 3.4.4',
  },
  signature_as_hex: {
    title: 'The signature was sent as hexadecimal digits',
    hint: 'Send the bytes of the HMAC in base64.',
    clause: KEY,
  },
  signature_as_base64url: {
    title: 'The signature was sent in the base64 of URLs',
    hint: 'Use plain base64, with + and / and with = at its end.',
    clause: KEY,
  },
  signature_without_padding: {
    title: 'The = at the end of the signature is missing',
    hint: 'Keep the padding of base64, and encode it as %3D on the wire.',
    clause: KEY,
  },
  signature_encoded_twice: {
    title: 'The signature was percent-encoded twice on the wire',
    hint: 'Encode the signature once when you write the header or the query; many libraries do so themselves.',
    clause: SENDING,
  },
  signature_plus_as_space: {
    title: 'A + of the signature was sent unencoded and arrived as a space',
    hint: 'Percent-encode the signature in query and form body: + as %2B, / as %2F, = as %3D.',
    clause: SENDING,
  },
  signature_with_line_break: {
    title: 'The signature has white space or a line break around it',
    hint: 'Use a base64 function that adds no line breaks, or trim its result.',
    clause: KEY,
  },
  signature_malformed: {
    title: 'The signature is no base64 of an HMAC',
    hint: 'Send 28 characters of base64 for HMAC-SHA1, 44 for HMAC-SHA256.',
    clause: KEY,
  },
  // What stands beside the signature
  not_signed: {
    title: 'The request is not signed',
    hint: 'Send Authorization: OAuth with the protocol parameters. A bearer token is not a signature.',
    clause: SENDING,
  },
  clock_skew: {
    title: "oauth_timestamp is too far from the server's clock",
    hint: 'Set the clock of the machine that signs, and sign right before sending; a retry is signed anew.',
    clause: TIME,
  },
  timestamp_in_local_time: {
    title: 'oauth_timestamp is off by the offset of a time zone',
    hint: 'Take seconds since 1970 in UTC, not those of a local date that was read as UTC.',
    clause: TIME,
  },
  timestamp_in_milliseconds: {
    title: 'oauth_timestamp is not in seconds but in milliseconds or smaller units',
    hint: 'Divide by 1000 and cut off the fraction: 10 digits today.',
    clause: TIME,
  },
  reused_nonce: {
    title: 'The same nonce and timestamp were received before',
    hint: 'Make a new nonce and sign anew for each request, retries too.',
    clause: TIME,
  },
  unknown_consumer_key: {
    title: 'No app has this consumer key',
    hint: 'Compare the key with the settings of the app, and see that the request goes to the server that issued it.',
    clause: CHECKS,
  },
  unknown_token: {
    title: 'The token is unknown here',
    hint: 'Compare the token with the one that was issued. Request tokens expire, and are used up by the exchange.',
    clause: CHECKS,
  },
  token_of_other_app: {
    title: 'The token was issued to another app',
    hint: 'Use consumer key and token of the same app.',
    clause: CHECKS,
  },
  revoked_token: {
    title: 'The token was revoked',
    hint: 'Let the user approve the app again, and use the new token.',
    clause: CHECKS,
  },
  token_missing: {
    title: 'The request has no oauth_token',
    hint: 'Sign with the access token of a user: an app alone may not do this.',
    clause: CHECKS,
  },
  wrong_body_hash: {
    title: 'oauth_body_hash is not the hash of the body that arrived',
    hint: 'Hash the very bytes that are sent, after the last change to the body, or leave oauth_body_hash out.',
    clause: 'OAuth Request Body Hash 1.0 section 3.2',
  },
  // What cannot be read as a signed request at all
  malformed_host: {
    title: 'The address that the request came for is no http or https address',
    hint: 'Send a Host header of host and port only, or set the base URL of the server.',
    clause: URI,
  },
  malformed_target: {
    title: 'The request target is not a path with an optional query in ASCII',
    hint: 'Percent-encode path and query, and leave the fragment out.',
  },
  malformed_query: {
    title: 'The query string is not percent-encoded UTF-8',
    hint: 'Write a percent sign as %25, and encode text as UTF-8.',
    clause: SOURCES,
  },
  malformed_form: {
    title: 'The form body is not percent-encoded UTF-8',
    hint: 'Write a percent sign as %25, and encode text as UTF-8.',
    clause: SOURCES,
  },
  malformed_header: {
    title: 'The Authorization header cannot be read',
    hint: 'After OAuth write key="value" pairs separated by commas, with percent-encoded values in double quotes.',
    clause: 'RFC 5849 section 3.5.1',
  },
  header_too_long: {
    title: 'The Authorization header is too long',
    hint: 'Put only realm and the oauth_ parameters there.',
    clause: 'RFC 5849 section 3.5.1',
  },
  too_many_parameters: {
    title: 'There are too many parameters',
    hint: 'Split the request, or send its data as JSON.',
  },
  duplicate_parameter: {
    title: 'A protocol parameter comes more than once',
    hint: 'Send each oauth_ parameter once. Perhaps two layers of the client both sign.',
    clause: CHECKS,
  },
  credentials_in_two_places: {
    title: 'Credentials come in more than one place',
    hint: 'Choose the Authorization header, the query or the form body, and put all oauth_ parameters there.',
    clause: SENDING,
  },
  unsupported_parameter: {
    title: 'A parameter that begins with oauth_ is not one of OAuth 1.0a',
    hint: 'Leave it out; names that begin with oauth_ are kept for the protocol.',
    clause: CHECKS,
  },
  missing_parameter: {
    title: 'A required protocol parameter is missing',
    hint: 'Send oauth_consumer_key, oauth_signature_method, oauth_signature, oauth_timestamp and oauth_nonce.',
    clause: 'RFC 5849 section 3.1',
  },
  unsupported_signature_method: {
    title: 'oauth_signature_method is not served',
    hint: 'Use HMAC-SHA1 or HMAC-SHA256, written exactly so.',
    clause: CHECKS,
  },
  unsupported_version: {
    title: 'oauth_version is not 1.0',
    hint: 'Send oauth_version 1.0, or leave it out. OAuth 1.0a has 1.0 here too.',
    clause: 'RFC 5849 section 3.1',
  },
  malformed_timestamp: {
    title: 'oauth_timestamp is not a whole number of seconds since 1970',
    hint: 'Send digits only: no fraction, no sign, no date.',
    clause: TIME,
  },
  invalid_nonce: {
    title: 'oauth_nonce is empty, too long or holds other characters than visible ASCII',
    hint: 'Send 16 to 64 random letters and digits.',
    clause: TIME,
  },
} as const satisfies Record<string, MistakeText>;

/** The stable id of a mistake: a key of {@link MISTAKES}. */
export type MistakeName = keyof typeof MISTAKES;

/** A mistake that was found in a request. */
export interface Finding {
  readonly mistake: MistakeName;
  readonly title: string;
  readonly hint: string;
  readonly clause?: string;
  /** What this request shows of it: which parameter, which address, which app. Never a secret. */
  readonly detail?: string;
}

/** A finding, with the texts of its mistake. */
export function finding(mistake: MistakeName, detail?: string): Finding {
  const text: MistakeText = MISTAKES[mistake];
  return { mistake, ...text, ...(detail === undefined ? {} : { detail }) };
}
