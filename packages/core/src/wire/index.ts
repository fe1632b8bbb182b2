/** The wire codecs that need no schema: JSON with exact whole numbers, and times. */
export { MAX_BODY_BYTES, parseJson, stringifyJson } from './json.ts';
export { formatTimestamp, parseTimestamp, timestampMs } from './timestamp.ts';
