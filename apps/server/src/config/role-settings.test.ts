import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const SHARED = { BROADSIDE_DATABASE_URL: 'libsql://platform.db.example.com' };
const read = (settings: Readonly<Record<string, string>>) => {
  const { role, internal } = readConfig({ ...SHARED, ...settings });
  return { role, ...internal };
};

test('a server does all that is to be done unless it is told otherwise', () => {
  expect(readConfig({}).role).toBe('all');
  expect(read({ BROADSIDE_ROLE: 'server' }).role).toBe('server');
});

test('a worker listens on this machine unless it is told otherwise', () => {
  expect(read({ BROADSIDE_ROLE: 'worker' })).toEqual({
    role: 'worker',
    host: '127.0.0.1',
    port: 8005,
    url: undefined,
  });
  expect(read({ BROADSIDE_INTERNAL_ADDRESS: '[::1]:9000', BROADSIDE_INTERNAL_URL: 'http://worker:8005/' })).toEqual({
    role: 'all',
    host: '::1',
    port: 9000,
    url: 'http://worker:8005',
  });
});

test.each([
  [{ BROADSIDE_ROLE: 'boss' }, /^BROADSIDE_ROLE is "boss"; it must be one of all, server, worker\.$/],
  [{ BROADSIDE_ROLE: 'worker', BROADSIDE_DATABASE_URL: '' }, /^BROADSIDE_ROLE=worker .*BROADSIDE_DATABASE_URL/],
  [{ BROADSIDE_ROLE: 'server', BROADSIDE_DATABASE_URL: 'file:a.db' }, /^BROADSIDE_ROLE=server /],
  [{ BROADSIDE_INTERNAL_ADDRESS: '8005' }, /^BROADSIDE_INTERNAL_ADDRESS is "8005"; .*10\.0\.0\.7:8005/],
  [{ BROADSIDE_INTERNAL_ADDRESS: 'worker:70000' }, /^BROADSIDE_INTERNAL_ADDRESS is "70000"/],
  [{ BROADSIDE_INTERNAL_URL: 'worker:8005' }, /^BROADSIDE_INTERNAL_URL is "worker:8005"/],
  [{ BROADSIDE_INTERNAL_URL: 'http://worker/path' }, /^BROADSIDE_INTERNAL_URL /],
  [{ BROADSIDE_ROLE: 'worker', BROADSIDE_INTERNAL_ADDRESS: '0.0.0.0:8005' }, /set BROADSIDE_INTERNAL_URL/],
])('settings that cannot be are rejected: %o', (settings, message) => {
  expect(() => read(settings)).toThrow(message);
});
