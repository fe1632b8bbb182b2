import * as z from 'zod';

/**
 * The `operations` of a batch as typed callers pass them. On the wire they are the body itself; the pipeline parses
 * them item by item, so that the errors of each item are reported at its index.
 */
export function batchOperations<
  Create extends z.ZodObject,
  Update extends z.ZodObject,
  Delete extends z.ZodObject,
>(items: { readonly max: number; readonly Create: Create; readonly Update: Update; readonly Delete: Delete }) {
  return z
    .array(
      z.discriminatedUnion('operation_type', [
        z.object({ operation_type: z.literal('Create'), params: items.Create }),
        z.object({ operation_type: z.literal('Update'), params: items.Update }),
        z.object({ operation_type: z.literal('Delete'), params: items.Delete }),
      ]),
    )
    .min(1)
    .max(items.max)
    .describe(`1 to ${items.max} operations; the batch succeeds or fails as a whole.`);
}

/** The same for entities that are created and deleted but never updated. */
export function createOrDelete<Create extends z.ZodObject, Delete extends z.ZodObject>(items: {
  readonly max: number;
  readonly Create: Create;
  readonly Delete: Delete;
}) {
  return z
    .array(
      z.discriminatedUnion('operation_type', [
        z.object({ operation_type: z.literal('Create'), params: items.Create }),
        z.object({ operation_type: z.literal('Delete'), params: items.Delete }),
      ]),
    )
    .min(1)
    .max(items.max)
    .describe(`1 to ${items.max} operations; the batch succeeds or fails as a whole.`);
}
