import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canInject, FaultControl } from '../../faults/control.ts';
import { playFaults } from '../../faults/round.ts';

// More of them: `npm run faults -- --rounds 50`.
test.runIf(canInject())(
  'while calls to the file system fail, nothing acknowledged is lost and nothing rejected is stored',
  { timeout: 120_000 },
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
