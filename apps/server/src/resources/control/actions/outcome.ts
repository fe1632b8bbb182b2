/** What actions answer: what they were about, as it is afterwards. */
import type { ChangedKind } from '@broadside/core/resources/control';
import type * as z from 'zod';

/** Something that an action was about. */
export interface Changed {
  readonly entity: ChangedKind;
  readonly id: string;
  readonly after: Readonly<Record<string, unknown>>;
}

/** The answer of an action. */
export interface Outcome {
  readonly changed: Changed[];
}

/**
 * Returns what an entity is afterwards.
 * @param schema what the interface shows of it
 * @param beside what the platform knows of it beside that
 */
export function changed(
  entity: ChangedKind,
  schema: Pick<z.ZodObject, 'shape'>,
  shown: { readonly id: string },
  beside: Changed['after'] = {},
): Changed {
  const entries = Object.entries(shown).filter(([name, value]) => name in schema.shape && value !== undefined);
  return { entity, id: shown.id, after: { ...Object.fromEntries(entries), ...beside } };
}
