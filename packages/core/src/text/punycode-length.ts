const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialN = 0x80;
const prefix = 'xn--';

/**
 * Returns the length of a host label in its ASCII form (RFC 3492), or undefined when it exceeds `max`.
 *
 * The cost is bounded by `max`, whatever the label.
 */
export function punycodeLength(label: string, max: number): number | undefined {
  if (label.length > 2 * max) return undefined;
  const points = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < initialN).length;
  if (basic === points.length) return basic <= max ? basic : undefined;
  let length = prefix.length + basic + (basic > 0 ? 1 : 0);
  let n = initialN;
  let delta = 0;
  let bias = initialBias;
  for (let handled = basic; handled < points.length; ) {
    const next = points.reduce(
      (least, point) => (point >= n && point < least ? point : least),
      Number.POSITIVE_INFINITY,
    );
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta += 1;
      if (point !== n) continue;
      length += digits(delta, bias);
      if (length > max) return undefined;
      bias = adapt(delta, handled + 1, handled === basic);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    n += 1;
  }
  return length <= max ? length : undefined;
}

/** Returns the number of digits that encode a delta under a bias. */
function digits(delta: number, bias: number): number {
  let count = 1;
  let rest = delta;
  for (let k = base; ; k += base) {
    const threshold = Math.min(Math.max(k - bias, tMin), tMax);
    if (rest < threshold) return count;
    rest = Math.floor((rest - threshold) / (base - threshold));
    count += 1;
  }
}

function adapt(delta: number, handled: number, first: boolean): number {
  let rest = first ? Math.floor(delta / damp) : Math.floor(delta / 2);
  rest += Math.floor(rest / handled);
  let k = 0;
  for (; rest > ((base - tMin) * tMax) / 2; k += base) rest = Math.floor(rest / (base - tMin));
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}
