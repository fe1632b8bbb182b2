import { afterAll, afterEach, beforeAll } from 'vitest';
import { AdapterWorld } from '../../adapters/testing/world.ts';

/** Opens a world for the tests of a file, each of which begins without faults. @returns what gives it, from the first test on */
export function faultStage(): () => AdapterWorld {
  let stage: AdapterWorld;
  beforeAll(async () => {
    stage = await AdapterWorld.open();
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await stage.world.faults.clear();
  });
  return () => stage;
}
