import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { idleSettings } from './idle-settings.ts';

const url = 'libsql://stores.example.com';
const tls = { BROADSIDE_TLS_CERT: 'cert.pem', BROADSIDE_TLS_KEY: 'key.pem' };

test.each([
  ['BROADSIDE_INTERNAL_URL', { BROADSIDE_INTERNAL_URL: 'http://worker:8005' }],
  ['BROADSIDE_INTERNAL_ADDRESS', { BROADSIDE_INTERNAL_ADDRESS: '0.0.0.0:8005' }],
  ['BROADSIDE_DATABASE_AUTH_TOKEN', { BROADSIDE_DATABASE_AUTH_TOKEN: 'hush', BROADSIDE_ADS_DATABASE_URL: url }],
  ['BROADSIDE_ADS_DATABASE_AUTH_TOKEN', { BROADSIDE_ADS_DATABASE_AUTH_TOKEN: 'hush', BROADSIDE_DATABASE_URL: url }],
  ['BROADSIDE_SANDBOX_DATABASE_AUTH_TOKEN', { BROADSIDE_SANDBOX_DATABASE_AUTH_TOKEN: 'hush' }],
  ['BROADSIDE_METRICS_PORT', { BROADSIDE_METRICS: '0', BROADSIDE_METRICS_PORT: '9000' }],
  ['BROADSIDE_METRICS_HOST', { BROADSIDE_METRICS_HOST: '0.0.0.0' }],
  ['BROADSIDE_BASE_URL', { ...tls, BROADSIDE_BASE_URL: 'http://api.example.com' }],
  ['BROADSIDE_ADS_SANDBOX_BASE_URL', { ...tls, BROADSIDE_ADS_SANDBOX_BASE_URL: 'http://sandbox.example.com' }],
])('%s is said to have no effect, in one line without secrets', (name, env) => {
  const [said, ...more] = idleSettings(readConfig(env), env);
  expect(said).toMatch(new RegExp(`^${name} [^\n]*\\.$`));
  expect(said).not.toContain('hush');
  expect(more).toEqual([]);
});

test.each([
  [{}],
  [{ BROADSIDE_DATABASE_URL: url, BROADSIDE_DATABASE_AUTH_TOKEN: 'hush' }],
  [{ BROADSIDE_DATABASE_URL: url, BROADSIDE_ROLE: 'worker', BROADSIDE_INTERNAL_URL: 'http://worker:8005' }],
  [{ BROADSIDE_METRICS_PORT: '9000', BROADSIDE_METRICS_HOST: '0.0.0.0' }],
  [{ BROADSIDE_METRICS: '0' }],
  [{ BROADSIDE_BASE_URL: 'http://api.example.com' }],
  [{ ...tls, BROADSIDE_BASE_URL: 'https://api.example.com' }],
  [{ ...tls, BROADSIDE_TLS_LISTENERS: 'ads', BROADSIDE_BASE_URL: 'http://api.example.com' }],
])('settings that belong together give no warning: %j', (env) => {
  expect(idleSettings(readConfig(env), env)).toEqual([]);
});
