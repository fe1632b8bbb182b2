import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { emptyDirectory } from '../testing/run-cli.ts';
import { openAuthority } from './authority.ts';
import { certify, makeAuthority } from './certificates.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

test('the authority is made once, and its key is for its owner only', async () => {
  const directory = path.join(emptyDirectory(), 'data');
  const made = await openAuthority(directory, NOW);
  expect(await openAuthority(directory, NOW + YEAR_MS)).toEqual(made);
  expect(made.file).toBe(path.join(directory, 'proxy', 'ca.pem'));
  expect(readFileSync(made.file, 'utf8')).toBe(made.certificate);
  expect(statSync(path.join(directory, 'proxy', 'ca.key')).mode & 0o777).toBe(0o600);
  expect(statSync(path.join(directory, 'proxy')).mode & 0o777).toBe(0o700);
  expect(readdirSync(directory)).toEqual(['proxy']);
});

test('proxies that start at the same time have the same authority', async () => {
  const directory = emptyDirectory();
  const opened = await Promise.all(Array.from({ length: 4 }, () => openAuthority(directory, NOW)));
  expect(new Set(opened.map(({ certificate }) => certificate)).size).toBe(1);
  expect(readdirSync(directory)).toEqual(['proxy']);
});

test('a key that others can read, and directories that they can write to, are rejected', async () => {
  const directory = emptyDirectory();
  await openAuthority(directory, NOW);
  const folder = path.join(directory, 'proxy');
  chmodSync(path.join(folder, 'ca.key'), 0o640);
  await expect(openAuthority(directory, NOW)).rejects.toThrow(`Others can read ${folder}/ca.key`);
  chmodSync(path.join(folder, 'ca.key'), 0o600);
  chmodSync(folder, 0o770);
  await expect(openAuthority(directory, NOW)).rejects.toThrow(`Others can write to ${folder}`);
  chmodSync(folder, 0o700);
  chmodSync(directory, 0o777);
  await expect(openAuthority(directory, NOW)).rejects.toThrow(`Others can write to ${directory}`);
  chmodSync(directory, 0o755);
  expect(await openAuthority(directory, NOW)).toMatchObject({ file: path.join(folder, 'ca.pem') });
  // Neither is one made where others could replace it at once.
  const open = path.join(emptyDirectory(), 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  await expect(openAuthority(open, NOW)).rejects.toThrow(`Others can write to ${open}`);
  expect(readdirSync(open)).toEqual([]);
});

test('an authority that cannot sign is named, and not replaced', async () => {
  const directory = emptyDirectory();
  const { file, certificate } = await openAuthority(directory, NOW);
  await expect(openAuthority(directory, NOW + 11 * YEAR_MS)).rejects.toThrow('ca.pem expired on ');
  writeFileSync(file, (await makeAuthority(NOW)).certificate);
  await expect(openAuthority(directory, NOW)).rejects.toThrow('ca.key is not the key of ca.pem');
  writeFileSync(file, 'nothing');
  await expect(openAuthority(directory, NOW)).rejects.toThrow('cannot be used');
  const other = emptyDirectory();
  writeFileSync(path.join(other, 'proxy'), '');
  await expect(openAuthority(other, NOW)).rejects.toThrow(`${other}/proxy is not a directory`);
  expect(certificate).toContain('BEGIN CERTIFICATE');
});

test('an authority that ends soon says so, and is used until then', async () => {
  const directory = emptyDirectory();
  const { notice } = await openAuthority(directory, NOW);
  expect(notice).toBeUndefined();
  const late = NOW + 3650 * 24 * 60 * 60 * 1000 - 1000;
  expect(await openAuthority(directory, late)).toMatchObject({
    notice: expect.stringMatching(/ends on Nov 19 12:00:00 2036 GMT\. Remove the folder/),
  });
});

test('certificates name the hosts, are no authorities, and are signed by the authority', async () => {
  const authority = await makeAuthority(NOW);
  const issuer = new X509Certificate(authority.certificate);
  const { certificate } = await certify(authority, ['api.example.com', 'ads.example.com'], NOW);
  const own = new X509Certificate(certificate);
  expect(own.checkIssued(issuer) && own.verify(issuer.publicKey)).toBe(true);
  expect([own.checkHost('api.example.com'), own.checkHost('ads.example.com')]).toEqual([
    'api.example.com',
    'ads.example.com',
  ]);
  expect(own.checkHost('www.example.com')).toBeUndefined();
  expect([issuer.ca, own.ca]).toEqual([true, false]);
  const days = (held: X509Certificate) => (Date.parse(held.validTo) - NOW) / (24 * 60 * 60 * 1000);
  expect([days(issuer), days(own)]).toEqual([3650, 90]);
  expect(Date.parse(own.validFrom)).toBeLessThan(NOW);
  const again = await certify(authority, ['api.example.com'], NOW);
  expect(new X509Certificate(again.certificate).serialNumber).not.toBe(own.serialNumber);
});
