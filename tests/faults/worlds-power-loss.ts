/**
 * Losses of power while worlds, the default one among them, are forked, changed, snapshotted, restored, reset and deleted: what was
 * acknowledged is there, and what was under way took effect wholly or not at all.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chanceOf } from '../crash/session.ts';
import { type Figures, type Play, playRound } from '../crash/worlds/round.ts';
import type { FaultControl } from './control.ts';
import { Power, wayOf } from './power.ts';

/** Results of a round. */
export interface WorldPowerFigures extends Figures {
  /** Writes to files and names that the disk did not have. */
  readonly dropped: number;
}

/**
 * Plays a round and loses the power. The next round, or `endPlay`, finds what is wrong then.
 * @throws AssertionError for what the loss before has left
 */
export async function playWorldPowerLoss(
  play: Play,
  scratch: string,
  control: FaultControl,
  seed: number,
): Promise<WorldPowerFigures> {
  const { directory } = play;
  const chance = chanceOf(seed);
  const power = new Power({ directory, scratch }, control, chance);
  control.set(0, 0);
  const boot = path.join(scratch, 'boot');
  writeFileSync(boot, `boot ${seed}\n`);
  const figures = await playRound(play, seed, power.environment(boot));
  const dropped = power.lose(wayOf(chance));
  // Otherwise the next requests would have to be signed ahead of time.
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (path.basename(name) === 'nonces') rmSync(path.join(directory, name), { recursive: true, force: true });
  }
  return { ...figures, dropped };
}
