import { text } from '../../wire/types.ts';

/** Schema of a token or verifier in parameters. */
export const token = () => text({ max: 200, secret: true });

/** Tokens for examples of the contract. */
export const exampleToken = {
  request: 'Z6eEdO8MOmk394WozF5oKyuAv855l4Mlqo7hhlSLik',
  access: '1503831318555086849-AccessTokenValue',
  bearer: 'AAAAAAAAAAAAAAAAAAAAAMLheAAAAAAA0',
} as const;
