/** Repeatable choices for generated requests. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a whole number from 0 up to, but excluding, the limit. */
  below(limit: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly T[]): T {
    const at = this.below(choices.length);
    const choice = choices[at];
    if (choice !== undefined) return choice;
    for (const member of choices.slice(at)) return member;
    throw new Error('There is nothing to choose from.');
  }

  text(characters: string, min: number, max: number): string {
    let text = '';
    const all = charactersOf(characters);
    for (let left = min + this.below(max - min + 1); left > 0; left -= 1) text += this.pick(all);
    return text;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const shuffled: T[] = [];
    for (const each of list) shuffled.splice(this.below(shuffled.length + 1), 0, each);
    return shuffled;
  }
}

const known = new Map<string, readonly string[]>();

/** Splits text into characters, once for each text: the same few alphabets are used all the time. */
function charactersOf(text: string): readonly string[] {
  let characters = known.get(text);
  if (characters === undefined) {
    characters = [...text];
    known.set(text, characters);
  }
  return characters;
}
