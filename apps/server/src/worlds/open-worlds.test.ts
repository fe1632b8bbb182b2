import { describe, expect, it, test } from 'vitest';
import { ManualClock } from '../world/clock.ts';
import { CallsUnderWayError, WorldBusyError } from './errors.ts';
import { OpenWorlds } from './open-worlds.ts';

const ID = 'w0000001';
const HOUR_MS = 3_600_000;

/** A host of worlds that note what is done with them. Closing waits for `allow`. */
function noted(exists: () => boolean = () => true, patience_ms?: number) {
  const log: string[] = [];
  let [now, opened] = [0, 0];
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const worlds = new OpenWorlds({
    async open(id) {
      log.push(`open ${id}`);
      if (!exists()) return undefined;
      opened++;
      const number = opened;
      const close = async () => {
        log.push(`close ${number}`);
        await gate.promise;
      };
      const rest = () => log.push(`rest ${number}`);
      return {
        number,
        world: {
          faults: { endWaits: () => log.push('end waits'), allowWaits: () => log.push('wait again') },
          stores: { rest },
          close,
        },
      };
    },
    wallClock: { elapsed: () => now },
    patience_ms,
    failed: (error) => log.push(`failed: ${String(error)}`),
  });
  return {
    worlds,
    log,
    pass(ms: number) {
      now += ms;
    },
    /** Has closing wait. @returns what ends that */
    holdClosing() {
      gate = Promise.withResolvers();
      return gate.resolve;
    },
  };
}

