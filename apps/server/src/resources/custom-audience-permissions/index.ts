import { audiencePermission } from './entity.ts';

export { handlers } from './handlers.ts';

export const entities: readonly [typeof audiencePermission] = [audiencePermission];
