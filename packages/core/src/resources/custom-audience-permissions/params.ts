import { ids, listParams } from '../../operation/list.ts';
import { CustomAudiencePermission, permissionSortable } from './entity.ts';

/** Parameters of lists of permissions, which have no `with_deleted` (reference, audiences section 2). */
export function listedPermissions() {
  const { with_deleted: _, ...page } = listParams(permissionSortable);
  return { ...page, granted_account_ids: ids('granted accounts') };
}

/** Parameters of sharing an audience. */
export function sharing() {
  const { granted_account_id, permission_level } = CustomAudiencePermission.shape;
  return { granted_account_id, permission_level };
}
