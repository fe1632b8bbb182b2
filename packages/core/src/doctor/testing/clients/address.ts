/** Clients with mistakes in the method and the address. */
import type { ADDRESS_TEXTS } from '../../texts/address.ts';
import { addressOf, baseString, enc, normalized, originOf, type Plan, parametersOf, randomPlan } from '../client.ts';
import { type Case, LOWER, type MistakenClient, signed, withQuery } from '../mistaken-client.ts';
import type { Random } from '../random.ts';

export const ADDRESS_CLIENTS: Readonly<Record<keyof typeof ADDRESS_TEXTS, MistakenClient>> = {
  wrong_method: (random) => {
    const plan = randomPlan(random);
    const method = random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']);
    return signed(plan, random, { text: baseString(method, addressOf(plan), normalized(parametersOf(plan))) });
  },
  method_not_upper_case: (random) => {
    const plan = randomPlan(random);
    const lower = plan.method.toLowerCase();
    const method = random.chance(70) ? lower : plan.method.charAt(0) + lower.slice(1);
    return signed(plan, random, { text: baseString(method, addressOf(plan), normalized(parametersOf(plan))) });
  },
  wrong_scheme: byAddress((plan, random) => {
    const scheme = plan.scheme === 'http' ? 'https' : 'http';
    return originOf({ ...plan, scheme, port: random.chance(30) ? '' : plan.port }) + plan.prefix + plan.path;
  }),
  wrong_host: (random) => {
    if (random.chance(40)) {
      const [host, other] = random.shuffled(['localhost', '127.0.0.1', '[::1]']);
      if (host === undefined || other === undefined) return undefined;
      return addressCase(
        randomPlan(random, { host }),
        random,
        (plan) => originOf({ ...plan, host: other }) + plan.prefix + plan.path,
      );
    }
    const host = `${random.text(LOWER, 3, 9)}.example.net`;
    const port = random.pick(['', '8443']);
    const public_ = port === '' ? host : `${host}:${port}`;
    const headers = random.chance(50) ? { host: public_ } : { host: 'inner', 'x-forwarded-host': `${public_}, proxy` };
    const scheme = random.pick(['http', 'https']);
    return addressCase(
      randomPlan(random, { host: 'inner', port: '8001', headers }),
      random,
      (plan) => `${scheme}://${public_}${plan.prefix}${plan.path}`,
    );
  },
  other_listener: (random) => {
    const other = originOf({
      scheme: random.pick(['http', 'https']),
      host: `${random.text(LOWER, 3, 9)}.example.net`,
      port: random.pick(['', '9001']),
    });
    const otherBases = random.shuffled(['http://127.0.0.1:9000', other, 'https://example.com']);
    return addressCase(randomPlan(random, { otherBases, prefix: '' }), random, (plan) => other + plan.path);
  },
  default_port_kept: byAddress(
    (plan) => originOf({ ...plan, port: plan.scheme === 'http' ? '80' : '443' }) + plan.prefix + plan.path,
    { port: '' },
  ),
  port_left_out: byAddress((plan) => originOf({ ...plan, port: '' }) + plan.prefix + plan.path),
  wrong_port: (random) => {
    const port = String(2000 + random.below(6000));
    const plan = randomPlan(random);
    const headers = random.chance(50) ? { host: `${plan.host}:${port}` } : { 'x-forwarded-port': port };
    return addressCase({ ...plan, headers }, random, () => originOf({ ...plan, port }) + plan.prefix + plan.path);
  },
  address_not_lower_case: (random) => {
    const host = random.pick(['Ads.Example.Com', 'ADS.EXAMPLE.COM', 'aDs.example.com']);
    const plan = randomPlan(random, { host: 'ads.example.com' });
    const typed = plan.port === '' ? host : `${host}:${plan.port}`;
    if (random.chance(30)) {
      return addressCase(
        plan,
        random,
        () => originOf({ ...plan, scheme: plan.scheme.toUpperCase() }) + plan.prefix + plan.path,
      );
    }
    return addressCase(
      { ...plan, headers: { host: typed } },
      random,
      () => originOf({ ...plan, host }) + plan.prefix + plan.path,
    );
  },
  origin_left_out: byAddress((plan) => plan.prefix + plan.path),
  query_in_address: (random) => {
    const plan = withQuery(random);
    // The query must be sent exactly as signed, so it is written by hand.
    const query = plan.query.map(([name, value]) => `${enc(name)}=${enc(value)}`).join('&');
    if (plan.place === 'query') return undefined;
    const signedTwice = random.chance(50);
    const parameters = parametersOf(plan).filter(({ place }) => place !== 'query' || signedTwice);
    const text = baseString(plan.method, `${addressOf(plan)}?${query}`, normalized(parameters));
    const whole = signed(plan, random, { text });
    return whole && { ...whole, request: { ...whole.request, target: `${plan.path}?${query}` } };
  },
  trailing_slash: byAddress((plan) => {
    const address = addressOf(plan);
    return address.endsWith('/') ? address.slice(0, -1) : `${address}/`;
  }),
  path_spelled_anew: byAddress(
    (plan, random) => {
      const segments = (plan.prefix + plan.path).split('/');
      const spelled = random.pick([
        () => decodeURIComponent(plan.prefix + plan.path),
        () => segments.map((segment) => enc(decodeURIComponent(segment))).join('/'),
        () => segments.map((segment) => enc(segment)).join('/'),
      ])();
      return originOf(plan) + spelled;
    },
    undefined,
    (plan) => plan.path.includes('%') || /[!*'(),:@$;]/.test(plan.path),
  ),
  path_prefix: (random) => {
    if (random.chance(70)) {
      const plan = randomPlan(random, { prefix: random.pick(['/ads', '/p/v1']), otherBases: [] });
      const prefix = random.chance(50) ? '' : plan.prefix + plan.prefix;
      return addressCase(plan, random, () => originOf(plan) + prefix + plan.path);
    }
    return addressCase(
      randomPlan(random, { prefix: '', headers: { 'x-forwarded-prefix': '/outer/' } }),
      random,
      (plan) => `${originOf(plan)}/outer${plan.path}`,
    );
  },
};

function byAddress(
  write: (plan: Plan, random: Random) => string,
  given: Partial<Plan> = {},
  matters: (plan: Plan) => boolean = () => true,
): MistakenClient {
  return (random) => {
    const plan = randomPlan(random, given);
    return matters(plan) ? addressCase(plan, random, () => write(plan, random)) : undefined;
  };
}

function addressCase(plan: Plan, random: Random, write: (plan: Plan) => string): Case | undefined {
  return signed(plan, random, { text: baseString(plan.method, write(plan), normalized(parametersOf(plan))) });
}
