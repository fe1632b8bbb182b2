/** The server as a library: worlds, applications and the running server. */
export { type AppOptions, createApp, createServices, type ListenerName, listenerNames } from './app.ts';
export { type Config, ConfigError, readConfig, settings } from './config/config.ts';
export { type Credentials, ensureDemo } from './demo/demo.ts';
export { createLogger } from './log.ts';
export type { Caller, Context } from './pipeline/context.ts';
export type { Services } from './pipeline/execute.ts';
export type { RateLimitProfile } from './pipeline/rate-limiter.ts';
export { ListenError, type RunningServer, startServer } from './server.ts';
export { main } from './start.ts';
export { type Clock, ManualClock, wallClock } from './world/clock.ts';
export { type Random, SeededRandom, systemRandom } from './world/random.ts';
export { type Environment, environments, World, type WorldOptions } from './world/world.ts';
