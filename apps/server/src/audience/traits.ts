/** Returns the key of a trait in the index. @param value a targeting value */
export function traitKey(kind: 'location' | 'language' | 'platform' | 'gender' | 'interest', value: string): string {
  return `${kind} ${value}`;
}

/** The key of people whose posts anybody may read. */
export const PUBLIC = 'public';

/** Indexed properties of a person. */
export interface Person {
  readonly id: bigint;
  /** See {@link traitKey}. */
  readonly traits: readonly string[];
  readonly birth_date: string | undefined;
  /** In seconds since the epoch. */
  readonly joined_s: number;
}
