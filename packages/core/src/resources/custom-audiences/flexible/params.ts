/** Items of a batch of audiences (specification B, POST /12/batch/accounts/:account_id/custom_audiences). */

import type * as z from 'zod';
import { extended, object } from '../../../wire/object.ts';
import { oneOf } from '../../../wire/types.ts';
import { flexibleTypes } from '../entity.ts';
import { CustomAudienceChanges, CustomAudienceCreate, custom_audience_id } from '../params.ts';
import { segments } from './segments.ts';
import { MAX_LEAVES } from './tree.ts';

const audience_type = () => oneOf(flexibleTypes).describe('The type of the audience.');

const tree = () =>
  segments().describe(
    `The tree of the audiences that it combines: groups with boolean_operator and child_segments, and 1 to ${MAX_LEAVES} audiences as leaves.`,
  );

/** Parameters for creating a flexible audience. */
export const FlexibleAudienceCreate = object(() => ({
  name: CustomAudienceCreate.shape.name,
  audience_type: audience_type(),
  segments: tree(),
}));

/**
 * Parameters for updating an audience in a batch: our choice is what PUT takes. How a flexible audience is made up never changes;
 * its members are taken only to be rejected as such.
 */
export const BatchAudienceChanges = extended(CustomAudienceChanges, () => ({
  custom_audience_id,
  audience_type: audience_type().optional(),
  segments: tree().optional(),
}));

export type FlexibleAudienceCreate = z.output<typeof FlexibleAudienceCreate>;
export type BatchAudienceChanges = z.output<typeof BatchAudienceChanges>;

/** The items of the batch. */
export const audienceBatchItems = {
  max: 10,
  Create: FlexibleAudienceCreate,
  Update: BatchAudienceChanges,
  Delete: object(() => ({ custom_audience_id })),
};
