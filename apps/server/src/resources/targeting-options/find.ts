export { checkLanguage, localizedName } from './localized-names.ts';
