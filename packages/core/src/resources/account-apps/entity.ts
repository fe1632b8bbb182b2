import type * as z from 'zod';
import { systemMembers } from '../../operation/entity.ts';
import { object } from '../../wire/object.ts';
import { boolean, id, oneOf, text } from '../../wire/types.ts';

/** The operating systems of apps, spelled as in the reference. */
export const osTypes = ['Android', 'iOS'] as const;

/** An app that an account advertises (specification C, Account app). */
export const AccountApp = object(() => ({
  id: id().describe('The account app.'),
  app_store_identifier: text().describe('The app in its store: a package name, or digits for iOS.'),
  conversion_tracking_enabled: boolean().describe('Whether what people do in the app is counted.'),
  deep_link_pattern: text({ max: 2000 }).nullable().describe('How addresses inside the app begin.'),
  os_type: oneOf(osTypes).describe('Where it runs.'),
  ...systemMembers({ created_at: 'When the app was added.', deleted: 'Whether the app has been removed.' }),
}));
export type AccountApp = z.output<typeof AccountApp>;
