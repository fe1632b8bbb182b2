/** Combinations of audiences: what a flexible audience, or a single one, consists of. */
import { isLeaf, type Segment } from '@broadside/core/resources/custom-audiences';
import type { Environment } from '../../world/environment.ts';
import type { DenseSet } from '../dense-set.ts';
import type { SetPool } from '../set-pool.ts';
import { conditionOf, type EventCondition } from './event-condition.ts';

/** The members of an audience that are in effect and, if there is a condition, meet it. */
export interface MemberSetName {
  /** As the store of members names the audience. */
  readonly audience: string;
  readonly condition?: EventCondition | undefined;
}

/** A combination of audiences. A negated part stands for the people of the whole tree who are not in it. */
export type MemberTree = { readonly negate: boolean } & (
  | { readonly kind: 'leaf'; readonly set: MemberSetName }
  | { readonly kind: 'and' | 'or'; readonly children: readonly MemberTree[] }
);

/** The audiences that a query names, and the sets of people that are left out of its answer. */
export interface AudienceScope {
  /** By id. An audience that is not among them has nobody. */
  readonly audiences: ReadonlyMap<string, MemberTree>;
  readonly without: readonly MemberSetName[];
  /**
   * Given where audiences of others are among them: the count is blurred by a number that depends on these words and on the
   * members of each set.
   */
  readonly blur?: readonly string[] | undefined;
}

/** Adds the people of a set to another one. */
type AddTo = (name: MemberSetName, target: DenseSet) => void;

/** An audience as far as its members are concerned. */
export interface AudienceWithMembers {
  readonly id: string;
  /** The tree of a flexible audience, which has no members of its own. */
  readonly segments?: Segment | null | undefined;
}

/** Returns how the store of members names an audience, or a do-not-reach list. */
export function memberKey(environment: Environment, id: string): string {
  return `${environment}/${id}`;
}

/** Returns what an audience consists of. */
export function memberTree(environment: Environment, { id, segments }: AudienceWithMembers): MemberTree {
  return segments
    ? treeOf(environment, segments)
    : { kind: 'leaf', negate: false, set: { audience: memberKey(environment, id) } };
}

function treeOf(environment: Environment, segment: Segment): MemberTree {
  const { negate } = segment;
  if (!isLeaf(segment)) {
    const children = segment.child_segments.map((child) => treeOf(environment, child));
    return { kind: segment.boolean_operator === 'AND' ? 'and' : 'or', negate, children };
  }
  const audience = memberKey(environment, segment.custom_audience_id);
  return { kind: 'leaf', negate, set: { audience, condition: conditionOf(segment) } };
}

/** Returns the leaves of a tree. */
export function leavesOf(tree: MemberTree): MemberSetName[] {
  return tree.kind === 'leaf' ? [tree.set] : tree.children.flatMap(leavesOf);
}

/** Returns the sets that a tree is evaluated with. */
export function setsOf(tree: MemberTree): MemberSetName[] {
  const leaves = leavesOf(tree);
  return hasNegation(tree) ? [...leaves, ...leaves.map(({ audience }) => ({ audience }))] : leaves;
}

function hasNegation(tree: MemberTree): boolean {
  return tree.negate || (tree.kind !== 'leaf' && tree.children.some(hasNegation));
}

/** Evaluates trees over the people of an index. */
export class TreeEvaluation {
  readonly #addTo: AddTo;
  readonly #pool: SetPool;
  readonly #size: number;

  constructor(addTo: AddTo, pool: SetPool, size: number) {
    this.#addTo = addTo;
    this.#pool = pool;
    this.#size = size;
  }

  /** Adds the people of a tree to a set. */
  addTo(target: DenseSet, tree: MemberTree): void {
    const everybody = this.#pool.take(this.#size);
    if (hasNegation(tree)) for (const { audience } of leavesOf(tree)) this.#addTo({ audience }, everybody);
    const found = this.#find(tree, everybody);
    target.unite(found);
    this.#pool.give(found);
    this.#pool.give(everybody);
  }

  /** @param everybody the members in effect of all audiences of the tree */
  #find(tree: MemberTree, everybody: DenseSet): DenseSet {
    const found = this.#pool.take(this.#size);
    if (tree.kind === 'leaf') this.#addTo(tree.set, found);
    else {
      for (const [i, child] of tree.children.entries()) {
        const part = this.#find(child, everybody);
        if (tree.kind === 'or' || i === 0) found.unite(part);
        else found.intersect(part);
        this.#pool.give(part);
      }
    }
    if (tree.negate) found.complementIn(everybody);
    return found;
  }
}
