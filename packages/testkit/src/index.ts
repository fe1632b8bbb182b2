/** Broadside worlds for tests: in process, and of a server. */

// First, so that an older Node is named before anything meets what it lacks.
import './node-version.ts';

export type { TestClock } from './clocks.ts';
export type { Control, WorldControl } from './connect/call-control.ts';
export type { ConnectOptions } from './connect/connect.ts';
export type {
  Advance,
  Advanced,
  ControlledWorld,
  ForkOptions,
  SnapshotOrId,
  TakenSnapshot,
} from './controlled-world.ts';
export type { ImportWorldOptions } from './create-world.ts';
export type { CreateWorldOptions, ListenOptions, Seen } from './open-world.ts';
export type { Answer, Params, SignOverrides, TestRequest, WireRequest } from './request.ts';
export type { ExpectedCall } from './unmet-expectations.ts';
export type { TestUser } from './user.ts';
export type { WorldSnapshot } from './world-copies.ts';

// Loaded after that has run: what a module imports by name is looked for before any module runs.
const creation = await import('./create-world.ts');
const world = await import('./world.ts');
const request = await import('./request.ts');

export const createWorld: typeof import('./create-world.ts').createWorld = creation.createWorld;
export const importWorld: typeof import('./create-world.ts').importWorld = creation.importWorld;
export const TestWorld: typeof import('./world.ts').TestWorld = world.TestWorld;
export type TestWorld = import('./world.ts').TestWorld;
export const buildRequest: typeof import('./request.ts').buildRequest = request.buildRequest;

const unmet = await import('./unmet-expectations.ts');
export const UnmetExpectationsError: typeof import('./unmet-expectations.ts').UnmetExpectationsError =
  unmet.UnmetExpectationsError;
export type UnmetExpectationsError = import('./unmet-expectations.ts').UnmetExpectationsError;

const connection = await import('./connect/connect.ts');
const calls = await import('./connect/call-control.ts');

export const connect: typeof import('./connect/connect.ts').connect = connection.connect;
export const ConnectedServer: typeof import('./connect/connect.ts').ConnectedServer = connection.ConnectedServer;
export type ConnectedServer = import('./connect/connect.ts').ConnectedServer;
export const ConnectedWorld: typeof import('./connect/connect.ts').ConnectedWorld = connection.ConnectedWorld;
export type ConnectedWorld = import('./connect/connect.ts').ConnectedWorld;
export const ConnectError: typeof import('./connect/connect.ts').ConnectError = connection.ConnectError;
export type ConnectError = import('./connect/connect.ts').ConnectError;
export const ControlError: typeof import('./connect/call-control.ts').ControlError = calls.ControlError;
export type ControlError = import('./connect/call-control.ts').ControlError;
