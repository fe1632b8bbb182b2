/** Parts of requests that mistakes are made in. */
import type { MistakeWorld } from './mistake.ts';

export const campaigns = ({ account }: MistakeWorld) => `/12/accounts/${account}/campaigns`;
export const wanted = ({ funding }: MistakeWorld) => ({ funding_instrument_id: funding, name: 'Autumn' });
export const reading = (path = '/12/accounts') => ({ path });
export const asIs = (headers: Readonly<Record<string, string>>, path = '/12/accounts') => ({ path, as: null, headers });
