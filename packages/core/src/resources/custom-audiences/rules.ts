/** Rules on custom audiences: unique names, and what can change. */
import { changed } from '../../operation/changes.ts';
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import type { StoredAudience } from './entity.ts';
import type { CustomAudienceChanges, CustomAudienceCreate } from './params.ts';
import { isFlexible } from './state.ts';

/** An audience before it is stored and gets an id, times and a count of its members. */
export type NewAudience = Pick<
  StoredAudience,
  'name' | 'description' | 'audience_type' | 'partner_source' | 'segments'
>;

/** Returns the new audience to be stored: a placeholder, whose members are uploaded later. */
export function resolveAudience({ name, description }: CustomAudienceCreate): NewAudience {
  return { name, description: description ?? null, audience_type: 'CRM', partner_source: 'OTHER', segments: null };
}

/** Returns the values of an audience after a change; null removes a value. */
export function changeAudience(
  current: Pick<StoredAudience, 'name' | 'description'>,
  changes: CustomAudienceChanges,
): Pick<StoredAudience, 'name' | 'description'> {
  return {
    name: changes.name ?? current.name,
    description: changed(current.description, changes.description),
  };
}

/**
 * Checks that a name is free in the account (specification A, Errors; specification B, Custom audiences). Our choice: case
 * does not matter.
 * @param holder the audience of the account that has the name and is not deleted
 * @param is_owner whether the caller's account owns it; another one does not learn which audience it is
 */
export function checkAudienceName(
  name: string,
  holder: Pick<StoredAudience, 'id' | 'name'> | undefined,
  is_owner = true,
): Issue<'INVALID_PARAMETER'>[] {
  if (!holder) return [];
  const existing = is_owner
    ? `The account has an audience "${holder.name}" already, ${holder.id}`
    : 'The account that owns the audience has another one of this name';
  const message = `${existing}; names are unique, and case does not matter`;
  return [{ ...invalidParameter('name', name, message), details: 'duplicate name' }];
}

/**
 * Checks that an audience can be changed: a flexible one is immutable (specification B, States). Our choice: that includes its
 * name and description.
 */
export function checkChangeable({
  id,
  audience_type,
}: Pick<StoredAudience, 'id' | 'audience_type'>): Issue<'INVALID_PARAMETER'>[] {
  if (!isFlexible(audience_type)) return [];
  const message = 'A flexible audience cannot be changed; create another one, and delete this one';
  return [invalidParameter('custom_audience_id', id, message)];
}

/** Checks that users can be added to an audience and removed from it: a flexible one is made of others. */
export function checkTakesUsers({
  id,
  audience_type,
}: Pick<StoredAudience, 'id' | 'audience_type'>): Issue<'INVALID_PARAMETER'>[] {
  if (!isFlexible(audience_type)) return [];
  const message = 'A flexible audience takes no users; its members are those of the audiences that it combines';
  return [invalidParameter('custom_audience_id', id, message)];
}
