/** A trait that people have or have not, as the index names it. @param value a targeting value */
export function traitKey(kind: 'location' | 'language' | 'platform' | 'gender' | 'interest', value: string): string {
  return `${kind} ${value}`;
}
