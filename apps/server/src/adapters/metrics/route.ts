/** `/metrics` on the listener that controls worlds, for the token of the operator. */
import { ApiError, controlContract } from '@broadside/core';
import { parseRequest } from '@broadside/core/auth';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { verifierOf } from '../../pipeline/authenticate.ts';
import type { Services } from '../../pipeline/services.ts';
import type { Exposition } from '../../telemetry/exposition.ts';
import { routedMethods, sendError } from '../rest/routes.ts';

interface MetricsRouteOptions {
  readonly services: Services;
  readonly baseUrlOf: (request: FastifyRequest) => string;
  /** `undefined` where metrics are turned off. */
  readonly exposition: Exposition | undefined;
}

const TURNED_OFF = new ApiError({
  error: 'ROUTE_NOT_FOUND',
  message: 'Metrics are turned off; start the server with BROADSIDE_METRICS=1',
});

/** Adds the route. */
export function registerMetrics(app: FastifyInstance, { services, baseUrlOf, exposition }: MetricsRouteOptions): void {
  // Whoever may see the worlds of the server may see its metrics.
  const verify = verifierOf(controlContract.control.worlds.get);
  app.route({
    method: routedMethods('GET'),
    url: '/metrics',
    handler: async (request, reply) => {
      if (!exposition) return sendError(reply, TURNED_OFF);
      try {
        const { method = 'GET', url: target = '/' } = request.raw;
        const { headers } = request;
        const received = {
          method,
          target,
          authorization: headers.authorization,
          contentType: undefined,
          body: undefined,
        };
        await verify(services, { request: parseRequest(received), received, headers, baseUrl: baseUrlOf(request) });
      } catch (error) {
        if (error instanceof ApiError) return sendError(reply, error);
        throw error;
      }
      const text = await exposition.text();
      return reply.headers({ 'content-type': exposition.contentType, 'cache-control': 'no-store' }).send(text);
    },
  });
}
