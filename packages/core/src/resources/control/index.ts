export { type ChangedKind, changedKinds, MAX_CROWD } from './actions-shared.ts';
export { DEFAULT_WORLD, origins, Snapshot, World, WorldCredentials, WorldInUse } from './entity.ts';
export {
  GeneratorOptions,
  generatorDefaults,
  MAX_GENERATED_POSTS,
  MAX_GENERATED_USERS,
} from './generate.ts';
export { exportWorld, importWorld, PACKED_WORLD_TYPE } from './transfer.ts';
export { MAX_TTL_SECONDS } from './worlds.ts';
