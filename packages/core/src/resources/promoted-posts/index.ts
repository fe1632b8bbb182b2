export { PromotedPost, promotedSortable } from './entity.ts';
export {
  checkPromotedPosts,
  mustBeReposted,
  type PromotableAuthors,
  type PromotablePost,
  type PromotedCard,
  type PromotedPostIssue,
  placementsWithPost,
  promotedCard,
} from './rules.ts';
