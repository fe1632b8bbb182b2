import { describe, expect, test } from 'vitest';
import { allUploadOperations } from '../../families.ts';
import { openapiDocument } from '../openapi.ts';

describe('the upload of media', () => {
  const document = openapiDocument({
    environment: undefined,
    serverUrl: 'http://here',
    version: '1',
    operations: allUploadOperations,
  });
  const at = (method: string, path: string) => document.paths[path]?.[method];
  const refs = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);

  const bodyAt = (path: string) => {
    const { requestBody } = at('post', path) ?? {};
    return (requestBody as { content: Record<string, { schema: unknown }> }).content;
  };

  test('takes bytes as a part, as generators know binary strings, and mentions base64', () => {
    expect(document.components.schemas['MediaUploadParameters']).toMatchObject({
      properties: { media: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' } },
      required: ['media'],
      additionalProperties: false,
    });
    expect(bodyAt('/2/media/upload')).toMatchObject({
      'multipart/form-data': { schema: { $ref: '#/components/schemas/MediaUploadParameters' } },
    });
    expect(at('post', '/2/media/upload')).toMatchObject({ description: expect.stringContaining('`media_data`') });
  });

  test('has one form of each body, JSON where there are no bytes', () => {
    expect(Object.keys(bodyAt('/2/media/upload'))).toEqual(['multipart/form-data']);
    expect(Object.keys(bodyAt('/2/media/upload/initialize'))).toEqual(['application/json']);
  });

  test('has no body where the path is sufficient, and none for a read', () => {
    expect(at('post', '/2/media/upload/{id}/finalize')).not.toHaveProperty('requestBody');
    expect(at('post', '/2/media/upload/{id}/append')).toMatchObject({ parameters: [{ name: 'id', in: 'path' }] });
    expect(at('get', '/2/media/upload')).not.toHaveProperty('requestBody');
    expect(at('get', '/2/media/upload')).toMatchObject({
      parameters: [
        { name: 'media_id', in: 'query', required: true },
        { name: 'command', in: 'query', schema: { enum: ['STATUS'] } },
      ],
    });
  });

  test('puts the steps that share a path into one operation, discriminated by command', () => {
    const shared = at('post', '/1.1/media/upload.json');
    expect(shared).toMatchObject({
      operationId: 'media_v1.upload',
      'x-rate-limit': { bucket: 'media.upload' },
      'x-commands': {
        INIT: { operation: 'media_v1.init', 'x-rate-limit': { bucket: 'media.chunked' } },
        APPEND: { operation: 'media_v1.append' },
        FINALIZE: { operation: 'media_v1.finalize' },
      },
    });
    expect(refs(bodyAt('/1.1/media/upload.json'))).toEqual(['MediaV1UploadParameters']);
    const { MediaV1UploadParameters: body } = document.components.schemas;
    // Generators send the parts of one object, and none of a choice of objects.
    expect(body).not.toHaveProperty('oneOf');
    expect(body).toMatchObject({
      properties: { command: { enum: ['INIT', 'APPEND', 'FINALIZE'] }, media: {}, media_id: {}, total_bytes: {} },
      if: { required: ['command'] },
      else: { required: ['media'] },
    });
    expect(body).toHaveProperty('then.oneOf', [
      expect.objectContaining({ required: ['total_bytes', 'media_type'] }),
      expect.objectContaining({ required: ['media', 'media_id', 'segment_index'] }),
      expect.objectContaining({ required: ['media_id'] }),
    ]);
    expect(body).not.toHaveProperty('required');
    // Version 1.1 ignores unknown parameters.
    expect(body).not.toHaveProperty('additionalProperties');
  });

  test('responds to each step with its own status, and an append of version 1.1 without a body', () => {
    const responses = at('post', '/1.1/media/upload.json')?.['responses'] as Record<string, { content?: object }>;
    const statuses = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect(statuses).toEqual(['200', '201', '202', '204']);
    expect(responses['204']).not.toHaveProperty('content');
    expect(responses['200']).toMatchObject({ content: { 'application/json': { example: { size: 48_213 } } } });
    expect(at('post', '/2/media/upload')).toMatchObject({
      responses: {
        200: {
          content: {
            'application/json': {
              schema: { properties: { data: { $ref: '#/components/schemas/MediaUploadResult' } }, required: ['data'] },
              example: { data: { size: 48_213 } },
            },
          },
        },
      },
    });
  });

  test('rejects with a number in version 1.1 and with a problem in version 2, including a missing parameter', () => {
    expect(at('post', '/1.1/media/upload.json')).toMatchObject({
      responses: {
        400: { 'x-error-codes': [215, 324, 325], content: { 'application/json': {} } },
        403: { 'x-error-codes': expect.arrayContaining([38, 220, 261, 416]) },
      },
    });
    expect(at('post', '/2/media/upload')).toMatchObject({
      responses: { 400: { 'x-error-codes': ['invalid-request'], content: { 'application/problem+json': {} } } },
    });
    expect(document.components.schemas['UploadError']).toMatchObject({
      properties: { code: { enum: expect.arrayContaining([38, 324, 325]) } },
    });
  });

  test('accepts only signed requests of people', () => {
    for (const methods of Object.values(document.paths)) {
      for (const one of Object.values(methods)) expect(one['security']).toEqual([{ oauth1: [] }]);
    }
    expect(Object.keys(document.components['securitySchemes'] as object)).toEqual(['oauth1']);
  });

  test('of version 1.1 has another path, with ids of its own', () => {
    expect(at('post', '/1.1/media/upload')).toMatchObject({ operationId: 'media_v1.upload.alias' });
    expect(at('get', '/1.1/media/upload')).toMatchObject({ operationId: 'media_v1.status.alias' });
  });
});
