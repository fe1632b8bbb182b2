/** The export of all that is held on an app. */
import type { Page } from '@broadside/core';
import { type AppExportRecord, appExportParts } from '@broadside/core/resources/operator';
import type { Exported } from '../../people/exported.ts';
import type { World } from '../../world/world.ts';
import { changes, type PartOfExport, pageOfExport } from './export-pages.ts';

/** Of the format; another one where a reader has to read something in another way. */
const VERSION = 1;
const NUMBER = /^\d{1,18}$/;

const at = (read: PartOfExport['read']): PartOfExport => ({ read, positions: NUMBER });

const app = {
  order: 'export_app',
  names: appExportParts,
  parts: {
    manifest: at(async ({ clock, identity }, app_id) => ({
      records: [
        {
          format: 'broadside app',
          version: VERSION,
          consumer_key: (await identity.apps.standing(app_id))?.consumer_key,
          exported_at: new Date(clock.now()).toISOString(),
          parts: appExportParts,
        },
      ],
    })),
    app: at(async ({ identity }, app_id) => {
      const found = await identity.apps.standing(app_id);
      return { records: found ? [found] : [] };
    }),
    access_tokens: at(({ appExports }, app_id, position) => appExports.accessTokens(app_id, position)),
    bearer_tokens: at(({ appExports }, app_id) => appExports.bearerTokens(app_id)),
    // Cursors of changes are checked where they are read.
    changes_of_app: {
      read: (world: World, app_id: string, position: string): Promise<Exported | undefined> =>
        changes(world, { entity: 'APP', entity_id: app_id }, position),
    },
    end: at(async () => ({ records: [{}] })),
  },
} as const;

/** Returns a page of an export. @returns `undefined` when the cursor is not one of an export of an app */
export function exportAppPage(
  world: World,
  app_id: string,
  cursor: string | undefined,
): Promise<Page<AppExportRecord> | undefined> {
  return pageOfExport(app, world, app_id, cursor);
}
