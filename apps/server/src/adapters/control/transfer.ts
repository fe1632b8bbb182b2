/** Sends worlds as files, and makes worlds of them. */
import { Readable } from 'node:stream';
import { ApiError, controlContract, type ErrorName, fieldsOf, type Issue, readParams } from '@broadside/core';
import { parseRequest } from '@broadside/core/auth';
import { once } from '@broadside/core/data';
import { exportWorld, importWorld, PACKED_WORLD_TYPE } from '@broadside/core/resources/control';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { RemoteStoreError } from '../../copies/copy-stores.ts';
import { PackError } from '../../copies/pack-manifest.ts';
import { verifierOf } from '../../pipeline/authenticate.ts';
import type { Services } from '../../pipeline/services.ts';
import { asUnavailable } from '../../pipeline/unavailable.ts';
import { inUse } from '../../resources/control/find.ts';
import { TooManyWorldsError } from '../../worlds/errors.ts';
import { noSuchWorld } from '../../worlds/not-found.ts';
import { drain } from '../limits/drain.ts';
import type { HttpIntake } from '../limits/intake.ts';
import { streamBody } from '../limits/read-body.ts';
import { pathParams, sendError } from '../rest/routes.ts';

interface TransferOptions {
  readonly services: Services;
  readonly intake: Pick<HttpIntake, 'unlimit'>;
  readonly baseUrlOf: (request: FastifyRequest) => string;
}

const { create, get } = controlContract.control.worlds;
const querySchema = once(() =>
  z.object(Object.fromEntries(fieldsOf(create.params).filter(([name]) => Object.hasOwn(importWorld.query, name)))),
);

/** Adds the routes. */
export function registerTransfer(app: FastifyInstance, { services, intake, baseUrlOf }: TransferOptions): void {
  const { host } = services;
  if (!host) return;
  const verify = verifierOf(get);
  const authenticate = async (request: FastifyRequest) => {
    const { method = 'GET', url: target = '/' } = request.raw;
    const { headers } = request;
    const received = { method, target, authorization: headers.authorization, contentType: undefined, body: undefined };
    await verify(services, { request: parseRequest(received), received, headers, baseUrl: baseUrlOf(request) });
  };
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, next) => next(null, payload));
    scope.route({
      method: exportWorld.method,
      url: exportWorld.path,
      handler: async (request, reply) => {
        try {
          await authenticate(request);
          const { world_id = '' } = pathParams(request.params);
          const pack = await host.export(world_id);
          if (!pack) throw new ApiError(noSuchWorld(host.list(), world_id));
          return reply
            .headers({
              'content-type': PACKED_WORLD_TYPE,
              'content-disposition': `attachment; filename="${world_id}.world"`,
              'cache-control': 'no-store',
            })
            .send(pack.stream);
        } catch (error) {
          return rejected(request, reply, error);
        }
      },
    });
    scope.route({
      method: importWorld.method,
      url: importWorld.path,
      handler: async (request, reply) => {
        try {
          await authenticate(request);
          const { values, issues } = readParams(querySchema(), queryOf(request.query));
          const [first, ...others] = issues;
          if (first) throw new ApiError(first, ...others);
          intake.unlimit(request.raw);
          if (!isStream(request.body)) throw invalid('Send the file of an export as the body');
          const { name, ttl_seconds } = values;
          // What is not read of it is left for {@link drain}: a destroyed request has no connection to answer on.
          const made = await host.import(streamBody(request.body), {
            name: typeof name === 'string' ? name : undefined,
            ttl_seconds: typeof ttl_seconds === 'number' ? ttl_seconds : undefined,
          });
          return reply
            .header('cache-control', 'no-store')
            .send({ request: { params: values }, data: inUse(host, made) });
        } catch (error) {
          if (isStream(request.body) && !(await drain(request.body))) reply.header('connection', 'close');
          return rejected(request, reply, error);
        }
      },
    });
  });
}

function rejected(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asUnavailable(thrown);
  if (error instanceof ApiError) return sendError(reply, error);
  if (error instanceof RemoteStoreError)
    return sendError(reply, new ApiError({ error: 'WORLD_ELSEWHERE', message: error.message }));
  if (error instanceof PackError) return sendError(reply, invalid(error.message));
  if (error instanceof TooManyWorldsError) {
    return sendError(reply, new ApiError({ error: 'QUOTA_EXCEEDED', message: `Delete some first: ${error.message}` }));
  }
  request.log.error({ err: error }, 'a world could not be moved');
  return sendError(reply, new ApiError('INTERNAL_ERROR'));
}

function invalid(message: string): ApiError {
  const issue: Issue<ErrorName> = { error: 'INVALID_PARAMETER', parameter: 'body', message };
  return new ApiError(issue);
}

function isStream(body: unknown): body is Readable {
  return body instanceof Readable;
}

function queryOf(query: unknown): Readonly<Record<string, unknown>> {
  return typeof query === 'object' && query !== null ? { ...query } : {};
}
