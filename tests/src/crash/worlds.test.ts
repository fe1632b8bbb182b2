import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { beginPlay, endPlay, playRound } from '../../crash/worlds/round.ts';
import { about } from '../support/scenario.ts';

// More of them: `npm run crash:worlds -- --rounds 50`.
test(about('W-CRASH'), async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'broadside-crash-worlds-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const play = beginPlay(directory);
  let acknowledged = 0;
  for (const seed of [1, 2, 3]) acknowledged += (await playRound(play, seed)).acknowledged;
  await endPlay(play);
  expect(acknowledged).toBeGreaterThan(0);
});
