import { attachFamilies, entities, initializeAccount } from './families.ts';
import { World as BareWorld, type WorldOptions } from './world/world.ts';

/** A world with all families. */
export type World = BareWorld;

export const World = {
  /**
   * Opens the stores of a world and brings them up to date.
   * @throws as the class {@link BareWorld} does
   */
  async open(options: WorldOptions): Promise<World> {
    const world = await BareWorld.open(options, { entities, furnish: initializeAccount });
    attachFamilies(world);
    return world;
  },
};
