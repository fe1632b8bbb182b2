import { ids, listParams } from '../../operation/list.ts';
import { CustomAudiencePermission, permissionSortable } from './entity.ts';

const { with_deleted: _, ...page } = listParams(permissionSortable);

/** Parameters of lists of permissions, which have no `with_deleted` (reference, audiences section 2). */
export const listedPermissions = { ...page, granted_account_ids: ids('granted accounts') };

const { granted_account_id, permission_level } = CustomAudiencePermission.shape;

/** Parameters of sharing an audience. */
export const sharing = { granted_account_id, permission_level };
