import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NonceRegistry, type NonceRegistryOptions } from './nonces.ts';

const NOW = 1_700_000_000;
const OWNER = { consumerKey: 'ck', token: 'tok' };

let directory: string;
let now: number;
/** Time that has passed, in milliseconds: it follows the clock forward only. */
let passed: number;

beforeEach(() => {
  passed = 0;
  directory = mkdtempSync(join(tmpdir(), 'broadside-nonces-'));
  now = NOW;
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function elapsed(): number {
  passed = Math.max(passed, (now - NOW) * 1000);
  return passed;
}

function open(options: Partial<NonceRegistryOptions> = {}): NonceRegistry {
  return NonceRegistry.open({ nowSeconds: () => now, elapsed, directory, bootId: () => 'boot-1', ...options });
}

function logText(): string {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.log'))
    .sort()
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('');
}

describe.each(['memory', 'disk'])('a registry (%s)', (kind) => {
  const make = (options: Partial<NonceRegistryOptions> = {}) =>
    open(kind === 'memory' ? { directory: undefined, ...options } : options);

  test('accepts a nonce once', () => {
    const registry = make();
    expect(registry.consume(OWNER, NOW, 'n')).toBe(true);
    expect(registry.consume(OWNER, NOW, 'n')).toBe(false);
    now += 1;
    expect(registry.consume(OWNER, NOW, 'n')).toBe(false);
    expect(registry.consume(OWNER, NOW, 'm')).toBe(true);
    expect(registry.size).toBe(2);
  });

  test('accepts it again for another timestamp, consumer or token', () => {
    const registry = make();
    const uses: [typeof OWNER | { consumerKey: string; token: undefined }, number][] = [
      [OWNER, NOW],
      [OWNER, NOW - 1],
      [{ consumerKey: 'ck', token: 'other' }, NOW],
      [{ consumerKey: 'ck', token: undefined }, NOW],
      [{ consumerKey: 'other', token: 'tok' }, NOW],
    ];
    for (const [owner, timestamp] of uses) expect(registry.consume(owner, timestamp, 'n')).toBe(true);
    for (const [owner, timestamp] of uses) expect(registry.consume(owner, timestamp, 'n')).toBe(false);
  });

  test('different parts never collide', () => {
    const registry = make();
    const parts: [string, string | undefined, string][] = [
      ['a', 'b', 'c'],
      ['a', undefined, 'bc'],
      ['ab', undefined, 'c'],
      ['a', 'bc', ''],
      ['a b', undefined, 'c'],
      ['a', 'b c', ''],
      ['a 1 b', undefined, 'c'],
      ['a', undefined, ' b c'],
      ['a', undefined, '1 b c'],
      ['a b', 'c', 'd'],
      ['a', 'b c', 'd'],
      ['a', 'b', 'c d'],
      ['a\n', undefined, 'c'],
      ['a', '\nc', ''],
    ];
    for (const [consumerKey, token, nonce] of parts) {
      expect(registry.consume({ consumerKey, token }, NOW, nonce), JSON.stringify([consumerKey, token, nonce])).toBe(
        true,
      );
    }
    expect(registry.size).toBe(parts.length);
  });

  test('rejects timestamps outside the window, and stores none', () => {
    const registry = make();
    for (const timestamp of [NOW - 301, NOW + 301, 0, 999_999_999_999]) {
      expect(registry.consume(OWNER, timestamp, 'n')).toBe(false);
    }
    expect(registry.size).toBe(0);
    for (const timestamp of [NOW - 300, NOW + 300]) expect(registry.consume(OWNER, timestamp, 'n')).toBe(true);
  });

  test('rejects a replay for as long as the timestamp is inside the window, second by second', () => {
    const registry = make();
    expect(registry.consume(OWNER, NOW + 300, 'late')).toBe(true);
    expect(registry.consume(OWNER, NOW - 300, 'early')).toBe(true);
    for (now = NOW; now <= NOW + 700; now += 1) {
      expect(registry.consume(OWNER, NOW + 300, 'late')).toBe(false);
      expect(registry.consume(OWNER, NOW - 300, 'early')).toBe(false);
    }
  });

  test('a nonce that was rejected is known as used, or its time is not known any more', () => {
    const registry = make({ rotateBytes: 1000 });
    expect(registry.consume(OWNER, NOW, 'n')).toBe(true);
    expect([registry.isUsed(OWNER, NOW, 'n'), registry.isUsed(OWNER, NOW, 'other')]).toEqual([true, false]);
    for (; now < NOW + 1200; now += 10) expect(registry.consume(OWNER, now, 'later')).toBe(true);
    now = NOW;
    for (const nonce of ['n', 'other']) {
      expect(registry.consume(OWNER, NOW, nonce)).toBe(false);
      expect(registry.isUsed(OWNER, NOW, nonce)).toBe(false);
    }
  });

  test('a clock that is set back makes no nonce usable again, and locks nobody out', () => {
    const registry = make();
    expect(registry.consume(OWNER, NOW, 'n')).toBe(true);
    now = NOW + 500;
    expect(registry.consume(OWNER, now, 'later')).toBe(true);
    now = NOW;
    expect(registry.consume(OWNER, NOW, 'n')).toBe(false);
    expect(registry.consume(OWNER, NOW, 'new')).toBe(true);
    expect(registry.consume(OWNER, NOW + 250, 'new')).toBe(true);
  });

  test.each([
    [7200, 0, -90_000, 0],
    [86_400, 10, 0],
    [-86_400, 0, 86_400, 0],
  ])('a clock that steps by %i and on lets every nonce through once, and every new one at once', (...steps) => {
    let registry = make();
    const used: [number, string][] = [];
    for (const [index, step] of [0, ...steps].entries()) {
      now = NOW + step;
      for (const [timestamp, nonce] of used) expect(registry.consume(OWNER, timestamp, nonce)).toBe(false);
      for (const skew of [-300, 0, 300]) {
        expect(registry.consume(OWNER, now + skew, `${index}`)).toBe(true);
        used.push([now + skew, `${index}`]);
      }
      if (kind === 'disk') registry = make();
    }
  });

  test('what was used while the clock was ahead stays used, when so many are used that memory is given free', () => {
    const registry = make({ rotateBytes: 1000 });
    now = NOW + 7200;
    expect(registry.consume(OWNER, now, 'ahead')).toBe(true);
    for (now = NOW; now < NOW + 7200 - 300; now += 10) {
      passed += 10_000;
      expect(registry.consume(OWNER, now, 'n')).toBe(true);
    }
    expect(registry.size).toBeLessThan(250);
    for (; now < NOW + 7600; now += 10) {
      passed += 10_000;
      expect(registry.consume(OWNER, NOW + 7200, 'ahead')).toBe(false);
      expect(registry.consume(OWNER, now, 'n')).toBe(true);
    }
  });

  test('a clock that is ahead for less than five minutes costs nobody a request, however many are served', () => {
    const registry = make({ rotateBytes: 1000 });
    const serve = (seconds: number, ahead: number) => {
      for (let second = 0; second < seconds; second += 1) {
        now = NOW + passed / 1000 + ahead;
        expect(registry.consume(OWNER, now, 'n'), `${second} ${ahead}`).toBe(true);
        passed += 1000;
      }
    };
    serve(1000, 0);
    serve(290, 86_400);
    serve(1000, 0);
  });

  test('of 1,000 simultaneous copies one is accepted', async () => {
    const registry = make();
    const copies = Array.from({ length: 1000 }, async () => {
      await Promise.resolve();
      return registry.consume(OWNER, NOW, 'copy');
    });
    expect((await Promise.all(copies)).filter(Boolean)).toHaveLength(1);
  });

  test('a fraction of a second in the clock changes nothing', () => {
    const registry = make();
    now = NOW + 0.9;
    expect(registry.consume(OWNER, NOW - 300, 'n')).toBe(true);
    expect(registry.consume(OWNER, NOW - 300, 'n')).toBe(false);
  });
});

test('memory is bounded by the window, over a million nonces', () => {
  const registry = open({ directory: undefined });
  const perSecond = 250;
  let most = 0;
  for (let second = 0; second < 4000; second += 1) {
    now = NOW + second;
    for (let index = 0; index < perSecond; index += 1) registry.consume(OWNER, now, `${index}`);
    if (second % 50 === 0) most = Math.max(most, registry.size);
  }
  // Two generations, each begun when the one before the last has left the window, by the minute.
  expect(most).toBeLessThanOrEqual(perSecond * 2 * (300 + 60 + 1));
  expect(most).toBeGreaterThanOrEqual(perSecond * 300);
});

describe('after a restart', () => {
  test.each(['closed', 'not closed'])('a replay is rejected (%s), and others are accepted', (how) => {
    const before = open();
    expect(before.consume(OWNER, NOW, 'n')).toBe(true);
    expect(before.consume({ consumerKey: 'ck', token: undefined }, NOW - 200, 'm')).toBe(true);
    if (how === 'closed') before.close();
    now += 5;
    const after = open();
    expect(after.size).toBe(2);
    expect(after.consume(OWNER, NOW, 'n')).toBe(false);
    expect(after.consume({ consumerKey: 'ck', token: undefined }, NOW - 200, 'm')).toBe(false);
    expect(after.consume(OWNER, NOW - 200, 'm')).toBe(true);
  });

  test('a clock that is set back across the restart makes no nonce usable again', () => {
    const before = open();
    before.consume(OWNER, NOW, 'n');
    now = NOW + 1000;
    before.consume(OWNER, now, 'later');
    before.close();
    now = NOW;
    expect(open().consume(OWNER, NOW, 'n')).toBe(false);
  });

  test.each([1, 5, 10, 22, 23, 30])('a last line torn by %i bytes is skipped, and later lines are kept', (bytes) => {
    const before = open();
    before.consume(OWNER, NOW, 'whole');
    before.consume(OWNER, NOW, 'torn');
    const file = join(directory, 'nonces.0.log');
    truncateSync(file, statSync(file).size - bytes);
    const after = open();
    expect(after.consume(OWNER, NOW, 'whole')).toBe(false);
    expect(after.consume(OWNER, NOW, 'next')).toBe(true);
    const third = open();
    expect(third.consume(OWNER, NOW, 'whole')).toBe(false);
    expect(third.consume(OWNER, NOW, 'next')).toBe(false);
  });

  test('garbage in the log is skipped', () => {
    open().consume(OWNER, NOW, 'n');
    appendFileSync(
      join(directory, 'nonces.0.log'),
      `\0\0\0\n${NOW} short\nfloor x\nahead\nopen\nahead 99999999999999\nclose now\n`,
    );
    const after = open();
    expect(after.consume(OWNER, NOW, 'n')).toBe(false);
    expect(after.consume(OWNER, NOW, 'm')).toBe(true);
  });

  test('every nonce of a process that was killed with SIGKILL is rejected', async () => {
    const script = fileURLToPath(new URL('./testing/nonce-process.ts', import.meta.url));
    const child = spawn(
      process.execPath,
      ['--conditions=@broadside/source', '--disable-warning=ExperimentalWarning', script, directory, `${NOW}`, '500'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(child, 'exit');
    const [said] = await Promise.race([once(child.stdout, 'data'), exited]);
    expect(String(said)).toBe('consumed\n');
    child.kill('SIGKILL');
    expect(await exited).toEqual([null, 'SIGKILL']);
    // The same boot of the same kernel, so nothing else is rejected. Where a boot has no id, everything before is.
    const registry = NonceRegistry.open({ directory, nowSeconds: () => now });
    for (let index = 0; index < 500; index += 1) {
      expect(registry.consume({ consumerKey: 'ck', token: 'tok' }, NOW, `nonce-${index}`)).toBe(false);
    }
    expect(registry.consume(OWNER, NOW, 'new')).toBe(process.platform === 'linux');
    expect(registry.consume(OWNER, NOW + 1, 'new')).toBe(true);
  });
});

/** Returns whether the registry takes the present time, and a time that nothing was reserved for. */
function isOpen(registry: NonceRegistry): [now: boolean, later: boolean] {
  return [registry.isOpen(NOW), registry.isOpen(NOW + 31)];
}

describe('a log of the former format', () => {
  const former = (...lines: string[]) => {
    const log = ['broadside-nonces-1 1', 'open boot-1', 'floor 1699990000', 'ahead 1700000040', ...lines, ''];
    writeFileSync(join(directory, 'nonces.0.log'), log.join('\n'));
  };

  test('is taken over: its nonces are known, and what it rejected is rejected', () => {
    const before = open();
    before.consume(OWNER, NOW, 'n');
    const line = logText().trim().split('\n').at(-1) ?? '';
    rmSync(join(directory, 'state'));
    former(line);
    const after = open();
    expect(after.consume(OWNER, NOW, 'n')).toBe(false);
    expect(after.consume(OWNER, NOW, 'm')).toBe(true);
    expect(after.isOpen(1_699_990_000)).toBe(false);
    expect(isOpen(open())).toEqual([true, true]);
    expect(isOpen(open({ bootId: () => 'boot-2' }))).toEqual([false, false]);
  });

  test('rejects what it may have lost with another boot, unless it was closed', () => {
    former();
    expect(isOpen(open({ bootId: () => 'boot-2' }))).toEqual([false, false]);
    rmSync(join(directory, 'state'));
    former('close');
    expect(isOpen(open({ bootId: () => 'boot-2' }))).toEqual([true, true]);
  });
});

describe('after another boot of the kernel', () => {
  test('without a clean close, timestamps that could have been accepted are rejected', () => {
    const before = open();
    before.consume(OWNER, NOW, 'n');
    now += 20;
    const after = open({ bootId: () => 'boot-2' });
    expect(after.consume(OWNER, NOW + 30, 'new')).toBe(false);
    expect(after.consume(OWNER, NOW - 300, 'new')).toBe(false);
    expect(after.consume(OWNER, NOW + 31, 'new')).toBe(true);
    // The rejection lasts across a restart in the new boot.
    now += 5;
    expect(isOpen(open({ bootId: () => 'boot-2' }))).toEqual([false, true]);
  });

  test('a clock that is behind then rejects the same', () => {
    const before = open();
    now += 7200;
    before.consume(OWNER, now, 'n');
    now = NOW - 86_400;
    const after = open({ bootId: () => 'boot-2' });
    now = NOW + 7200;
    expect(after.consume(OWNER, now, 'n')).toBe(false);
    now = NOW + 3600;
    expect(after.consume(OWNER, now, 'between')).toBe(true);
  });

  test('with a clean close, nothing more is rejected than before', () => {
    const before = open();
    before.consume(OWNER, NOW, 'n');
    before.close();
    now += 20;
    const after = open({ bootId: () => 'boot-2' });
    expect(after.consume(OWNER, NOW, 'n')).toBe(false);
    expect(after.consume(OWNER, NOW, 'm')).toBe(true);
  });

  test('a clean close counts only for the run that it ends', () => {
    open().close();
    open({ bootId: () => 'boot-1' });
    expect(isOpen(open({ bootId: () => 'boot-2' }))).toEqual([false, true]);
  });

  test('a torn last line does not swallow the line with the boot id', () => {
    open().consume(OWNER, NOW, 'n');
    const file = join(directory, 'nonces.0.log');
    truncateSync(file, statSync(file).size - 5);
    open({ bootId: () => 'boot-2' });
    now += 5;
    // Killed and started again within boot-2: nothing was lost in between.
    expect(isOpen(open({ bootId: () => 'boot-2' }))).toEqual([false, true]);
  });

  test('a boot without an id counts as a different one', () => {
    open({ bootId: () => undefined });
    expect(isOpen(open({ bootId: () => undefined }))).toEqual([false, true]);
  });

  test('a log whose header was lost counts as one with lost lines', () => {
    writeFileSync(join(directory, 'nonces.0.log'), '\0'.repeat(100));
    expect(open().isOpen(NOW)).toBe(false);
    expect(open().isOpen(NOW + 1)).toBe(true);
  });

  test.each(['nonces.0.log', 'state'])('a lost file counts as lost lines: %s', (name) => {
    open().consume(OWNER, NOW, 'n');
    rmSync(join(directory, name));
    expect(open().consume(OWNER, NOW, 'n')).toBe(false);
  });

  test.each([0, 1])('a state with a damaged slot (%i) rejects no less', (slot) => {
    const before = open();
    before.consume(OWNER, NOW, 'n');
    const file = join(directory, 'state');
    const bytes = readFileSync(file);
    bytes.fill(0, slot * 4096, slot * 4096 + 100);
    writeFileSync(file, bytes);
    expect(open({ bootId: () => 'boot-2' }).consume(OWNER, NOW, 'n')).toBe(false);
  });

  test('a state without a valid slot rejects everything up to now', () => {
    open().consume(OWNER, NOW, 'n');
    writeFileSync(join(directory, 'state'), 'junk');
    const after = open();
    expect(isOpen(after)).toEqual([false, true]);
    expect(isOpen(open())).toEqual([false, true]);
  });

  test('a first start rejects nothing', () => {
    expect(open().consume(OWNER, NOW, 'n')).toBe(true);
  });
});

describe('the two files', () => {
  /** Some clients' clocks are fast, some slow, some right. */
  function skew(index: number): number {
    return ((index % 5) - 2) * 150;
  }

  /** Uses nonces while the clock advances, restarting now and then; returns the largest size of the log. */
  function run(seconds: number, perSecond: number): number {
    let registry = open({ rotateBytes: 2000 });
    let largest = 0;
    for (let second = 0; second < seconds; second += 1) {
      now = NOW + second;
      if (second % 97 === 96) registry = open({ rotateBytes: 2000 });
      for (let index = 0; index < perSecond; index += 1) {
        const timestamp = now + skew(second + index);
        expect(registry.consume(OWNER, timestamp, `${second}-${index}`)).toBe(true);
      }
      largest = Math.max(largest, logText().length);
    }
    return largest;
  }

  test('alternate, so the log stays small, and every replay is rejected after a restart at any time', () => {
    const largest = run(4000, 2);
    // Each file is written for at most slightly over the 600 seconds for which its lines and those of the other one matter.
    expect(largest).toBeLessThan(2 * 700 * 2 * 40);
    const names = readdirSync(directory).sort();
    expect(names).toEqual(['nonces.0.log', 'nonces.1.log', 'state']);
    const after = open();
    for (let second = 3000; second < 4000; second += 1) {
      for (let index = 0; index < 2; index += 1) {
        const timestamp = NOW + second + skew(second + index);
        expect(after.consume(OWNER, timestamp, `${second}-${index}`)).toBe(false);
      }
    }
  });
});

describe('errors of the file system', () => {
  test('a directory that cannot be created is reported at once', () => {
    writeFileSync(join(directory, 'file'), '');
    expect(() => open({ directory: join(directory, 'file', 'x') })).toThrow(/ENOTDIR/);
  });

  test('a closed registry accepts nothing, and closing again does nothing', () => {
    const registry = open();
    registry.close();
    registry.close();
    expect(() => registry.consume(OWNER, NOW, 'n')).toThrow('closed');
  });

  test('the log is readable by its owner only, and contains neither keys nor nonces', () => {
    open().consume({ consumerKey: 'the-key', token: 'the-token' }, NOW, 'the-nonce');
    expect(statSync(join(directory, 'nonces.0.log')).mode & 0o777).toBe(0o600);
    expect(logText()).not.toMatch(/the-/);
  });
});
