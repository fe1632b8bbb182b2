/** The link of a server to what it shares with others, made at its start. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { RedisLink } from './redis-link.ts';

/**
 * Connects where the configuration says so, and says what a server with others does not do.
 * @throws SharedStateError
 */
export async function linkTo(config: Config, logger: Logger): Promise<RedisLink | undefined> {
  const { shared, controls, workers = 1 } = config;
  if (shared === undefined) return undefined;
  if (controls)
    logger.warn(
      'the control of worlds stays closed: with BROADSIDE_SHARED_URL, other servers may serve the same world',
    );
  if (workers > 1) logger.warn({ workers }, 'one thread serves all requests: servers that share state have one each');
  const link = await RedisLink.open(shared);
  link.onProblem((problem) => {
    if (problem === undefined) logger.info('the state that servers share is back');
    else logger.error({ problem }, 'what needs the state that servers share is answered with 503');
  });
  return link;
}
