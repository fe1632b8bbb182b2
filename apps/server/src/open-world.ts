import { attachFamilies, entities, initializeAccount } from './families.ts';
import { World as BareWorld } from './world/world.ts';
import type { ReadingOptions, WorldOptions } from './world/world-options.ts';

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
    await world.time.begin();
    // Loaded when it is used: a server needs none of it to start.
    world.seeds.handle(async (data, directory) => {
      const { applySeedData } = await import('./seed/apply-data.ts');
      return applySeedData(world, data, directory);
    });
    return world;
  },

  /**
   * Opens a world for reading, in a thread beside the one that writes.
   * @throws as the class {@link BareWorld} does
   */
  openReading(options: ReadingOptions): Promise<World> {
    return BareWorld.openReading(options, { entities, furnish: initializeAccount });
  },
};
