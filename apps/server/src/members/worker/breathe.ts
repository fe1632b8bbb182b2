import { Pace } from '../../pace.ts';

/** To be awaited now and then by long work. */
export type Breathe = () => Promise<void> | undefined;

/** Returns a {@link Breathe} that divides work into slices, from now on. */
export function breather(): Breathe {
  const pace = new Pace();
  return () => (pace.isOver ? pace.step() : undefined);
}
