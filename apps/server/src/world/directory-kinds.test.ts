/** Each entry of a data directory that is of another kind than what the server keeps there is rejected. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dataNames, directoryNames, fileNames } from '../data-names.ts';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { checkKinds } from './directory-kinds.ts';

const databases = ['lock.db', 'platform.db', 'ads-production.db', 'ads-sandbox.db'];
const files = [...fileNames, ...databases.flatMap((name) => ['', '-wal', '-shm', '-journal'].map((end) => name + end))];

const check = (dataDirectory: string) => () => checkKinds({ dataDirectory });

function make(kind: 'file' | 'directory', ...parts: readonly string[]): string {
  const place = path.join(...parts);
  if (kind === 'file') writeFileSync(place, '');
  else mkdirSync(place);
  return place;
}

test('what the server writes is a file or a directory, and each is said of some entry', () => {
  expect([...fileNames, ...directoryNames].toSorted()).toEqual(Object.values(dataNames).toSorted());
  expect(fileNames).toEqual(expect.arrayContaining(['secret.key', 'credentials.json', 'server.id', 'ids.state']));
  expect(directoryNames).toEqual(
    expect.arrayContaining(['media', 'templates', 'before-upgrade', 'replacing', 'exports', 'worlds']),
  );
});

test.each([
  ...files.map((name) => [name, 'directory', 'file'] as const),
  ...directoryNames.map((name) => [name, 'file', 'directory'] as const),
])('%s that is a %s is rejected, and accepted as a %s', (name, wrong, right) => {
  const directory = temporaryDirectory();
  const place = make(wrong, directory, name);
  expect(check(directory)).toThrow(
    `${place} is a ${wrong}, but the server keeps a ${right} there. Move it away, or restore what was there.`,
  );
  const other = temporaryDirectory();
  make(right, other, name);
  expect(check(other)).not.toThrow();
});

test('links count as what they lead to, and one that leads nowhere is rejected', () => {
  const elsewhere = temporaryDirectory();
  const [file, folder] = [make('file', elsewhere, 'file'), make('directory', elsewhere, 'folder')];
  const linked = (name: string, target: string) => {
    const directory = temporaryDirectory();
    symlinkSync(target, path.join(directory, name));
    return check(directory);
  };
  for (const name of ['secret.key', 'platform.db']) {
    expect(linked(name, file)).not.toThrow();
    expect(linked(name, folder)).toThrow('is a directory, but the server keeps a file there');
    for (const nowhere of [path.join(elsewhere, 'nothing'), name])
      expect(linked(name, nowhere)).toThrow('is a symbolic link whose target cannot be reached');
  }
  expect(linked('media', folder)).not.toThrow();
  expect(linked('media', file)).toThrow('is a file, but the server keeps a directory there');
  expect(linked('mine', path.join(elsewhere, 'nothing'))).not.toThrow();
});

test('snapshots of a world that are a file are rejected', () => {
  const directory = temporaryDirectory();
  mkdirSync(path.join(directory, 'snapshots'));
  make('directory', directory, 'snapshots', 'default');
  expect(check(directory)).not.toThrow();
  const place = make('file', directory, 'snapshots', 'other');
  expect(check(directory)).toThrow(`${place} is a file`);
});

test('what is not there, or has another name, is no reason to reject', () => {
  const directory = temporaryDirectory();
  for (const name of ['lost+found', 'notes']) make('directory', directory, name);
  expect(check(directory)).not.toThrow();
  expect(check(path.join(directory, 'missing'))).not.toThrow();
  expect(check(path.join(make('file', directory, 'file'), 'data'))).not.toThrow();
});

test('the name of a store that is elsewhere is not looked at', () => {
  const dataDirectory = temporaryDirectory();
  make('directory', dataDirectory, 'ads-sandbox.db');
  expect(() => checkKinds({ dataDirectory, stores: { sandbox: { url: 'http://localhost:8080' } } })).not.toThrow();
  expect(() => checkKinds({ dataDirectory, stores: { production: { url: 'http://localhost:8080' } } })).toThrow();
});
