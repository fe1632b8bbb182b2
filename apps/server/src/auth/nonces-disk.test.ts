/**
 * The registry over a disk that can fail. Every file call is passed to the real file system; the test records what `fsync` has
 * made durable, so that a power loss can be simulated: each file falls back to what was synced, or keeps a part of what
 * came after.
 */
import * as realFs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenLogged } from './nonce-turn.ts';
import { NonceRegistry } from './nonces.ts';

/** State of the fake disk. */
interface FakeDisk {
  /** Open files by descriptor. */
  readonly paths: Map<number, string>;
  /** Content of each file at its last sync. */
  readonly durable: Map<string, string>;
  syncs: number;
  writes: number;
  /** Failure of writes: bytes written, and the error. In place means to where the file has bytes already. */
  failure: Failure | undefined;
}

interface Failure {
  readonly bytes: number;
  readonly error: Error | undefined;
  readonly inPlace?: boolean;
}

// Hoisted, because the mock is made before any other code here runs.
const disk = vi.hoisted(
  (): FakeDisk => ({ paths: new Map(), durable: new Map(), syncs: 0, writes: 0, failure: undefined }),
);

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof realFs>();
  const synced = (file: number) => {
    const path = disk.paths.get(file);
    if (path === undefined) return;
    disk.syncs += 1;
    disk.durable.set(path, fs.readFileSync(path, 'latin1'));
  };
  return {
    ...fs,
    openSync: (path: string, flags: string, mode?: number) => {
      const file = fs.openSync(path, flags, mode);
      if (fs.fstatSync(file).isFile()) disk.paths.set(file, path);
      return file;
    },
    closeSync: (file: number) => {
      disk.paths.delete(file);
      fs.closeSync(file);
    },
    fsyncSync: synced,
    fdatasyncSync: synced,
    writeSync: (file: number, text: string, position: number | null, encoding: BufferEncoding) => {
      disk.writes += 1;
      const { failure } = disk;
      const isInPlace = position !== null && fs.fstatSync(file).size > position;
      if (failure === undefined || (isInPlace && failure.inPlace !== true))
        return fs.writeSync(file, text, position, encoding);
      if (failure.error !== undefined) throw failure.error;
      return fs.writeSync(file, text.slice(0, failure.bytes), position, encoding);
    },
  };
});

const NOW = 1_700_000_000;
const OWNER = { consumerKey: 'ck', token: 'tok' };
const LOGS = ['nonces.0.log', 'nonces.1.log'];
const FILES = [...LOGS, 'state'];
const FULL = {
  bytes: 0,
  error: Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }),
};

let directory: string;
let now: number;
/** Time that has passed, in milliseconds: it follows the clock forward only. */
let passed: number;

beforeEach(() => {
  passed = 0;
  directory = realFs.mkdtempSync(join(tmpdir(), 'broadside-nonces-'));
  now = NOW;
  disk.durable.clear();
  disk.syncs = 0;
  disk.writes = 0;
  disk.failure = undefined;
});
afterEach(() => {
  realFs.rmSync(directory, { recursive: true, force: true });
});

function open(boot: number, rotateBytes?: number): NonceRegistry {
  const elapsed = () => {
    passed = Math.max(passed, (now - NOW) * 1000);
    return passed;
  };
  return NonceRegistry.open({ nowSeconds: () => now, elapsed, directory, bootId: () => `boot-${boot}`, rotateBytes });
}

