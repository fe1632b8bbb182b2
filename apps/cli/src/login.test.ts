/** Signing in by the browser, against a platform that plays along or rejects. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { pageHtml } from './login/page.ts';
import { app, approved, browse, cli, outsideOf, profilesFile, stored, useFreshHome } from './testing/log-in.ts';
import { fakePlatform, granted } from './testing/platform.ts';
import { runCli } from './testing/run-cli.ts';

useFreshHome();

describe('login by the browser of this machine', () => {
  test('exchanges the verifier from the browser, and stores the token readable by its owner only', async () => {
    const { code, stdout, stderr, received, pages } = await browse('login', [approved]);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Signed in as ann (15) at http://api.test\n');
    expect(stderr).toContain(`Saved as profile ann, the default, in ${profilesFile()}\n`);
    expect(stored()).toEqual({
      default: 'ann',
      profiles: {
        ann: {
          ...app,
          access_token: granted.oauth_token,
          access_token_secret: granted.oauth_token_secret,
          user_id: '15',
          screen_name: 'ann',
          environment: 'production',
        },
      },
    });
    expect(statSync(profilesFile()).mode & 0o777).toBe(0o600);
    const [request, exchange] = received;
    expect(request?.oauth['oauth_callback']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(exchange?.oauth).toMatchObject({ oauth_token: 'REQUEST', oauth_verifier: '0012345' });
    expect(pages).toMatchObject([{ status: 200, text: expect.stringContaining('signed in as @ann') }]);
  });

  test('the page is kept nowhere, loads nothing and runs nothing', async () => {
    const { pages } = await browse('login', [approved]);
    const [page] = pages;
    const headers = Object.fromEntries(page?.headers ?? []);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
      ),
    });
    expect(page?.text).not.toMatch(/<script|src=|href=|oauth_/);
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page?.text ?? '') ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
  });

  test('the name of a person cannot put anything into the page', async () => {
    expect(pageHtml({ status: 200, title: '<b>', text: `"'&<script>` })).toContain(
      '<h1>&lt;b&gt;</h1>\n<p>&quot;&#39;&amp;&lt;script&gt;</p>',
    );
  });

  test('a callback of another login, a repeated parameter and another path are rejected, and the wait continues', async () => {
    const wrong = [
      '/callback?oauth_token=OTHER&oauth_verifier=0012345',
      '/callback?denied=OTHER',
      '/callback?oauth_token=REQUEST',
      '/callback?oauth_token=REQUEST&oauth_verifier=',
      '/callback?oauth_token=REQUEST&oauth_token=REQUEST&oauth_verifier=0012345',
      '/callback?oauth_token=REQUEST&oauth_verifier=0012345&oauth_verifier=9',
      '/callback',
      '/callback/?oauth_token=REQUEST&oauth_verifier=0012345',
      '/favicon.ico',
      '/',
    ];
    const { code, received, pages } = await browse('login', [...wrong, approved]);
    expect(code).toBe(0);
    expect(pages.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 404, 404, 404, 200]);
    expect(received.filter(({ url }) => url.pathname === '/oauth/access_token')).toHaveLength(1);
  });

  test('a page of another origin that has a name for this machine reaches nothing', async () => {
    const { fetch, received } = fakePlatform();
    const callback = () => new URL(received[0]?.oauth['oauth_callback'] ?? '');
    let browsing: Promise<number | undefined> | undefined;
    const rebound = async () => {
      const { hostname, port } = callback();
      const options = { host: hostname, port, path: approved, headers: { host: `evil.test:${port}` } };
      const status = await new Promise<number | undefined>((resolve) => {
        request(options, (response) => resolve(response.resume().statusCode)).end();
      });
      await globalThis.fetch(new URL('/callback?denied=REQUEST', callback()));
      return status;
    };
    const onStderr = (written: string) => {
      if (written.includes('Waiting')) browsing ??= rebound();
    };
    expect((await runCli('login', { ...outsideOf(), fetch, onStderr })).code).toBe(3);
    expect(await browsing).toBe(404);
  });

  test('cancelled there is not signed in here', async () => {
    const { code, stderr, received, pages } = await browse('login', ['/callback?denied=REQUEST']);
    expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
      code: 3,
      stderr: 'broadside: The log-in was cancelled in the browser',
    });
    expect(pages[0]?.text).toContain('Cancelled');
    expect(received.map(({ url }) => url.pathname)).toEqual(['/oauth/request_token']);
    expect(() => stored()).toThrow();
  });

  test('a rejected exchange is reported on both sides', async () => {
    const { code, stderr, pages } = await browse('login', [approved], { verifiers: [] });
    expect(code).toBe(3);
    expect(stderr).toContain('broadside: oauth.access_token was rejected with 401\n  32: ');
    expect(pages).toMatchObject([{ status: 502, text: expect.stringContaining('Not signed in') }]);
  });

  test('the browser is opened at a terminal, unless that is not wanted', async () => {
    const opened: string[] = [];
    const openBrowser = (url: string) => void opened.push(url);
    await browse('login --screen-name @ann --force-login', [approved], {}, { openBrowser, columns: 80 });
    await browse('login --no-browser', [approved], {}, { openBrowser, columns: 80 });
    await browse('login', [approved], {}, { openBrowser });
    expect(opened).toEqual(['http://api.test/oauth/authorize?oauth_token=REQUEST&force_login=true&screen_name=ann']);
  });

  test('--read-only asks for a token that only looks', async () => {
    const { received } = await browse('login --read-only', [approved]);
    expect(received[0]?.url.search).toBe('?platform_auth_access_type=read');
    expect(stored().profiles['ann']).toMatchObject({ access_level: 'read' });
    await browse('login', [approved]);
    expect(stored().profiles['ann']).not.toHaveProperty('access_level');
  });

  test('a port that is taken is passed over', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    try {
      const taken = `http://127.0.0.1:${port}/callback`;
      const { code, received } = await browse(
        'login',
        [approved],
        {},
        { callbacks: [taken, 'http://127.0.0.1:0/callback'] },
      );
      expect(code).toBe(0);
      expect(received[0]?.oauth['oauth_callback']).not.toBe(taken);
      expect(await cli('login', {}, { callbacks: [taken] })).toMatchObject({
        code: 5,
        stderr: `broadside: No port is free to take the browser's answer (${port} are taken)\n  \`broadside login --headless\` signs in with a PIN and needs none.\n`,
      });
    } finally {
      other.close();
    }
  });

  test('a callback that the app does not allow: what to do about it', async () => {
    const callbacks = ['http://127.0.0.1:0/callback', 'http://127.0.0.1:48732/callback'];
    const { code, stderr } = await cli('login', { reject: { '/oauth/request_token': [403, 415] } }, { callbacks });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'broadside admin apps update --consumer-key ck --callback-urls http://127.0.0.1:0/callback --callback-urls http://127.0.0.1:48732/callback\n',
    );
    expect(stderr).toContain('broadside login --headless');
  });
});
