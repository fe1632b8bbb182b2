/** What an index has to know of the members of audiences. */
import type { Ranges } from '../ranges.ts';
import type { MatchedSource } from './member-sets.ts';

/** Members of audiences, with the people of the platform brought up to date. */
export interface MembersOfIndex extends MatchedSource {
  /** Has the changes of the platform's people matched with members. */
  sync(): Promise<void>;
  /** Which audiences have to be loaded again, where another process tells of no changes. The caller drops their sets at once. */
  outdated?(marks: Marks): readonly string[];
  /** Those of some ranges, for an index of its own. */
  in?(ranges: Ranges): MembersOfIndex;
}

/** Marks of the states of audiences, as `MemberMarks` gives them, by audience. */
export type Marks = Readonly<Record<string, string>>;
