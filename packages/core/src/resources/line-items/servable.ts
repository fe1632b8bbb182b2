import type { Campaign } from '../campaigns/entity.ts';
import type { LineItem } from './entity.ts';

/**
 * Decides whether a line item is served at a time: it is switched on, its flight has begun and not ended, and its campaign
 * is served. Our choice, since the specification names this state with the audiences that line items target only.
 * @param now a timestamp
 */
export function isLineItemServable(
  { entity_status, start_time, end_time }: Pick<LineItem, 'entity_status' | 'start_time' | 'end_time'>,
  { servable }: Pick<Campaign, 'servable'>,
  now: string,
): boolean {
  const isInFlight = (start_time === null || start_time <= now) && (end_time === null || end_time > now);
  return servable === true && entity_status === 'ACTIVE' && isInFlight;
}
