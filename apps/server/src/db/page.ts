import { ApiError, type Page } from '@broadside/core';

/** The page, or the rejection of the cursor that asked for it. @throws ApiError INVALID_PARAMETER */
export function pageOf<Entity>(page: Page<Entity> | undefined, cursor: string | undefined): Page<Entity> {
  if (page) return page;
  throw new ApiError({
    error: 'INVALID_PARAMETER',
    parameter: 'cursor',
    value: cursor,
    message: 'Expected the next_cursor of this list, with the same parameters as on the page before',
  });
}

/** The page with each of its entities changed. */
export function mapPage<From, To>(page: Page<From>, map: (entity: From) => To): Page<To> {
  return { ...page, data: page.data.map(map) };
}
