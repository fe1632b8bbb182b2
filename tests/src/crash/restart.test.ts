import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { playRestarts } from '../../crash/restart/play.ts';

// More of them: `npm run crash:restart`.
test('a server that is restarted under load refuses and resets no connection, and loses no acknowledged write', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-restart-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { restarts, written } = await playRestarts(directory, { restarts: 3, workers: 2 });
  expect(restarts).toBe(3);
  expect(written).toBeGreaterThan(50);
});
