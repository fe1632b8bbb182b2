import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openNativeClient } from '../../../apps/server/src/db/native-client.ts';
import { beginPlay, endPlay } from '../../crash/worlds/round.ts';
import { canInject, FaultControl } from '../../faults/control.ts';
import { FileTrace } from '../../faults/file-trace.ts';
import { checkTrace, playPowerLoss } from '../../faults/power-loss.ts';
import { playFaults } from '../../faults/round.ts';
import { playWorldPowerLoss } from '../../faults/worlds-power-loss.ts';
import { packageArguments } from '../support/package-arguments.ts';

// More of them: `npm run faults -- --rounds 50`.
test.runIf(canInject())(
  'while calls to the file system fail, nothing acknowledged is lost and nothing rejected is stored',
  async () => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-faults-'));
    onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
    const directory = path.join(scratch, 'data');
    mkdirSync(directory, { mode: 0o700 });
    const control = new FaultControl(scratch, 1);
    onTestFinished(() => control.close());
    for (const seed of [1, 2]) {
      const { acknowledged, injected } = await playFaults(directory, control, seed);
      expect(acknowledged).toBeGreaterThan(0);
      expect(injected).toBeGreaterThan(0);
    }
  },
);

// More of them: `npm run faults -- --power 50`.
test.runIf(canInject())(
  'what was acknowledged survives a loss of power, and a store whose disk lied about syncs is noticed',
  async () => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-power-'));
    onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
    const places = { scratch, directory: path.join(scratch, 'data') };
    mkdirSync(places.directory, { mode: 0o700 });
    const control = new FaultControl(scratch, 1);
    onTestFinished(() => control.close());
    await checkTrace(places, control, 1);
    const { acknowledged, dropped } = await playPowerLoss(places, control, 2, 'honest');
    expect(acknowledged).toBeGreaterThan(0);
    expect(dropped).toBeGreaterThan(0);
    expect(await playPowerLoss(places, control, 3, 'lies about a store')).toMatchObject({
      noticed: expect.stringContaining('older than it was'),
    });
  },
);

// More of them: `npm run faults -- --power 50`.
test.runIf(canInject())(
  'worlds that are copied, replaced and reset survive losses of power wholly or not at all',
  async () => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-power-worlds-'));
    onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
    const play = beginPlay(path.join(scratch, 'data'));
    mkdirSync(play.directory, { mode: 0o700 });
    const control = new FaultControl(scratch, 1);
    onTestFinished(() => control.close());
    for (const seed of [1, 2]) {
      const { acknowledged, dropped } = await playWorldPowerLoss(play, scratch, control, seed);
      expect(acknowledged).toBeGreaterThan(0);
      expect(dropped).toBeGreaterThan(0);
    }
    await endPlay(play);
  },
);

test.runIf(canInject())(
  'a world that was replaced leaves no WAL beside the new store when power is lost, also where SQLite has removed that of the new one',
  async () => {
    const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-power-replace-'));
    onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
    const directory = path.join(scratch, 'data');
    const control = new FaultControl(scratch, 1);
    onTestFinished(() => control.close());
    for (const [place, name] of [
      [directory, 'old'],
      [path.join(directory, 'next'), 'new'],
    ] as const) {
      mkdirSync(place);
      const client = openNativeClient({ path: path.join(place, 'ads-sandbox.db') });
      await client.executeMultiple(`CREATE TABLE names (name); INSERT INTO names VALUES ('${name}')`);
      client.close();
    }
    const files = new FileTrace(directory, path.join(scratch, 'copy'));
    const trace = path.join(scratch, 'trace');
    const program = path.join(import.meta.dirname, '../../faults/replace-store.ts');
    const { signal, stderr } = spawnSync(process.execPath, [...packageArguments, '--expose-gc', program, directory], {
      env: { ...process.env, ...control.tracing(directory, trace, '') },
      encoding: 'utf8',
    });
    expect(signal, stderr).toBe('SIGKILL');
    files.play(trace);
    const left = path.join(scratch, 'left');
    files.leave(left, { kept: 0, torn: 0, chance: () => 0.5 });
    const client = openNativeClient({ path: path.join(left, 'ads-sandbox.db') });
    onTestFinished(() => client.close());
    expect(client.readRows('SELECT name FROM names')).toEqual([['new']]);
  },
);
