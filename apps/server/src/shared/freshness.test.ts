import { expect, test } from 'vitest';
import { Freshness } from './freshness.ts';
import { type Subject, subjects } from './shared-state.ts';

function stage() {
  let now = 0;
  const dropped: Subject[] = [];
  const freshness = new Freshness(
    (subject) => dropped.push(subject),
    () => now,
  );
  const note = (counts: Partial<Record<Subject, string>> = {}, epoch = 'a', inFlux: readonly Subject[] = []) => {
    dropped.length = 0;
    const all = { identities: '0', production: '0', sandbox: '0', ...counts };
    freshness.note({ epoch, counts: all, inFlux: new Set(inFlux) });
    return [...dropped];
  };
  note();
  return {
    note,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test('what is of the generation that was read last is kept', () => {
  const { note } = stage();
  expect(note()).toEqual([]);
});

test('a subject of another generation is dropped once', () => {
  const { note } = stage();
  expect(note({ production: '1' })).toEqual(['production']);
  expect(note({ production: '1' })).toEqual([]);
});

test('a subject in flux is dropped each time, and once more when that ends', () => {
  const { note } = stage();
  expect(note({ identities: '1' }, 'a', ['identities'])).toEqual(['identities']);
  expect(note({ identities: '1' }, 'a', ['identities'])).toEqual(['identities']);
  expect(note({ identities: '1' })).toEqual(['identities']);
  expect(note({ identities: '1' })).toEqual([]);
});

test('everything is dropped when generations are counted anew', () => {
  const { note } = stage();
  expect(note({}, 'b')).toEqual(subjects);
  expect(note({}, 'b')).toEqual([]);
});

test('nothing is kept for longer than a minute', () => {
  const { note, wait } = stage();
  wait(60_000);
  expect(note()).toEqual([]);
  wait(1);
  expect(note()).toEqual(subjects);
  expect(note()).toEqual([]);
});
