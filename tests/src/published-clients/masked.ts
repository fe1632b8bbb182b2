/** Results of steps as text that is the same in each run: ids, times and addresses are numbered or masked. */

const ID_MEMBER = /^(id|id_str|ids|userId|reads|.*_id|.*_ids|.*media_keys?|card_uri)$/;
/** Ids that are the same in each run. */
const FIXED = /^(IAB|ru$)/;

/** A line for each step. Equal ids have equal numbers. */
export function maskedLines(steps: ReadonlyMap<string, unknown>, secrets: Readonly<Record<string, string>>): string {
  const numbers = new Map<string, number>();
  const idOf = (id: string) => {
    const number = numbers.get(id) ?? numbers.size + 1;
    numbers.set(id, number);
    return `<id ${number}>`;
  };
  const text = (value: string, name: string): string => {
    const [known] = Object.entries(secrets).find(([, secret]) => secret === value) ?? [];
    if (known !== undefined) return `<${known}>`;
    if (numbers.has(value) || (ID_MEMBER.test(name) && value !== '' && !FIXED.test(value))) return idOf(value);
    return value
      .replaceAll(/\b20(?!27)\d\d-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/^\w{3} \w{3} \d\d [\d:]+ \+0000 \d{4}$/g, '<time>')
      .replaceAll(/(https:\/\/[\w.-]+\/(?:media|s))\/[\w.-]+/g, '$1/<name>');
  };
  const masked = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return text(value, name);
    if (typeof value === 'number' && name === 'id') return idOf(`${value}`);
    if (Array.isArray(value)) return value.map((each: unknown) => masked(each, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [/^\d+_\d+$/.test(key) ? idOf(key) : key, masked(member, key)]),
    );
  };
  return [...steps].map(([step, value]) => `${step}\n  ${JSON.stringify(masked(value))}\n`).join('');
}
