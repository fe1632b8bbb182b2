/**
 * The requirements, put together. Rows go into the file of their part in `requirements/`: a new part is a new file there,
 * named in `requirements/index.ts`.
 */
export { parts, type RequirementId, requirements } from './requirements/index.ts';
