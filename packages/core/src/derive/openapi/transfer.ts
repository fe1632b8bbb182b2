/** Export and import of worlds in a document. */
import { exportWorld, importWorld, PACKED_WORLD_TYPE } from '../../resources/control/transfer.ts';
import { worlds } from '../../resources/control/worlds.ts';
import type { JsonSchema } from '../../wire/types.ts';
import { exampleAnswer } from '../example.ts';
import { envelope } from './advertising.ts';
import type { Components } from './components.ts';
import { errorResponses, wordedErrors } from './error-responses.ts';

const bytes = { [PACKED_WORLD_TYPE]: { schema: { type: 'string', format: 'binary' } } };

/** Describes both endpoints, by path. */
export function describeTransfer(
  components: Components,
): Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> {
  const { get, create } = worlds;
  const common = { tags: ['Control worlds'], security: components.security(['operator']) };
  const errors = (names: Parameters<typeof errorResponses>[0]) =>
    errorResponses(names, wordedErrors, components, { headers: () => [] });
  const own: Readonly<Record<string, JsonSchema>> = {
    get: {
      operationId: exportWorld.id,
      summary: exportWorld.summary,
      description: exportWorld.description,
      ...common,
      parameters: [{ name: 'world_id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: { description: 'The file.', content: bytes },
        ...errors([
          'WORLD_ELSEWHERE',
          'UNAUTHORIZED_ACCESS',
          'WORLD_NOT_FOUND',
          'INTERNAL_ERROR',
          'SERVICE_UNAVAILABLE',
        ]),
      },
    },
  };
  const other: Readonly<Record<string, JsonSchema>> = {
    post: {
      operationId: importWorld.id,
      summary: importWorld.summary,
      description: importWorld.description,
      ...common,
      parameters: Object.entries(importWorld.query).map(([name, description]) => ({
        name,
        in: 'query',
        description,
        schema: { type: name === 'ttl_seconds' ? 'integer' : 'string' },
      })),
      requestBody: { required: true, content: bytes },
      responses: {
        200: {
          description: 'The world.',
          content: { 'application/json': { schema: envelope(create, components), example: exampleAnswer(get) } },
        },
        ...errors([
          'INVALID_PARAMETER',
          'UNAUTHORIZED_ACCESS',
          'QUOTA_EXCEEDED',
          'INTERNAL_ERROR',
          'SERVICE_UNAVAILABLE',
        ]),
      },
    },
  };
  return { [exportWorld.path.replace(':world_id', '{world_id}')]: own, [importWorld.path]: other };
}
