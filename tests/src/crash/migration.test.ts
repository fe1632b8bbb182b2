import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { playMigrations } from '../../crash/migration/play.ts';

// More of them: `npm run crash:migration`.
test('stores of an earlier version are the same in the end, although servers are killed while they migrate', async () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'broadside-migration-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const { kills } = await playMigrations(scratch, { rows: 4000, kills: 2, seed: 1 });
  expect(kills).toBe(2);
});
