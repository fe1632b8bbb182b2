// Uploads an image, an animated GIF or a video with the typed client, @broadside/client
import { existsSync, openAsBlob, readFileSync } from 'node:fs';
import { createClient, MediaProcessingError } from '@broadside/client';

const data = process.env['BROADSIDE_DATA_DIR'] || '.data';
const [file = 'photo.png', credentialsFile = `${data}/credentials.json`] = process.argv.slice(2);
if (!existsSync(credentialsFile)) {
  console.error(`${credentialsFile} does not exist: start the server first, or name the file as argument 2`);
  process.exit(1);
}
const client = createClient(JSON.parse(readFileSync(credentialsFile, 'utf8')));

try {
  const { media_key, size } = await client.media.upload(await openAsBlob(file), {
    onProgress: ({ phase, sentBytes, totalBytes }) => console.log(phase, sentBytes, 'of', totalBytes),
  });
  console.log(media_key, size);
} catch (error) {
  if (!(error instanceof MediaProcessingError)) throw error;
  console.log(error.failure?.message);
}
