/**
 * Media that were erased with the person who owned them: the row stays where others may refer to it, without bytes, and they can be used in
 * nothing new. Stores of earlier versions have them as processed media with a blob that there is not, whose name begins with `gone` and is
 * shorter than that of any blob. Whoever reads media decides by these expressions, so that both are the same.
 */
import { type SQL, sql } from 'drizzle-orm';
import { orNull, types } from '../db/value-types.ts';
import { media } from './platform-table.ts';

/** True of erased media. */
export const isErased: SQL = sql`(${media.state} = 'erased' OR (${media.blob_key} GLOB 'gone*' AND length(${media.blob_key}) < 32))`;

/** The state of media. */
export const stateOfMedia = sql`CASE WHEN ${isErased} THEN 'erased' ELSE ${media.state} END`.mapWith(media.state);

/** The blob of media, if there is one. */
export const blobOfMedia = sql`CASE WHEN ${isErased} THEN NULL ELSE ${media.blob_key} END`.mapWith(orNull(types.text));
