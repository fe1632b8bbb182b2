/** States of media: of their processing, and `erased` once their bytes were deleted with their owner (see `erased.ts`). */
export type MediaState = 'receiving' | 'pending' | 'in_progress' | 'succeeded' | 'failed' | 'erased';
