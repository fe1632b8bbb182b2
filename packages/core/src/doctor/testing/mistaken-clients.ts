/** For each mistake, a client that makes it in random requests. */
import type { MistakeName } from '../mistakes.ts';
import { ADDRESS_CLIENTS } from './clients/address.ts';
import { ENCODING_CLIENTS } from './clients/encoding.ts';
import { PARAMETER_CLIENTS } from './clients/parameters.ts';
import { REQUEST_CLIENTS } from './clients/request.ts';
import { SIGNATURE_CLIENTS } from './clients/signature.ts';
import type { MistakenClient } from './mistaken-client.ts';

export const MISTAKEN_CLIENTS: Readonly<Record<MistakeName, MistakenClient>> = {
  ...ADDRESS_CLIENTS,
  ...PARAMETER_CLIENTS,
  ...ENCODING_CLIENTS,
  ...SIGNATURE_CLIENTS,
  ...REQUEST_CLIENTS,
};
