import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callbackFault, checkCallbackUrls, checkFrameOrigins, refusedCallbackSchemes } from './rules.ts';

/** The schemes of the reference (auth section 3), exactly. */
const REFERENCE = [
  ...['vbscript', 'javascript', 'vbs', 'data', 'mocha', 'keyword', 'livescript', 'ftp', 'file', 'gopher', 'acrobat'],
  ...['callto', 'daap', 'itpc', 'itms', 'firefoxurl', 'hcp', 'ldap', 'mailto', 'mmst', 'mmsu', 'msbd', 'rtsp'],
  ...['mso-offdap', 'snews', 'news', 'nntp', 'outlook', 'stssync', 'rlogin', 'telnet', 'tn3270', 'shell', 'sip'],
];

describe('callbackFault', () => {
  test.for([
    'https://app.example.com/callback',
    'https://app.example.com/callback/',
    'https://app.example.com',
    'https://app.example.com:8443/cb?from=a%20friend&x=1',
    'http://127.0.0.1:48731/callback',
    'http://[::1]:8080/',
    'myapp://cb',
    'com.example.app:/oauth',
    'myapp:cb',
    'HTTPS://APP.example.com/',
  ])('takes %s', (url) => {
    expect(callbackFault(url)).toBeUndefined();
  });

  test.for([
    ['', 'absolute'],
    ['/callback', 'absolute'],
    ['//evil.example/callback', 'absolute'],
    ['app.example.com/callback', 'absolute'],
    [' https://app.example.com/', 'absolute'],
    ['https://app.example.com/ ', 'absolute'],
    ['https://app.example.com/\r\nSet-Cookie: a=b', 'absolute'],
    ['https://app.example.com/\n', 'absolute'],
    ['java\tscript:alert(1)', 'absolute'],
    ['https://bücher.example/', 'absolute'],
    ['https://аpp.example.com/', 'absolute'],
    ['https://app.example.com/#part', 'fragment'],
    ['https://app.example.com/#', 'fragment'],
    ['https://app.example.com\\@evil.example/', 'percent-encoded'],
    ['https:\\\\evil.example/', 'percent-encoded'],
    ['https://app.example.com/<script>', 'percent-encoded'],
    ['https://app.example.com/%zz', '%'],
    ['https://app.example.com/%', '%'],
    ['https://user@app.example.com/', 'user information'],
    ['https://user:pass@app.example.com/', 'user information'],
    ['https://@app.example.com/', 'user information'],
    ['https://app.example.com%2f@evil.example/', 'user information'],
    ['https:app.example.com', 'host'],
    ['https:/app.example.com/', 'host'],
    ['https:///app.example.com/', 'host'],
    ['https://?x', 'host'],
    ['https://app.example.com:99999/', 'host'],
    ['https://a b/', 'absolute'],
    ['https://[::1/', 'host'],
    ['https://app%2eexample%2fcom/', 'host'],
    ['myapp:', 'nothing after'],
    ['myapp://[x]', 'host'],
    ['myapp://host:port/', 'host'],
  ])('rejects %j: %s', ([url = '', why = '']) => {
    expect(callbackFault(url)).toContain(why);
  });

  test('rejects every scheme of the reference, in upper and lower case', () => {
    for (const scheme of REFERENCE) {
      expect(refusedCallbackSchemes.has(scheme), scheme).toBe(true);
      for (const written of [scheme, scheme.toUpperCase(), `${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)}`]) {
        for (const rest of ['//app.example.com/cb', 'alert(1)', 'text/html,x', '/']) {
          expect(callbackFault(`${written}:${rest}`), `${written}:${rest}`).toMatch(/scheme|percent-encoded/);
        }
      }
    }
  });

  test('what it accepts can be sent unchanged in a header and read by a URL parser', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'https:',
        'http:',
        'myapp:',
        'JavaScript:',
        'data:',
        '//',
        '/',
        '\\',
        '@',
        ':',
        '?',
        '#',
        '%2e',
        '%',
      ),
      fc.constantFrom(
        'app.example.com',
        '[::1]',
        '[x]',
        '80',
        '99999',
        'port',
        '..',
        '\r\n',
        '\t',
        ' ',
        'ü',
        '\0',
        '|',
      ),
      fc.string({ maxLength: 5, unit: 'binary' }),
    );
    const near = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''));
    let taken = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          near.map((rest) => `https://${rest}`),
          near.map((rest) => `myapp:${rest}`),
        ),
        (url) => {
          if (callbackFault(url) !== undefined) return;
          taken += 1;
          expect(url).toMatch(/^[\x21-\x7e]+$/);
          const { protocol, hash, username, password } = new URL(url);
          expect(refusedCallbackSchemes.has(protocol.slice(0, -1))).toBe(false);
          expect([hash, url.includes('#')]).toEqual(['', false]);
          if (/^https?:$/.test(protocol)) expect([username, password]).toEqual(['', '']);
        },
      ),
      { numRuns: 20_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });
});

describe('checkCallbackUrls', () => {
  test('reports each invalid URL with the reason', () => {
    const urls = ['https://app.example.com/', 'javascript:alert(1)', 'ftp://app.example.com/'];
    expect(checkCallbackUrls(urls)).toEqual([
      expect.objectContaining({ error: 'INVALID_PARAMETER', parameter: 'callback_urls', value: urls[1] }),
      expect.objectContaining({ error: 'INVALID_PARAMETER', parameter: 'callback_urls', value: urls[2] }),
    ]);
    expect(checkCallbackUrls([])).toEqual([]);
  });
});

describe('checkFrameOrigins', () => {
  test.for([
    'https://desk.example.com',
    'https://desk.example.com:8443',
    'https://xn--bcher-kva.example',
    'http://localhost:3000',
    'http://127.0.0.1',
    'https://[2001:db8::1]:8443',
  ])('takes %s', (origin) => {
    expect(checkFrameOrigins([origin])).toEqual([]);
  });

  test.for([
    ['desk.example.com', 'such as'],
    ['https://desk.example.com/', 'without a path'],
    ['https://desk.example.com/previews', 'without a path'],
    ['https://user@desk.example.com', 'without a path'],
    ['*', 'such as'],
    ['javascript:alert(1)', 'such as'],
    ["https://desk.example.com 'none'", 'host'],
    ['https://desk.example.com;script-src', 'host'],
    ['https://desk.example.com,https://b.example', 'such as'],
    ['https://*.example.com', 'host'],
    ['https://Desk.example.com', 'lower case'],
    ['https://bücher.example', 'ASCII'],
    ['https://desk.example.com:99999', 'port'],
    ['https://desk.example.com:443', 'is written https://desk.example.com'],
    ['http://desk.example.com', 'https'],
    ['', 'such as'],
  ])('rejects %j: %s', ([origin = '', why = '']) => {
    expect(checkFrameOrigins([origin])).toEqual([
      expect.objectContaining({ parameter: 'frame_origins', message: expect.stringContaining(why) }),
    ]);
  });

  test('lets nothing through that would end or change a list of sources', () => {
    const piece = fc.constantFrom(
      'https://',
      'a',
      '.',
      ':',
      '1',
      ';',
      ',',
      ' ',
      "'",
      '*',
      '/',
      '[',
      ']',
      '\n',
      '\u00a0',
      '%',
      '@',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const origin = pieces.join('');
        if (checkFrameOrigins([origin]).length === 0) expect(origin).toMatch(/^https?:\/\/[a-z0-9.:[\]-]+$/);
      }),
      { numRuns: 5000 },
    );
  });
});
