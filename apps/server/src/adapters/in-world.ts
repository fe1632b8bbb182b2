/** Runs what is no call, such as a page or the bytes of media, in the world that its address or a credential names. */
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { WORLD_HEADER } from '../pipeline/choose-world.ts';
import type { Services } from '../pipeline/services.ts';
import { DEFAULT_ID } from '../worlds/host-options.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Leaves the world that the answer is made in. */
    leaveWorld?: () => void;
  }
}

/**
 * A hook of routes with {@link inWorld}: whoever makes the answer has left the world when it begins. It may take as long as a reader likes to: a
 * page waits for events for hours, a film stands still.
 */
export const leavesWorld: onSendHookHandler = (request, _reply, payload, done) => {
  request.leaveWorld?.();
  done(null, payload);
};

/**
 * Runs a work in a world, which stays open until its answer begins.
 * @param credential by which the world is found, where the address names none
 * @param inNone the work where the world has been deleted
 */
export async function inWorld(
  services: Services,
  request: FastifyRequest,
  credential: string | undefined,
  work: (services: Services) => Promise<FastifyReply>,
  inNone: () => FastifyReply,
): Promise<FastifyReply> {
  const { worlds } = services;
  const named = request.headers[WORLD_HEADER];
  const id = typeof named === 'string' ? named : worlds?.worldOf(credential);
  if (worlds === undefined) return work(services);
  if (id === undefined && worlds.here === undefined) return work(services);
  const begun = new Promise<void>((resolve) => {
    request.leaveWorld = resolve;
  });
  const done = await worlds.use(id ?? DEFAULT_ID, async (own) => {
    // A promise of the framework's reply resolves when all of it was sent.
    const sent = work(own);
    await Promise.race([begun, sent]);
    return { sent };
  });
  return done ? done.sent : inNone();
}
