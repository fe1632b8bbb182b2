/** The OpenAPI document of each listener. */
import { type Environment, stringifyJson } from '@broadside/core';
import { openapiDocument } from '@broadside/core/openapi';
import { pin } from './pin.ts';

const listeners: Readonly<Record<string, Environment | undefined>> = {
  'api.json': undefined,
  'ads.json': 'production',
  'sandbox.json': 'sandbox',
};

const LINE_WIDTH = 100;

/** JSON in which an array or object has lines of its own for its members only where it does not fit into one. */
function pretty(value: unknown, indent = ''): string {
  const line = stringifyJson(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE_WIDTH) return line;
  const deeper = `${indent}  `;
  const [open, close, members] = Array.isArray(value)
    ? ['[', ']', value.map((member: unknown) => pretty(member, deeper))]
    : [
        '{',
        '}',
        Object.entries(value)
          .filter(([, member]) => member !== undefined)
          .map(([name, member]: [string, unknown]) => `${JSON.stringify(name)}: ${pretty(member, deeper)}`),
      ];
  return `${open}\n${members.map((member) => `${deeper}${member}`).join(',\n')}\n${indent}${close}`;
}

pin(
  'openapi',
  Object.fromEntries(
    Object.entries(listeners).map(([file, environment]) => [
      file,
      // Neither the address nor the version is part of the surface.
      `${pretty(openapiDocument({ environment, serverUrl: 'http://127.0.0.1', version: '0' }))}\n`,
    ]),
  ),
);
