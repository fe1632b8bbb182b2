/** Identifiers of apps in their stores. */
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import type { AccountApp } from './entity.ts';

const forms = {
  Android: { pattern: /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/, form: 'a package name such as com.example.android' },
  iOS: { pattern: /^\d+$/, form: 'the numeric part of the store identifier' },
} as const;

/** Checks that an identifier has the format of its store (reference 3). */
export function checkAppIdentifier({
  app_store_identifier,
  os_type,
}: Pick<AccountApp, 'app_store_identifier' | 'os_type'>): Issue<'INVALID_PARAMETER'>[] {
  const { pattern, form } = forms[os_type];
  if (pattern.test(app_store_identifier)) return [];
  const parameter = 'app_store_identifier';
  const message = `Expected ${form} for an app of ${os_type}, got "${app_store_identifier}" for ${parameter}`;
  return [invalidParameter(parameter, app_store_identifier, message)];
}