/** Lets all that can be done without anything else happening be done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('worlds that are opened and closed', () => {
  it('opens a world once for all that enter it, and closes it when the last has left', async () => {
    const { worlds, log } = noted();
    const [one, other] = await Promise.all([worlds.enter(ID), worlds.enter(ID)]);
    expect(one).toBe(other);
    const alone = worlds.alone(ID, async () => void log.push('work'));
    one?.leave();
    await settled();
    expect(log).toEqual([`open ${ID}`, 'end waits']);
    other?.leave();
    await alone;
    expect(log).toEqual([`open ${ID}`, 'end waits', 'close 1', 'work']);
    expect(worlds.has(ID)).toBe(false);
  });

  it('has a request that finds a closing world wait, and opens the world anew for it', async () => {
    const { worlds, pass, holdClosing } = noted();
    (await worlds.enter(ID))?.leave();
    pass(HOUR_MS);
    const allow = holdClosing();
    worlds.closeIdle();
    await settled();
    let inside: number | undefined;
    const entered = worlds.enter(ID).then((hosted) => {
      inside = hosted?.services.number;
    });
    await settled();
    expect(inside).toBeUndefined();
    allow();
    await entered;
    expect(inside).toBe(2);
  });

  it('keeps requests out of a world until it has been replaced', async () => {
    const { worlds, log } = noted();
    (await worlds.enter(ID))?.leave();
    const work = Promise.withResolvers<void>();
    const replaced = worlds.alone(ID, () => work.promise);
    const requests = [1, 2].map(async (number) => {
      await worlds.enter(ID);
      log.push(`enter ${number}`);
    });
    await settled();
    expect(log).toEqual([`open ${ID}`, 'end waits', 'close 1']);
    work.resolve();
    await Promise.all([replaced, ...requests]);
    expect(log.slice(3)).toEqual([`open ${ID}`, 'enter 1', 'enter 2']);
  });

  it('replaces a world that is closing while a request waits for it, which enters no world that has been closed', async () => {
    const { worlds, log, pass, holdClosing } = noted();
    (await worlds.enter(ID))?.leave();
    pass(HOUR_MS);
    const allow = holdClosing();
    worlds.closeIdle();
    await settled();
    const request = async () => {
      const hosted = await worlds.enter(ID);
      log.push(`enter ${hosted?.services.number}`);
      hosted?.leave();
    };
    const waiting = request();
    // Asked for after that of the request, so the world is opened for it and closed again before the request has entered.
    const replaced = worlds.alone(ID, async () => void log.push('work'));
    allow();
    await Promise.all([waiting, replaced]);
    const opened = [`open ${ID}`, 'end waits'];
    expect(log).toEqual([...opened, 'close 1', ...opened, 'close 2', 'work', `open ${ID}`, 'enter 3']);
  });

  it('rejects a second replacement, and takes another one when the first has failed', async () => {
    const { worlds } = noted();
    const first = worlds.alone(ID, () => Promise.reject(new Error('no room')));
    await expect(worlds.alone(ID, async () => {})).rejects.toThrow(WorldBusyError);
    await expect(first).rejects.toThrow('no room');
    await worlds.alone(ID, async () => {});
    (await worlds.enter(ID))?.leave();
    expect(worlds.has(ID)).toBe(true);
  });

  it('stays open, with its calls, where one that is under way does not end in time', async () => {
    const { worlds, log } = noted(undefined, 1);
    const inside = await worlds.enter(ID);
    await expect(worlds.alone(ID, async () => void log.push('work'))).rejects.toThrow(CallsUnderWayError);
    expect(await worlds.enter(ID)).toBe(inside);
    expect(log).toEqual([`open ${ID}`, 'end waits', 'wait again']);
    inside?.leave();
    inside?.leave();
    await worlds.alone(ID, async () => void log.push('work'));
    expect(log.slice(3)).toEqual(['end waits', 'close 1', 'work']);
  });

  it('has the stores of open worlds rest a few times a minute', async () => {
    const { worlds, log, pass } = noted();
    (await worlds.enter(ID))?.leave();
    pass(15_000);
    worlds.closeIdle();
    pass(5_000);
    worlds.closeIdle();
    expect(log).toEqual([`open ${ID}`, 'rest 1']);
    pass(10_000);
    worlds.closeIdle();
    expect(log.slice(2)).toEqual(['rest 1']);
  });

  it('lets other work pass while the stores of many worlds come to rest', async () => {
    const rested: string[] = [];
    const open = async (id: string) => {
      const rest = () => {
        rested.push(id);
        const until = performance.now() + 50;
        while (performance.now() < until);
      };
      return { world: { faults: { endWaits() {}, allowWaits() {} }, stores: { rest }, close: async () => {} } };
    };
    const worlds = new OpenWorlds({ open, wallClock: { elapsed: () => HOUR_MS }, failed: expect.fail });
    const ids = ['w0000001', 'w0000002', 'w0000003'];
    for (const id of ids) (await worlds.enter(id))?.leave();
    worlds.closeIdle();
    expect(rested.length).toBeLessThan(ids.length);
    await expect.poll(() => rested).toEqual(ids);
  });

  it('closes the worlds unused for longest above the most that are open', async () => {
    const { worlds, pass } = noted();
    for (let number = 0; number < 258; number++) {
      (await worlds.enter(`w${number}`))?.leave();
      pass(1);
    }
    worlds.closeIdle();
    await settled();
    expect([worlds.has('w0'), worlds.has('w1'), worlds.has('w2')]).toEqual([false, false, true]);
  });

  it('opens nothing once it has been closed, and waits for what was under way', async () => {
    const { worlds, log } = noted();
    const late = Promise.withResolvers<void>();
    const replaced = worlds.alone(ID, () => late.promise.then(() => void log.push('work')));
    const waiting = worlds.enter(ID);
    const closed = worlds.close().then(() => void log.push('closed'));
    await settled();
    expect(log).toEqual([]);
    late.resolve();
    await Promise.all([replaced, closed]);
    expect(await waiting).toBeUndefined();
    expect(log).toEqual(['work', 'closed']);
  });

  it('finds no world where there is none any more', async () => {
    let isThere = true;
    const { worlds } = noted(() => isThere);
    (await worlds.enter(ID))?.leave();
    const deleted = worlds.alone(ID, async () => {
      isThere = false;
    });
    expect(await worlds.enter(ID)).toBeUndefined();
    await deleted;
  });
});

/** Worlds that do nothing but open and close. */
function stage() {
  const clock = new ManualClock(0);
  const open = new Set<string>();
  const worlds = new OpenWorlds({
    open: async (id: string) => {
      open.add(id);
      return {
        world: {
          faults: { endWaits: () => {}, allowWaits: () => {} },
          stores: { rest: () => {} },
          close: async () => void open.delete(id),
        },
      };
    },
    wallClock: clock,
    failed: (error) => {
      throw error;
    },
  });
  /** A request to a world, a moment after the one before. */
  const ask = async (id: string) => {
    clock.advance(1);
    const hosted = await worlds.enter(id);
    clock.advance(1);
    hosted?.leave();
  };
  return { clock, open, worlds, ask };
}

test('requests to ever other worlds keep no more than 256 open: the one unused for longest is closed for each that is opened', async () => {
  const { open, worlds, ask } = stage();
  const used = await worlds.enter('in use');
  for (let i = 0; i < 600; i++) {
    await ask(`w${i}`);
    // It is asked for again and again.
    await ask('often');
    expect(open.size).toBeLessThanOrEqual(257);
  }
  await expect.poll(() => open.size).toBe(256);
  expect([open.has('in use'), open.has('often'), open.has('w599'), open.has('w346')]).toEqual([true, true, true, true]);
  expect(open.has('w345')).toBe(false);
  used?.leave();
  await worlds.close();
  expect(open.size).toBe(0);
});
