import { expect, test } from 'vitest';
import { ProgressBar } from './progress-bar.ts';

function barOn(isTTY: boolean) {
  const written: string[] = [];
  const time = { now: 0 };
  const sink = { isTTY, columns: 80, write: async (text: string) => void written.push(text) };
  return { bar: new ProgressBar(sink, () => time.now), written, time };
}

test('elsewhere than on a terminal there is a line for each tenth, with the time that is left', async () => {
  const { bar, written, time } = barOn(false);
  for (let done = 0; done <= 1000; done += 10) {
    time.now = done * 100;
    bar.show({ done, total: 1000 });
  }
  await bar.end();
  expect(written).toHaveLength(11);
  expect(written.slice(0, 3)).toEqual(['0 %\n', '10 %, 1 min 30 s left\n', '20 %, 1 min 20 s left\n']);
  expect(written.at(-1)).toBe('100 %\n');
});

test('a terminal is drawn on ten times a second at most, and in the end', async () => {
  const { bar, written, time } = barOn(true);
  for (let done = 0; done <= 1000; done++) {
    time.now = done;
    bar.show({ done, total: 1000 });
  }
  await bar.end();
  expect(written).toHaveLength(12);
  expect(written[5]).toBe(`\r\u001b[K[${'='.repeat(12)}${' '.repeat(12)}] 50 %, 1 s left`);
  expect(written.slice(-2)).toEqual([`\r\u001b[K[${'='.repeat(24)}]100 %`, '\n']);
});

test('what was done by an earlier run does not make this one look fast', async () => {
  const { bar, written, time } = barOn(false);
  bar.show({ done: 900, total: 1000 });
  time.now = 10_000;
  bar.show({ done: 950, total: 1000 });
  time.now = 20_000;
  bar.show({ done: 1000, total: 1000 });
  await bar.end();
  expect(written).toEqual(['90 %\n', '100 %\n']);
  const other = barOn(true);
  other.bar.show({ done: 900, total: 1000 });
  other.time.now = 10_000;
  other.bar.show({ done: 950, total: 1000 });
  await other.bar.end();
  expect(other.written[1]).toContain(' 95 %, 10 s left');
});

test('nothing to do is done', async () => {
  const { bar, written } = barOn(false);
  bar.show({ done: 0, total: 0 });
  await bar.end();
  expect(written).toEqual(['100 %\n']);
});

test('without a total the note is shown, on a terminal in place, elsewhere as a line every five seconds', async () => {
  for (const isTTY of [true, false]) {
    const { bar, written, time } = barOn(isTTY);
    for (let done = 0; done <= 60; done++) {
      time.now = done * 200;
      bar.show({ done, total: undefined, note: `${done} rows` });
    }
    await bar.end();
    if (isTTY) expect(written.slice(-2)).toEqual(['\r\u001b[K60 rows', '\n']);
    else expect(written).toEqual(['0 rows\n', '25 rows\n', '50 rows\n']);
  }
});

test('lines that are said meanwhile take the place of the bar, which follows below', async () => {
  const { bar, written } = barOn(true);
  await bar.beside.write('first\n');
  bar.show({ done: 1, total: 2, note: '1 row' });
  await bar.beside.write('waiting\n');
  bar.show({ done: 1, total: 2 });
  await bar.end();
  expect(written.map((text) => text.replace(/\[=+ +\]/, '[bar]'))).toEqual([
    'first\n',
    '\r\u001b[K[bar] 50 %, 1 row',
    '\r\u001b[Kwaiting\n',
    '\r\u001b[K[bar] 50 %',
    '\n',
  ]);
});
