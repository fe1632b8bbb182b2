/** Operations as rules of faults and expectations of a journal name them: by their id, or by a pattern of it. */
import { nearestName } from '../../operation/nearest-name.ts';
import { show } from '../../wire/show.ts';

/** A name of operations, and the place at which it was sent. */
interface Named {
  readonly name: string;
  readonly place: string;
}

/** Says that no operation is called like this, and which name was probably meant. @param known the ids of all */
export function noSuchOperation({ name, place }: Named, known: readonly string[]): string {
  const names = name.includes('*') ? new Set(known.flatMap(familiesOf)) : known;
  const near = nearestName(name, names);
  const hint =
    near === undefined
      ? '; the reference lists all, such as campaigns.create, and campaigns.* stands for several'
      : `; did you mean ${near}?`;
  return `There is no operation ${show(name)}, which ${place} names${hint}`;
}

/** The patterns that an id matches: of `media.upload.init`, `media.*` and `media.upload.*`. */
function familiesOf(id: string): readonly string[] {
  return [...id.matchAll(/\./g)].map(({ index }) => `${id.slice(0, index)}.*`);
}
