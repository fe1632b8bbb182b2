import { audiencePermission } from './entity.ts';

export { handlers } from './handlers.ts';

export const entities = [audiencePermission] as const;
