export {
  LibraryMedia,
  type LibraryMediaCategory,
  type LibraryMediaType,
  libraryMediaCategories,
  libraryMediaTypes,
  libraryTextLimits,
} from './entity.ts';
export {
  aspectRatio,
  checkLibraryTexts,
  type LibraryCategory,
  type LibraryTexts,
  libraryCategoryOf,
  stillKeyOf,
} from './rules.ts';
