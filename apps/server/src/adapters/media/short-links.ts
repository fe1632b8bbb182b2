/** Redirects of short links: to the page of a post, or to the bytes of media. */
import { ApiError } from '@broadside/core';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { postOfCode } from '../../media/short-link.ts';
import type { Services } from '../../pipeline/services.ts';
import type { World } from '../../world/world.ts';
import { inWorld, leavesWorld } from '../in-world.ts';
import { sendNumberedError } from '../rest/routes.ts';

/** Adds the route of short links. */
export function registerShortLinks(app: FastifyInstance, services: Services): void {
  app.route<{ Params: { code: string } }>({
    method: ['GET', 'HEAD'],
    url: '/s/:code',
    onSend: leavesWorld,
    handler: (request, reply) =>
      inWorld(
        services,
        request,
        undefined,
        ({ world }) => follow(world, request.params.code, reply),
        () => missing(reply),
      ),
  });
}

async function follow(world: World, code: string, reply: FastifyReply): Promise<FastifyReply> {
  const post_id = postOfCode(code);
  // Paths are relative, so that they are right behind a proxy that adds one.
  if (post_id !== undefined) {
    const page = await world.posts.publicPage(post_id);
    // A post can be deleted or hidden, so nobody remembers where its link leads.
    if (page !== undefined) return reply.code(302).header('location', `..${page}`).send();
  } else {
    const blob_key = /^[a-z0-9]+$/.test(code) ? await world.servedMedia.linked(code) : undefined;
    // The target of a code of media does not change, unless a world gives the code out again.
    const status = world.servedMedia.isImmutable ? 301 : 302;
    if (blob_key !== undefined) return reply.code(status).header('location', `../media/${blob_key}`).send();
  }
  return missing(reply);
}

function missing(reply: FastifyReply): FastifyReply {
  const message = 'This link leads to no post and no media';
  return sendNumberedError(reply, new ApiError({ error: 'ROUTE_NOT_FOUND', message }));
}
