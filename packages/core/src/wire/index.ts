/** The wire codecs that need no schema: JSON with exact whole numbers, and times. */
export { parseJson, stringifyJson } from './json.ts';
export { formatTimestamp, parseTimestamp, timestampMs } from './timestamp.ts';
