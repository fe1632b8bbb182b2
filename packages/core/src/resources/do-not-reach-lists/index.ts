export { DO_NOT_REACH_LIST, DoNotReachList, type StoredDoNotReachList } from './entity.ts';
export { checkOnlyList, displayList } from './rules.ts';
