export { type AdvertiserPost, type PublishError, type Publisher, publishPost } from './publish.ts';
