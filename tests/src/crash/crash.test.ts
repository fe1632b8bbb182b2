import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { beginPlay, playRound } from '../../crash/round.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'broadside-crash-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

// More of them: `node --conditions=@broadside/source tests/crash/main.ts --rounds 50`.
test.for([1, 2])(
  'a killed server has lost nothing that it acknowledged, and done nothing by halves (round %i)',
  async (seed) => {
    const { acknowledged } = await playRound(beginPlay(directory), seed);
    expect(acknowledged).toBeGreaterThan(0);
  },
);