/** Each file keeps what was synced and `kept` (0 to 1) of what was written later, or is restored as it was before. */
function losePower(kept: number): void {
  for (const name of FILES) {
    const path = join(directory, name);
    const synced = disk.durable.get(path);
    if (!realFs.existsSync(path)) continue;
    const present = realFs.readFileSync(path, 'latin1');
    if (synced === undefined) {
      // Never synced, so not even its name needs to have reached the disk.
      if (kept === 0) realFs.rmSync(path);
      else realFs.writeFileSync(path, present.slice(0, Math.floor(present.length * kept)), 'latin1');
    } else if (name === 'state') {
      // Written in place: a slot may be as it was, as it is, or half of each.
      const at = Math.floor(present.length * kept);
      realFs.writeFileSync(path, present.slice(0, at) + synced.slice(at), 'latin1');
    } else if (present.startsWith(synced)) {
      const later = present.slice(synced.length);
      realFs.writeFileSync(path, synced + later.slice(0, Math.floor(later.length * kept)), 'latin1');
    } else {
      // Truncated and restarted since.
      const anew = present.slice(0, Math.floor(present.length * kept));
      realFs.writeFileSync(path, kept < 0.3 ? synced : anew, 'latin1');
    }
  }
}

test('uses are not synced: one write for each, and an occasional sync for the timestamps of the next half minute', () => {
  const registry = open(1);
  const [syncs, writes] = [disk.syncs, disk.writes];
  for (let index = 0; index < 1000; index += 1) registry.consume(OWNER, NOW + 30 - (index % 300), `${index}`);
  expect(disk.syncs - syncs).toBe(0);
  expect(disk.writes - writes).toBe(1000);
  for (let second = 0; second < 300; second += 1) {
    now = NOW + second;
    for (const skew of [120, 0, -120]) registry.consume(OWNER, now + skew, `ahead-${second}`);
  }
  expect(disk.syncs - syncs).toBeLessThanOrEqual(11);
  expect(disk.syncs - syncs).toBeGreaterThanOrEqual(1);
});

test('a loss of power, with every line since the last sync gone, makes no nonce usable again', () => {
  const registry = open(1);
  expect(registry.consume(OWNER, NOW + 290, 'ahead')).toBe(true);
  expect(registry.consume(OWNER, NOW, 'n')).toBe(true);
  expect(registry.consume(OWNER, NOW + 5, 'ahead')).toBe(true);
  losePower(0);
  now += 1;
  const after = open(2);
  expect(after.size).toBe(0);
  expect(after.consume(OWNER, NOW, 'n')).toBe(false);
  expect(after.consume(OWNER, NOW + 290, 'ahead')).toBe(false);
  expect(after.consume(OWNER, NOW + 5, 'ahead')).toBe(false);
});

test('a power loss right after a clean restart is detected too', () => {
  open(1).close();
  const registry = open(1);
  registry.consume(OWNER, NOW, 'n');
  losePower(0);
  expect(open(2).consume(OWNER, NOW, 'n')).toBe(false);
});

test('a clean close syncs every line of both files first', () => {
  const registry = open(1, 200);
  for (let second = 0; second < 1400; second += 10) {
    now = NOW + second;
    registry.consume(OWNER, now, `${second}`);
  }
  registry.close();
  expect(realFs.readdirSync(directory).sort()).toEqual(FILES);
  const before = FILES.map((name) => realFs.readFileSync(join(directory, name), 'latin1'));
  losePower(0);
  expect(FILES.map((name) => realFs.readFileSync(join(directory, name), 'latin1'))).toEqual(before);
  const after = open(2);
  expect(after.consume(OWNER, now, 'new')).toBe(true);
  for (let second = 1100; second < 1400; second += 10) {
    expect(after.consume(OWNER, NOW + second, `${second}`)).toBe(false);
  }
});

