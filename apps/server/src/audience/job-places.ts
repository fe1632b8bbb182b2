/** Where jobs on audiences run: each at the process that keeps the members of the audience. */
import { type AudiencePlaces, FIRST_PLACE } from '../servers/audience-places.ts';
import type { AudienceName } from './audience-names.ts';
import { memberKey } from './members/member-tree.ts';

export class JobPlaces {
  readonly #places: AudiencePlaces | undefined;
  readonly #isElsewhere: boolean;

  /**
   * @param places on a platform with workers
   * @param isElsewhere where there are none: another process keeps all members
   */
  constructor(places: AudiencePlaces | undefined, isElsewhere: boolean) {
    this.#places = places;
    this.#isElsewhere = isElsewhere;
  }

  /** The place that this process keeps; the first one where there are no others. */
  get own(): string {
    return this.#places?.own ?? FIRST_PLACE;
  }

  /** Whether another process runs the jobs of a place. */
  isElsewhere(place: string): boolean {
    return this.#places ? place !== this.#places.own : this.#isElsewhere;
  }

  /** The place of an audience that there is. */
  async of({ environment, id }: AudienceName): Promise<string> {
    return this.#places ? this.#places.of(memberKey(environment, id)) : this.own;
  }

  /** The same of what may be no audience. */
  async look({ environment, id }: AudienceName): Promise<string> {
    return this.#places ? this.#places.look(memberKey(environment, id)) : this.own;
  }

  /** The place for audiences that are to be created. */
  async forNew(): Promise<string> {
    return this.#places ? this.#places.forNew() : this.own;
  }

  /** Has audiences that were just created at a place. Where that fails they are at the first one. */
  async decide(audiences: readonly AudienceName[], place: string): Promise<void> {
    const names = audiences.map(({ environment, id }) => memberKey(environment, id));
    await this.#places?.decide(names, place).catch(() => {});
  }
}
