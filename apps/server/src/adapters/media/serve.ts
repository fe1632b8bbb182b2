/** Serves the bytes of media to anyone who knows their URL. */
import { ApiError } from '@broadside/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BlobNotFoundError } from '../../media/blobs/blob-store.ts';
import { rangeReply } from '../../media/range-reply.ts';
import type { Services } from '../../pipeline/services.ts';
import type { World } from '../../world/world.ts';
import { inWorld, leavesWorld } from '../in-world.ts';
import { sendNumberedError } from '../rest/routes.ts';

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
};

/** Pages of any origin may embed media, and scripts may read them: URLs cannot be guessed, and cookies are ignored. */
const openHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/** Adds the routes of media. */
export function registerMediaFiles(app: FastifyInstance, services: Services): void {
  const url = '/media/*';
  app.route({
    method: ['GET', 'HEAD'],
    url,
    onSend: leavesWorld,
    handler: (request, reply) =>
      inWorld(
        services,
        request,
        undefined,
        ({ world }) => serve(world, request, reply),
        () => missing(reply),
      ),
  });
  app.route({
    method: ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'],
    url,
    handler: (_request, reply) => {
      reply.header('allow', 'GET, HEAD');
      const message = 'The path exists, but only with GET, HEAD';
      return sendNumberedError(reply, new ApiError({ error: 'METHOD_NOT_ALLOWED', message }));
    },
  });
}

async function serve(world: World, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const key = keyOf(request.params);
  const served = key === undefined ? undefined : await world.servedMedia.find(key);
  if (key === undefined || !served) return missing(reply);
  const { media_key, content_type, total_bytes } = served;
  const extension = extensions[content_type];
  const response = rangeReply(
    { method: request.method, headers: request.headers },
    {
      size: total_bytes,
      content_type,
      etag: world.servedMedia.tagOf(key),
      file_name: extension === undefined ? media_key : `${media_key}.${extension}`,
      is_immutable: world.servedMedia.isImmutable,
    },
  );
  const headers = { ...response.headers, ...openHeaders };
  if (!response.range) return reply.code(response.status).headers(headers).send();
  try {
    const { body } = await world.servedMedia.open(key, response.range);
    return reply.code(response.status).headers(headers).send(body);
  } catch (error) {
    // It expired between the lookup and opening the file.
    if (error instanceof BlobNotFoundError) return missing(reply);
    throw error;
  }
}

function missing(reply: FastifyReply): FastifyReply {
  return sendNumberedError(reply, new ApiError({ error: 'ROUTE_NOT_FOUND', message: 'There are no such media' }));
}

function keyOf(params: unknown): string | undefined {
  const key = typeof params === 'object' && params !== null && '*' in params ? params['*'] : undefined;
  return typeof key === 'string' && /^[a-z0-9][a-z0-9._/-]{0,199}$/.test(key) ? key : undefined;
}
