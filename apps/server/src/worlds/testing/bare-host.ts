/** A host of worlds without a server and without a default world. */
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { World } from '../../open-world.ts';
import { wallClock } from '../../world/clock.ts';
import { systemRandom } from '../../world/random.ts';
import type { WorldHostOptions } from '../host-options.ts';
import { WorldHost } from '../world-host.ts';

/** The services of a world of such a host. */
interface BareServices {
  readonly world: World;
}

/** Makes a host on a directory of its own, to be closed by the test. Its worlds and itself have the same clock of the machine. */
export function bareHost(
  options: Partial<Pick<WorldHostOptions<BareServices>, 'bounds' | 'wallClock'>> = {},
): WorldHost<BareServices> {
  const { bounds, wallClock: clock = wallClock } = options;
  return new WorldHost<BareServices>({
    dataDirectory: temporaryDirectory(),
    services: () => {
      throw new Error('these tests do without a default world');
    },
    open: (dataDirectory, openedAs) => World.open({ dataDirectory, wallClock: clock, ...openedAs }),
    servicesOf: (world) => ({ world }),
    addresses: () => ({ base_url: '', ads_base_url: '', ads_sandbox_base_url: '' }),
    demo: () => Promise.resolve(),
    bounds,
    wallClock: clock,
    random: systemRandom,
    failed: (error) => {
      throw error;
    },
  });
}
