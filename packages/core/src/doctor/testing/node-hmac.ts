import type { Hmac } from '../../auth/authorization.ts';

/** The part of Node that is used here, declared by hand because core compiles without Node's types. */
declare const process: {
  getBuiltinModule(name: 'node:crypto'): {
    createHmac(
      algorithm: string,
      key: string,
    ): { update(text: string, encoding: 'latin1'): { digest(encoding: 'base64'): string } };
  };
};
const { createHmac } = process.getBuiltinModule('node:crypto');

/** A synchronous HMAC: the search computes tens of thousands of signatures here. */
export const nodeHmac = (algorithm: string, key: string, text: string): string =>
  createHmac(algorithm, key).update(text, 'latin1').digest('base64');
nodeHmac satisfies Hmac;
