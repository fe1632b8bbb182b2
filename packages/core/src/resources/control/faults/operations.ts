/** Operations on the faults of a world. */
import * as z from 'zod';
import { defineWorldOperation } from '../../../operation/define.ts';
import { id } from '../../../wire/types.ts';
import { world_id } from '../entity.ts';
import { Fault } from './entity.ts';
import { faultParams } from './params.ts';

const fault_id = id().describe('The rule.');

const exampleFault = {
  id: 'f1',
  match: { operation: ['campaigns.create'] },
  effect: { status: 503, retry_after: 7 },
  times: 1,
  until: null,
  created_at: '2026-01-15T08:00:00Z',
  matched: 0,
  fired: 0,
  active: true,
} as const;

const example = { ...exampleFault, match: { operation: ['campaigns.create'] } };
const fired = { ...example, matched: 1, fired: 1, active: false };

const create = defineWorldOperation({
  id: 'control.faults.create',
  summary: 'Have calls of a world fail',
  description:
    'Adds a rule behind all others. Of those that match a call, the first that decides its answer takes effect; latencies add up. Clients cannot tell an injected answer from a real one; the log and the journal say which rules fired. Operations of the operator are never concerned.',
  http: { method: 'POST', path: '/worlds/:world_id/faults' },
  body: 'json',
  envelope: 'entity',
  params: z.object({ world_id, ...faultParams }),
  data: Fault,
  errors: ['INVALID_PARAMETER', 'MISSING_PARAMETER', 'EXCLUSIVE_PARAMETERS', 'QUOTA_EXCEEDED'],
  example: {
    params: {
      world_id: 'default',
      match: { operation: ['campaigns.create'] },
      effect: { status: 503, retry_after: 7 },
      times: 1,
    },
    data: example,
  },
});

const list = defineWorldOperation({
  id: 'control.faults.list',
  summary: 'List the rules of faults of a world, in the order in which they are tried',
  http: { method: 'GET', path: '/worlds/:world_id/faults' },
  envelope: 'values',
  params: z.object({ world_id }),
  data: Fault,
  errors: [],
  example: { params: { world_id: 'default' }, data: fired },
});

const get = defineWorldOperation({
  id: 'control.faults.get',
  summary: 'Get a rule of faults, and how often it fired',
  http: { method: 'GET', path: '/worlds/:world_id/faults/:fault_id' },
  envelope: 'entity',
  params: z.object({ world_id, fault_id }),
  data: Fault,
  errors: ['FAULT_NOT_FOUND'],
  example: { params: { world_id: 'default', fault_id: 'f1' }, data: fired },
});

const remove = defineWorldOperation({
  id: 'control.faults.delete',
  summary: 'Delete a rule of faults',
  http: { method: 'DELETE', path: '/worlds/:world_id/faults/:fault_id' },
  envelope: 'entity',
  params: z.object({ world_id, fault_id }),
  data: Fault,
  errors: ['FAULT_NOT_FOUND'],
  example: { params: { world_id: 'default', fault_id: 'f1' }, data: fired },
});

const clear = defineWorldOperation({
  id: 'control.faults.clear',
  summary: 'Delete all rules of faults of a world',
  description: 'Answers with the rules that were deleted.',
  http: { method: 'DELETE', path: '/worlds/:world_id/faults' },
  envelope: 'values',
  params: z.object({ world_id }),
  data: Fault,
  errors: [],
  example: { params: { world_id: 'default' }, data: fired },
});

/** Operations on the faults of a world. */
export const faults = { create, list, get, delete: remove, clear };
