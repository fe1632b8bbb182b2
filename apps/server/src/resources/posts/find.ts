export {
  ADVERTISERS_SOURCE,
  type AdvertiserPost,
  type PublishError,
  type Publisher,
  publishPost,
} from './publish.ts';
