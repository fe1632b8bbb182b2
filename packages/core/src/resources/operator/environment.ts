import { oneOf } from '../../wire/types.ts';

/** The environment whose data an operation of the operator concerns. */
export const environment = oneOf(['production', 'sandbox'])
  .default('production')
  .describe('Whose advertising data: each environment has its own.');
