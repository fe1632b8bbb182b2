// An animation cannot be processed, one takes an hour, and one is not processed until somebody releases it.
import { strict as assert } from 'node:assert';
import { MediaProcessingError } from '@broadside/client';
import { connect } from '@broadside/testkit';

/** An animated GIF of two frames. */
const animation = Buffer.from(
  'R0lGODlhAgACAIEAAAAAAAAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQAMgAAACwAAAAAAgACAAACAwQIFAAh+QQAMgAAACwAAAAAAgACAAACAwQIFAA7',
  'base64',
);

await using world = await connect().worlds.create({ ttl_seconds: 600 });
const client = world.client();
await world.faults.create({ effect: { media_processing: { fail: true } }, times: 1 });
await world.faults.create({ effect: { media_processing: { delay_seconds: 3600 } }, times: 1 });
await world.faults.create({ effect: { media_processing: { hold: true } }, times: 1 });

/** Uploads the animation, and gives what the client says when it is not processed in time. */
async function upload(maxProcessingMs?: number): Promise<MediaProcessingError> {
  const uploading = client.media.upload(animation, { media_category: 'post_gif', maxProcessingMs });
  const error: unknown = await uploading.catch((caught: unknown) => caught);
  assert.ok(error instanceof MediaProcessingError);
  return error;
}
async function stateAfter(by: string, { media }: MediaProcessingError) {
  await world.clock.advance({ by });
  return (await client.media.status({ media_id: media.id })).processing_info?.state;
}

// It fails: the reason has to reach whoever uploads.
const failed = await upload();
assert.equal(failed.failure?.name, 'InternalError');

// It is slow: a client that has given up asks again later, and does not upload anew.
const slow = await upload(0);
assert.equal(await stateAfter('PT30M', slow), 'in_progress');
assert.equal(await stateAfter('PT31M', slow), 'succeeded');

// It is stuck, however long the client waits, until somebody releases it.
const stuck = await upload(0);
assert.equal(await stateAfter('PT12H', stuck), 'in_progress');
await world.actions.process_media({ media_id: stuck.media.id });
assert.equal(await stateAfter('PT1S', stuck), 'succeeded');
