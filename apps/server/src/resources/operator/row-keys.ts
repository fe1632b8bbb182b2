/** The order of rows of several stores that hold accounts. */

/** Returns what orders rows of accounts as the stores do, by account and id: a space is before all letters and digits. */
export function keyOf({ account_id, id }: { readonly account_id: string; readonly id: string }): string {
  return `${account_id} ${id}`;
}
