export { AccountApp, osTypes } from './entity.ts';
export { checkAppIdentifier } from './rules.ts';