test('no nonce is accepted twice, whatever happens to clock, process and power', () => {
  const use = fc.record({ kind: fc.constant('use' as const), skew: fc.integer({ min: -300, max: 300 }) });
  const wait = fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 0, max: 250 }) });
  const jump = fc.record({ kind: fc.constant('jump' as const), to: fc.constantFrom(0, 250, 400, 7200, -90_000) });
  const full = fc.record({ kind: fc.constant('full' as const), bytes: fc.constantFrom(undefined, 0, 5, 30, 70) });
  const kill = fc.record({ kind: fc.constant('kill' as const) });
  const close = fc.record({ kind: fc.constant('close' as const), reboot: fc.boolean() });
  const power = fc.record({ kind: fc.constant('power' as const), kept: fc.double({ min: 0, max: 1, noNaN: true }) });
  const step = fc.oneof(
    { weight: 8, arbitrary: use },
    { weight: 4, arbitrary: wait },
    { weight: 1, arbitrary: jump },
    { weight: 1, arbitrary: full },
    { weight: 1, arbitrary: kill },
    { weight: 1, arbitrary: close },
    { weight: 1, arbitrary: power },
  );
  let taken = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
      realFs.rmSync(directory, { recursive: true, force: true });
      disk.durable.clear();
      now = NOW;
      passed = 0;
      disk.failure = undefined;
      let boot = 1;
      let registry = open(boot, 300);
      const used: [timestamp: number, nonce: string][] = [];
      const replayAll = () => {
        for (const [timestamp, nonce] of used) expect(registry.consume(OWNER, timestamp, nonce)).toBe(false);
      };
      for (const one of steps) {
        if (one.kind === 'use') {
          const timestamp = now + one.skew;
          const nonce = `${used.length}`;
          if (registry.consume(OWNER, timestamp, nonce)) used.push([timestamp, nonce]);
        } else if (one.kind === 'wait') {
          now += one.seconds;
          passed += one.seconds * 1000;
        } else if (one.kind === 'jump') {
          now = NOW + one.to;
          replayAll();
        } else if (one.kind === 'full') {
          disk.failure = one.bytes === undefined ? undefined : { bytes: one.bytes, error: undefined };
        } else {
          if (one.kind === 'close') registry.close();
          if (one.kind === 'close' && one.reboot) boot += 1;
          if (one.kind === 'power') {
            losePower(one.kept);
            boot += 1;
          }
          // A server does not start on a full disk.
          disk.failure = undefined;
          registry = open(boot, 300);
          replayAll();
        }
      }
      replayAll();
      taken += used.length;
    }),
    { seed: 7, numRuns: 300 },
  );
  // Rejecting everything would pass too.
  expect(taken).toBeGreaterThan(2000);
});

test.each<[string, Failure]>([
  ['an error', FULL],
  ['a part of the line', { bytes: 13, error: undefined }],
  ['nothing', { bytes: 0, error: undefined }],
])('on a full disk requests are served, and none of their nonces again: %s', (_, failure) => {
  const registry = open(1);
  expect(registry.consume(OWNER, NOW, 'before')).toBe(true);
  disk.failure = failure;
  expect(registry.consume(OWNER, NOW, 'full')).toBe(true);
  expect(registry.consume(OWNER, NOW, 'full')).toBe(false);
  expect(registry.problem).toMatch(/ENOSPC|the disk may be full$/);
  // The process dies before there is space again.
  disk.failure = undefined;
  const after = open(1);
  for (const nonce of ['before', 'full', 'another']) expect(after.consume(OWNER, NOW, nonce)).toBe(false);
  expect(after.consume(OWNER, NOW + 31, 'later')).toBe(true);
});

test('when there is space again, what waited is written, and a restart knows every nonce', () => {
  const registry = open(1);
  disk.failure = { bytes: 13, error: undefined };
  for (const nonce of ['a', 'b']) expect(registry.consume(OWNER, NOW, nonce)).toBe(true);
  disk.failure = undefined;
  // Not tried again at once: a full disk must not cost every request an attempt.
  expect(registry.consume(OWNER, NOW, 'c')).toBe(true);
  expect(registry.problem).toBeDefined();
  passed += 1000;
  expect(registry.consume(OWNER, NOW, 'd')).toBe(true);
  expect(registry.problem).toBeUndefined();
  const after = open(1);
  for (const nonce of ['a', 'b', 'c', 'd']) expect(after.consume(OWNER, NOW, nonce)).toBe(false);
  expect(after.consume(OWNER, NOW, 'new')).toBe(true);
});

