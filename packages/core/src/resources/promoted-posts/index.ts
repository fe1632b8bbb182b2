export { PromotedPost, promotedSortable } from './entity.ts';
export {
  checkPromotedPosts,
  mustBeReposted,
  type PromotableAuthors,
  type PromotablePost,
  type PromotedPostIssue,
  placementsWithPost,
} from './rules.ts';
