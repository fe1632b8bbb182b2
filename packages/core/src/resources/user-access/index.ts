export { AccountAccess, permissionList } from './entity.ts';
export { checkAdministrators, checkPermissions, checkPostsForAdvertiser, type Delegation } from './rules.ts';
