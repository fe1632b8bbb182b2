// The options of a script, with one line for whoever gives it a wrong one.
import { parseArgs } from 'node:util';

/**
 * Reads the options that a script was given. Where one is unknown, lacks its value, or is no number though its default is one, the
 * process ends with code 2 and says so.
 * @template {import('node:util').ParseArgsConfig} const Config
 * @param {Config} config as for `parseArgs`
 * @returns {ReturnType<typeof parseArgs<Config>>['values']}
 */
export function readOptions(config) {
  const options = config.options ?? {};
  try {
    const { values } = parseArgs(config);
    for (const [name, { default: usual }] of Object.entries(options)) {
      const value = Object.entries(values).find(([given]) => given === name)?.[1];
      if (typeof usual === 'string' && isNumber(usual) && !(typeof value === 'string' && isNumber(value))) {
        throw new TypeError(`--${name} is a number, such as ${usual}`);
      }
    }
    return values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [said] = error.message.split('. ');
    const names = Object.keys(options).map((name) => `--${name}`);
    process.stderr.write(`${said}; the options are ${names.join(', ')}\n`);
    process.exit(2);
  }
}

/** @param {string} text */
function isNumber(text) {
  return /^\d+(?:\.\d+)?$/.test(text);
}
