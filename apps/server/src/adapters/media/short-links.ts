/** Redirects from the short link at the end of a post to the media that it shows. */
import { ApiError } from '@broadside/core';
import type { FastifyInstance } from 'fastify';
import type { World } from '../../world/world.ts';
import { sendNumberedError } from '../rest/routes.ts';

/** Adds the route of short links. */
export function registerShortLinks(app: FastifyInstance, world: World): void {
  app.route<{ Params: { code: string } }>({
    method: ['GET', 'HEAD'],
    url: '/s/:code',
    handler: async (request, reply) => {
      const { code } = request.params;
      const blob_key = /^[a-z0-9]+$/.test(code) ? await world.media.linked(code) : undefined;
      if (blob_key === undefined) {
        return sendNumberedError(
          reply,
          new ApiError({ error: 'ROUTE_NOT_FOUND', message: 'This link leads to no media' }),
        );
      }
      // Relative, so that it is right behind a proxy that adds a path. The target of a code never changes.
      return reply.code(301).header('location', `../media/${blob_key}`).send();
    },
  });
}
