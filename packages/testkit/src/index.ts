/** In-process Broadside worlds for tests. */
export {
  type Answer,
  buildRequest,
  type Params,
  type SignOverrides,
  type TestRequest,
  type WireRequest,
} from './request.ts';
export type { TestUser } from './user.ts';
export { type CreateWorldOptions, createWorld, type Seen, TestWorld } from './world.ts';
