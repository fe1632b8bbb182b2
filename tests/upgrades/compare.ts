/** What an earlier version answered, found in what this one answers. */

/** Values that depend on the moment of the answer, or on where the server listens. */
const OF_THE_MOMENT = new Set(['effective_status', 'servable', 'reasons_not_servable']);

/**
 * Lists what is missing or different, by its path. Later versions may answer with more members.
 * @param path of the value, such as `data`
 */
export function differences(earlier: unknown, now: unknown, path: string): readonly string[] {
  if (Array.isArray(earlier)) {
    if (!Array.isArray(now) || now.length < earlier.length) return [`${path} has fewer entries`];
    return earlier.flatMap((one, i) => differences(one, now[i], `${path}[${i}]`));
  }
  if (isRecord(earlier)) {
    if (!isRecord(now)) return [`${path} is not an object any more`];
    return Object.entries(earlier).flatMap(([name, value]) =>
      OF_THE_MOMENT.has(name) ? [] : differences(value, now[name], `${path}.${name}`),
    );
  }
  return Object.is(placeless(earlier), placeless(now))
    ? []
    : [`${path} was ${JSON.stringify(earlier)} and is ${JSON.stringify(now)}`];
}

/** Short links in texts are made for each answer, with the address of the server. */
function placeless(value: unknown): unknown {
  return typeof value === 'string'
    ? value.replaceAll(/http:\/\/127\.[\d.]+:\d+(?:\/s\/\w+)?/g, 'http://server')
    : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
