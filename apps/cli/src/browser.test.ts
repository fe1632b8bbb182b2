import { expect, test } from 'vitest';
import { opener } from './browser.ts';

const url = 'http://127.0.0.1:8000/oauth/authorize?oauth_token=t&force_login=true';

test.each<[NodeJS.Platform, Record<string, string>, readonly string[] | undefined]>([
  ['darwin', {}, ['open', url]],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', url]],
  ['linux', { DISPLAY: ':0' }, ['xdg-open', url]],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', url]],
  ['linux', {}, undefined],
])('on %s with %o the address is one word of a program, and no shell reads it', (platform, env, words) => {
  expect(opener(url, platform, env)).toEqual(words);
});
