/** Worlds whose pages are open in a browser, which waits for events for as long as it likes. */
import { expect, test } from 'vitest';
import { worldsServer } from './testing/worlds-server.ts';

const SLOW_MS = 300_000;

test(
  'a page that waits for notifications holds up no reset, and its stream ends',
  async () => {
    const { server, control } = await worldsServer();
    const made = (await control('POST', '/worlds', {})).body.data;
    const standing = (await control('GET', '/worlds/default')).body.data;
    for (const { id, address_prefix, credentials } of [made, standing]) {
      const signIn = `${server.urls.api}${address_prefix}/sign-in`;
      const form = await fetch(signIn);
      const [, csrf = ''] = / name="csrf" value="([^"]*)"/.exec(await form.text()) ?? [];
      const { screen_name, password } = credentials;
      const signedIn = await fetch(signIn, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: form.headers.getSetCookie().join('; ') },
        body: new URLSearchParams({ csrf, screen_name, password }),
      });
      const page = await fetch(`${server.urls.api}${address_prefix}/notifications/events`, {
        headers: { cookie: signedIn.headers.getSetCookie()[0] ?? '' },
      });
      expect(page.status).toBe(200);
      expect((await control('POST', `/worlds/${id}/reset`, {})).status).toBe(200);
      expect(await page.text()).toContain('retry:');
    }
  },
  SLOW_MS,
);
