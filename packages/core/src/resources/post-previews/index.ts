export { PostPreview, PREVIEW_MS, type PreviewedType, previewedTypes } from './entity.ts';
