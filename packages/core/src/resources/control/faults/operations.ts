/** Operations on the faults of a world. */
import { id } from '../../../wire/types.ts';
import { inWorld } from '../on-world.ts';
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

const create = inWorld('control.faults.create', 'POST', '/worlds/:world_id/faults', {
  summary: 'Have calls of a world fail',
  description:
    'Adds a rule behind all others. Of those that match a call, the first that decides its answer takes effect; latencies add up. Injected answers have the form of real ones; the log and the journal say which rules fired. Operations of the operator are never concerned.',
  body: 'json',
  envelope: 'entity',
  params: faultParams,
  data: Fault,
  errors: ['INVALID_PARAMETER', 'MISSING_PARAMETER', 'EXCLUSIVE_PARAMETERS', 'QUOTA_EXCEEDED'],
  example: {
    params: {
      match: { operation: ['campaigns.create'] },
      effect: { status: 503, retry_after: 7 },
      times: 1,
    },
    data: example,
  },
});

const list = inWorld('control.faults.list', 'GET', '/worlds/:world_id/faults', {
  summary: 'List the rules of faults of a world, in the order in which they are tried',
  envelope: 'values',
  data: Fault,
  example: { data: fired },
});

const get = inWorld('control.faults.get', 'GET', '/worlds/:world_id/faults/:fault_id', {
  summary: 'Get a rule of faults, and how often it fired',
  envelope: 'entity',
  params: () => ({ fault_id }),
  data: Fault,
  errors: ['FAULT_NOT_FOUND'],
  example: { params: { fault_id: 'f1' }, data: fired },
});

const remove = inWorld('control.faults.delete', 'DELETE', '/worlds/:world_id/faults/:fault_id', {
  summary: 'Delete a rule of faults',
  envelope: 'entity',
  params: () => ({ fault_id }),
  data: Fault,
  errors: ['FAULT_NOT_FOUND'],
  example: { params: { fault_id: 'f1' }, data: fired },
});

const clear = inWorld('control.faults.clear', 'DELETE', '/worlds/:world_id/faults', {
  summary: 'Delete all rules of faults of a world',
  description: 'Answers with the rules that were deleted.',
  envelope: 'values',
  data: Fault,
  example: { data: fired },
});

/** Operations on the faults of a world. */
export const faults = { create, list, get, delete: remove, clear };
