/** The server as a library: worlds, applications and the running server. */
export { type AppName, type AppOptions, createApp, type ListenerName, listenerNames } from './app.ts';
export { type Config, ConfigError, readConfig, settings } from './config/config.ts';
export { copyClosedWorld, copyWorld } from './copies/copy-world.ts';
export { packWorld } from './copies/pack-world.ts';
export { unpackWorld } from './copies/unpack-world.ts';
export { createServices } from './create-services.ts';
export type { Credentials } from './demo/credentials.ts';
export { ensureDemo } from './demo/demo.ts';
export { keepingJournal } from './journal/keeping.ts';
export { usualJournal } from './journal/records.ts';
export { type Verified, verifyJournal } from './journal/verify-journal.ts';
export { ListenError } from './listening/listeners.ts';
export { createLogger } from './log.ts';
export { World } from './open-world.ts';
export type { Caller } from './pipeline/caller.ts';
export type { Context } from './pipeline/context.ts';
export type { Services } from './pipeline/execute.ts';
export type { RateLimitProfile } from './pipeline/rate-limiter.ts';
/** The families behind the interface, for tests and tools that store what no operation makes. */
export * as families from './resources/registry.ts';
export { type RunningServer, startServer } from './server.ts';
export { main } from './start.ts';
export { type Clock, ManualClock, type WallClock, wallClock } from './world/clock.ts';
export { type Environment, environments } from './world/environment.ts';
export { type Random, SeededRandom, systemRandom } from './world/random.ts';
export type { WorldOptions } from './world/world-options.ts';
export { WorldHost } from './worlds/world-host.ts';
