/** Rules on flexible audiences: which audiences their leaves can be, and that they never change. */
import { type Issue, invalidParameter } from '../../../wire/issues.ts';
import { nameOfPlace } from '../../../wire/nested.ts';
import type { StoredAudience } from '../entity.ts';
import type { NewAudience } from '../rules.ts';
import { isFlexible } from '../state.ts';
import type { BatchAudienceChanges, FlexibleAudienceCreate } from './params.ts';
import { leavesOf, type Segment } from './tree.ts';

/** Returns the new flexible audience to be stored. */
export function resolveFlexible({ name, audience_type, segments }: FlexibleAudienceCreate): NewAudience {
  return { name, description: null, audience_type, partner_source: 'OTHER', segments };
}

/**
 * Checks the audiences of a tree: the account owns them or they are shared with it, they are not deleted, and not flexible
 * themselves (our choice: a tree is at most as deep as it reads).
 * @param audienceOf returns the audience that the account may use with an id
 */
export function checkLeaves(
  tree: Segment,
  audienceOf: (id: string) => Pick<StoredAudience, 'audience_type'> | undefined,
): Issue<'INVALID_PARAMETER' | 'NOT_FOUND'>[] {
  return leavesOf(tree).flatMap(({ leaf: { custom_audience_id: id }, place }) => {
    const at = nameOfPlace('segments', [...place, 'custom_audience_id']);
    const audience = audienceOf(id);
    if (!audience) {
      const message = `Expected an audience of the account, or one shared with it, got "${id}" for ${at}`;
      return { error: 'NOT_FOUND', parameter: 'segments', value: id, message } as const;
    }
    if (!isFlexible(audience.audience_type)) return [];
    return invalidParameter('segments', id, `Expected an audience that is not flexible itself, got "${id}" for ${at}`);
  });
}

/** Checks the changes of an audience in a batch: only flexible audiences have a tree, and those never change. */
export function checkBatchChanges(changes: BatchAudienceChanges): Issue<'INVALID_PARAMETER'>[] {
  return (['audience_type', 'segments'] as const).flatMap((name) => {
    if (changes[name] === undefined) return [];
    return invalidParameter(name, changes[name], `"${name}" cannot be changed; create a flexible audience with it`);
  });
}
