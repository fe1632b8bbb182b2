/** Rules on the callback URLs that an app may register (reference, auth section 3). Pure. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';

/** Schemes that execute code, read local files or hand over to another program. */
export const refusedCallbackSchemes: ReadonlySet<string> = new Set(
  `vbscript javascript vbs data mocha keyword livescript ftp file gopher acrobat callto daap itpc itms firefoxurl hcp ldap
   mailto mmst mmsu msbd rtsp mso-offdap snews news nntp outlook stssync rlogin telnet tn3270 shell sip
   blob filesystem about view-source ws wss`.split(/\s+/),
);

/** `oauth_callback` of the PIN flow. */
export const OUT_OF_BAND = 'oob';

// The text is sent back unchanged in a Location header, so it must be visible ASCII. Some browsers treat a backslash as a slash.
const ADDRESS = /^([A-Za-z][A-Za-z0-9+.-]*):([\x21-\x7e]*)$/;

/** Returns the reason why a callback URL cannot be registered; `undefined` if it can be. */
export function callbackFault(url: string): string | undefined {
  const [, scheme, rest = ''] = ADDRESS.exec(url) ?? [];
  if (scheme === undefined) return 'is not an absolute URL in ASCII, such as https://app.example.com/callback';
  if (/[\\"<>^`{|}]/.test(rest)) return 'holds a character that must be percent-encoded';
  if (rest.includes('#')) return 'has a fragment (#...), which would hide the answer from the app';
  if (/%(?![0-9a-f]{2})/i.test(rest)) return 'has a % without two hexadecimal digits';
  const name = scheme.toLowerCase();
  if (refusedCallbackSchemes.has(name)) return `has the scheme ${name}:, which is not allowed`;
  if (name !== 'http' && name !== 'https') {
    if (rest === '') return 'has nothing after its scheme';
    return URL.canParse(url) ? undefined : 'has no valid host';
  }
  if (!/^\/\/[^/?]/.test(rest) || !URL.canParse(url)) return 'has no valid host';
  // Checked on the text, because the URL class drops an @ with nothing before it.
  return /^\/\/[^/?]*@/.test(rest) ? 'holds user information before the host' : undefined;
}

/** Returns an issue for each invalid callback URL. */
export function checkCallbackUrls(urls: readonly string[]): Issue<'INVALID_PARAMETER'>[] {
  return urls.flatMap((url) => {
    const error = callbackFault(url);
    return error === undefined ? [] : [invalidParameter('callback_urls', url, `The callback URL ${url} ${error}`)];
  });
}

// A list of sources in a policy ends at the first character of another kind, so no such character is let through.
const HOST =
  /^(?:(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:.]+\])$/;

/** Returns why a site cannot be listed as one that may frame previews; `undefined` if it can be. */
function frameOriginFault(origin: string): string | undefined {
  const [, scheme, host = ''] = /^(https?):\/\/([^/:?#@[\]]+|\[[^\]]*\])(?::\d{1,5})?$/.exec(origin) ?? [];
  if (scheme === undefined)
    return 'is not a site such as https://desk.example.com, without a path or a slash at its end';
  if (!HOST.test(host) || !URL.canParse(origin))
    return 'needs a host in lower case ASCII, with a valid port if it has one';
  const isLocal = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
  if (scheme === 'http' && !isLocal) return 'has no https, which only sites of the own machine may do without';
  // As browsers name it: they leave out the port that a scheme implies.
  const { origin: normal } = new URL(origin);
  return normal === origin ? undefined : `is written ${normal}`;
}

/** Returns an issue for each site that cannot be listed. */
export function checkFrameOrigins(origins: readonly string[]): Issue<'INVALID_PARAMETER'>[] {
  return origins.flatMap((origin) => {
    const fault = frameOriginFault(origin);
    return fault === undefined ? [] : [invalidParameter('frame_origins', origin, `The site ${origin} ${fault}`)];
  });
}