test('a disk on which nothing at all can be written lets no request through, and every nonce can be used later', async () => {
  const registry = open(1);
  disk.failure = { ...FULL, inPlace: true };
  expect(() => registry.consume(OWNER, NOW, 'n')).toThrow('ENOSPC');
  const turn = await Promise.allSettled(['a', 'b'].map((nonce) => whenLogged(registry.accept(OWNER, NOW, nonce))));
  expect(turn.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  disk.failure = undefined;
  for (const nonce of ['n', 'a', 'b']) expect(registry.consume(OWNER, NOW, nonce)).toBe(true);
});

test('a time that cannot be reserved is rejected with the error of the disk', () => {
  const registry = open(1);
  now += 100;
  disk.failure = { ...FULL, inPlace: true };
  expect(() => registry.consume(OWNER, now, 'n')).toThrow('ENOSPC');
});

test('a disk that is full when switching files costs no request, and no nonce', () => {
  const registry = open(1, 100);
  for (let index = 0; index < 10; index += 1) registry.consume(OWNER, NOW, `${index}`);
  // The first file exceeded its size after its header and a line or two; now the second one does, and the first has expired.
  const heads = () => LOGS.map((name) => realFs.readFileSync(join(directory, name), 'latin1').trim().split('\n', 1)[0]);
  expect(heads()).toEqual(['broadside-nonces-2 1', 'broadside-nonces-2 2']);
  now += 400;
  disk.failure = { bytes: 5, error: undefined };
  expect(registry.consume(OWNER, now, 'n')).toBe(true);
  disk.failure = undefined;
  now += 1;
  expect(registry.consume(OWNER, now, 'm')).toBe(true);
  expect(heads()[1]).toBe('broadside-nonces-2 2');
  const after = open(1, 100);
  for (const [index, nonce] of ['n', 'm'].entries()) expect(after.consume(OWNER, NOW + 400 + index, nonce)).toBe(false);
  expect(after.consume(OWNER, now, 'new')).toBe(true);
});

test('a process killed while files are switched starts again and knows every nonce', () => {
  const fill = (registry: NonceRegistry) => {
    for (const round of [0, 1, 2]) {
      now = NOW + round * 400;
      for (let index = 0; index < 10; index += 1) registry.consume(OWNER, now, `${round} ${index}`);
    }
  };
  fill(open(1, 100));
  const state = realFs.readFileSync(join(directory, 'state'));
  const files = LOGS.map((name) => realFs.readFileSync(join(directory, name)));
  const registry = open(1, 100);
  now += 400;
  registry.consume(OWNER, now, 'switching');
  expect(realFs.readFileSync(join(directory, 'state'))).not.toEqual(state);
  // The state names the next file, which is still what it was.
  for (const [index, name] of LOGS.entries()) realFs.writeFileSync(join(directory, name), files[index] ?? '');
  const after = open(1, 100);
  expect(after.consume(OWNER, now, 'new')).toBe(true);
  now -= 400;
  for (let index = 0; index < 10; index += 1) expect(after.consume(OWNER, now, `2 ${index}`)).toBe(false);
});

test('the uses of one event loop turn are logged together, before any of them may be served', async () => {
  const registry = open(1);
  const before = disk.writes;
  const turn = Array.from({ length: 500 }, (_, index) => whenLogged(registry.accept(OWNER, NOW, `${index}`)));
  expect(disk.writes).toBe(before);
  const copies = [registry.accept(OWNER, NOW, '7'), registry.consume(OWNER, NOW, '8')];
  expect(copies).toEqual([false, false]);
  expect(await Promise.all(turn)).toEqual(turn.map(() => true));
  expect(disk.writes).toBe(before + 1);
  expect(registry.accept(OWNER, NOW, '7')).toBe(false);
  const after = open(1);
  for (const nonce of ['0', '7', '499']) expect(after.consume(OWNER, NOW, nonce)).toBe(false);
});

test('closing logs the uses that the turn has accepted so far', async () => {
  const registry = open(1);
  const accepted = whenLogged(registry.accept(OWNER, NOW, 'last'));
  registry.close();
  expect(await accepted).toBe(true);
  expect(open(1).consume(OWNER, NOW, 'last')).toBe(false);
});
