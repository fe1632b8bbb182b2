import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { namedBaseUrl, ownHosts } from './own-host.ts';

const reached = (host: string | undefined, localAddress = '127.0.0.1', localPort = 8001) => ({
  headers: { host },
  socket: { localAddress, localPort },
});

test.each([['localhost:8001'], ['LOCALHOST:8001'], ['127.0.0.1:8001'], ['127.1.2.3:8001'], ['[::1]:8001']])(
  '%s is the host of a listener on the loopback interface',
  (host) => {
    for (const mode of ['development', 'production'] as const)
      expect(ownHosts(mode, undefined)(reached(host))).toBe(true);
  },
);

test.each([
  ['localhost:8002'],
  ['localhost'],
  ['localhost:'],
  ['localhost:08002'],
  ['localhost.evil.example:8001'],
  ['evil.example:8001'],
  ['10.0.0.1:8001'],
  ['user@localhost:8001'],
  ['localhost:8001/x'],
  [''],
  [undefined],
])('%j is not', (host) => {
  for (const mode of ['development', 'production'] as const) {
    expect(ownHosts(mode, '127.0.0.1')(reached(host))).toBe(false);
  }
});

test('the address that the connection was made to is', () => {
  const isOwn = ownHosts('production', '0.0.0.0');
  expect(isOwn(reached('10.0.0.5:8001', '10.0.0.5'))).toBe(true);
  expect(isOwn(reached('10.0.0.5:8001', '::ffff:10.0.0.5'))).toBe(true);
  expect(isOwn(reached('[2001:db8::1]:8001', '2001:DB8::1'))).toBe(true);
  expect(isOwn(reached('10.0.0.6:8001', '10.0.0.5'))).toBe(false);
  expect(isOwn(reached('10.0.0.5', '10.0.0.5', 80))).toBe(true);
});

test('in development, loopback names and those of the machine and the setting are, at the port of the listener', () => {
  const development = ownHosts('development', 'box.local');
  const production = ownHosts('production', 'box.local');
  for (const name of ['localhost', hostname(), 'box.local']) {
    expect(development(reached(`${name}:8001`, '172.17.0.2'))).toBe(true);
    expect(development(reached(`${name}:8002`, '172.17.0.2'))).toBe(false);
    expect(production(reached(`${name}:8001`, '172.17.0.2'))).toBe(false);
  }
});

test('a request without a connection has any', () => {
  expect(ownHosts('production', undefined)({ headers: { host: 'ads.test' }, socket: {} })).toBe(true);
});

test.each([
  ['box.example', 'http://box.example'],
  ['box_1.example:8001', 'http://box_1.example:8001'],
  ['[::1]:8001', 'http://[::1]:8001'],
  ['localhost:', 'http://localhost:'],
])('a request for %s names %s', (host, url) => {
  expect(namedBaseUrl({ headers: { host } })).toBe(url);
});

test.each([
  ...['a<b', 'a^b', '|', '%', '%00', 'a%zz', "a'b", 'a,b', 'ü', '*', '[:]', '[::zz]', '', 'user@box', 'a b'],
  ...['box:65536', 'box:99999', '256.1.1.1', '1.2.3.4.5', '999999999999'],
])('a request for %j, which is no host, names one that nobody has', (host) => {
  expect(namedBaseUrl({ headers: { host } })).toBe('http://invalid');
});
