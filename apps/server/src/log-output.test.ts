import { expect, test } from 'vitest';
import { LogOutput, type Sink, standardOutput } from './log-output.ts';

/** A sink whose writes the test ends. */
function sink() {
  const written: Buffer[] = [];
  let waiting: { bytes: Buffer; done: Parameters<Sink>[1] } | undefined;
  const write: Sink = (bytes, done) => {
    expect(waiting, 'one write at a time').toBeUndefined();
    waiting = { bytes, done };
  };
  const end = (error: Error | null, count?: number) => {
    const { bytes, done } = waiting ?? expect.fail('nothing is being written');
    waiting = undefined;
    const length = count ?? (error ? 0 : bytes.length);
    // A copy, since the memory is used again.
    if (length > 0) written.push(Buffer.from(bytes.subarray(0, length)));
    done(error, length);
  };
  return { write, end, text: () => Buffer.concat(written).toString(), isBusy: () => waiting !== undefined };
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: it failed`), { code });
}

function open(to: ReturnType<typeof sink>, limit = 100): LogOutput {
  return new LogOutput({ sink: to.write, lossLine: (lost) => `lost ${lost}\n`, limit, retry_ms: 1 });
}

test('lines are written together, in order', async () => {
  const to = sink();
  const output = open(to);
  for (const line of ['a\n', 'b\n']) output.write(line);
  const flushed = output.flush(1000);
  output.write('c\n');
  to.end(null);
  to.end(null);
  await flushed;
  expect(to.text()).toBe('a\nb\nc\n');
});

test('lines that come while others are written wait for more of them', () => {
  const to = sink();
  const output = open(to, 200_000);
  output.write(`${'a'.repeat(140_000)}\n`);
  expect(to.isBusy()).toBe(true);
  output.write('b\n');
  to.end(null);
  expect(to.isBusy()).toBe(false);
  output.write(`${'c'.repeat(140_000)}\n`);
  expect(to.isBusy()).toBe(true);
});

test('a write that takes a part is continued where it ended', async () => {
  const to = sink();
  const output = open(to);
  output.write('première\n');
  const flushed = output.flush(1000);
  to.end(null, 5);
  to.end(failure('EAGAIN'));
  await expect.poll(to.isBusy).toBe(true);
  to.end(failure('ENOSPC'));
  expect(output.problem).toContain('ENOSPC');
  await expect.poll(to.isBusy).toBe(true);
  to.end(null);
  await flushed;
  expect([to.text(), output.problem, output.lost]).toEqual(['première\n', undefined, 0]);
});

test('lines beyond the limit are dropped and counted, and the place where they are missing says so', async () => {
  const to = sink();
  const output = open(to, 6);
  output.write('a\n');
  const flushed = output.flush(1000);
  for (const line of ['b\n', 'c\n', 'd\n', 'e\n', 'f\n']) output.write(line);
  expect(output.lost).toBe(2);
  to.end(null);
  to.end(null);
  await flushed;
  output.write('g\n');
  const last = output.flush(1000);
  to.end(null);
  await last;
  expect(to.text()).toBe('a\nb\nc\nd\nlost 2\ng\n');
  expect(output.lost).toBe(2);
});

test('many lines arrive whole and in order, however slow the reader', async () => {
  const to = sink();
  const output = open(to, 1_000_000);
  const lines = Array.from({ length: 20_000 }, (_, i) => `${i} ${'é€😀'.repeat(i % 9)}\n`);
  for (const [i, line] of lines.entries()) {
    output.write(line);
    if (to.isBusy() && i % 90 === 0) to.end(null, 20_000);
  }
  const flushed = output.flush(1000);
  while (to.isBusy()) to.end(null);
  await flushed;
  expect(to.text()).toBe(lines.join(''));
  expect(output.lost).toBe(0);
});

test('lines that are bytes already are written in turn, and dropped and counted together', async () => {
  const to = sink();
  const output = open(to, 20);
  output.write('première\n');
  output.writeBytes(Buffer.from('b\nc\n'), 2);
  output.write('d\n');
  output.writeBytes(Buffer.from('e\nf\ng\n'), 3);
  expect(output.lost).toBe(3);
  const flushed = output.flush(1000);
  to.end(null);
  await flushed;
  output.writeBytes(Buffer.from('h\n'), 1);
  const last = output.flush(1000);
  to.end(null);
  to.end(null);
  await last;
  expect(to.text()).toBe('première\nb\nc\nd\nlost 3\nh\n');
});

test('lines that nobody takes are left for the end of the process', () => {
  const to = sink();
  const output = open(to);
  for (const line of ['première\n', 'b\n']) output.write(line);
  expect(output.take().toString()).toBe('première\nb\n');
  expect(output.take().length).toBe(0);
});

test('a reader that is gone costs nothing but lines', async () => {
  const to = sink();
  const output = open(to);
  for (const line of ['a\n', 'b\n']) output.write(line);
  const flushed = output.flush(1000);
  output.write('c\n');
  to.end(failure('EPIPE'));
  await flushed;
  output.write('d\n');
  await output.flush(1000);
  expect([output.lost, output.problem, to.isBusy()]).toEqual([4, 'EPIPE: it failed', false]);
});

test('a flush gives up when nothing is written', async () => {
  const to = sink();
  const output = open(to);
  output.write('a\n');
  await output.flush(1);
  expect(to.isBusy()).toBe(true);
});

test('any number of logs listen to errors of standard output once', () => {
  const { stdout } = process;
  const before = stdout.listenerCount('error');
  for (let i = 0; i < 20; i++) standardOutput();
  expect(stdout.listenerCount('error') - before).toBeLessThan(2);
});
