/** Files of a third-party encoder, if it is installed. */
import { execFileSync } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../db/testing/temporary.ts';
import { fileSource } from './byte-source.ts';
import { inspectMedia } from './inspect.ts';

/** The encoder. A variable, so that the module is not reported as a missing package. */
const program = 'ffmpeg';

function encoders(): string {
  try {
    return execFileSync(program, ['-hide_banner', '-encoders'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}

const available = encoders();
const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25'];
const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440'];
const clip = [...picture, ...sound, '-t', '2', '-pix_fmt', 'yuv420p'];
const video = { kind: 'video', width: 320, height: 180, frame_rate: 25, frames: 50, has_audio: true };
const image = { kind: 'photo', width: 320, height: 180 };

const table: [string, string, string[], object][] = [
  ['a.png', 'png', [...picture, '-frames:v', '1'], { ...image, media_type: 'image/png' }],
  ['a.jpg', 'mjpeg', [...picture, '-frames:v', '1'], { ...image, media_type: 'image/jpeg' }],
  ['still.gif', 'gif', [...picture, '-frames:v', '1'], { ...image, media_type: 'image/gif', frames: 1 }],
  ['moving.gif', 'gif', [...picture, '-t', '1', '-r', '10'], { kind: 'animated_gif', frames: 10, duration_ms: 1000 }],
  ['lossy.webp', 'libwebp', [...picture, '-frames:v', '1'], { ...image, media_type: 'image/webp' }],
  [
    'lossless.webp',
    'libwebp',
    [...picture, '-frames:v', '1', '-lossless', '1'],
    { ...image, media_type: 'image/webp' },
  ],
  [
    'moving.webp',
    'libwebp_anim',
    [...picture, '-t', '1', '-c:v', 'libwebp_anim'],
    { ...image, frames: 25, duration_ms: 1000 },
  ],
  [
    'plain.mp4',
    'libx264',
    clip,
    { ...video, media_type: 'video/mp4', codecs: [expect.stringMatching(/^avc1\.64/), 'mp4a'] },
  ],
  ['fast.mp4', 'libx264', [...clip, '-movflags', '+faststart'], { ...video, media_type: 'video/mp4' }],
  ['mpeg4.mp4', 'mpeg4', [...clip, '-c:v', 'mpeg4'], { ...video, media_type: 'video/mp4', codecs: ['mp4v', 'mp4a'] }],
  [
    'fragmented.mp4',
    'libx264',
    [...clip, '-g', '10', '-movflags', 'frag_keyframe+empty_moov'],
    { ...video, media_type: 'video/mp4' },
  ],
  [
    'dash.mp4',
    'libx264',
    [...clip, '-movflags', '+dash+frag_every_frame+default_base_moof'],
    { ...video, media_type: 'video/mp4' },
  ],
  ['a.mov', 'libx264', clip, { ...video, media_type: 'video/quicktime' }],
  ['pcm.mov', 'mpeg4', [...clip, '-c:v', 'mpeg4', '-c:a', 'pcm_s16le'], { ...video, codecs: ['mp4v', 'sowt'] }],
];

describe.skipIf(available === '')('files of another encoder', () => {
  const usable = table.filter(([, encoder]) => new RegExp(` ${encoder} `).test(available));
  test.each(usable)('%s is read as it was encoded', async (name, _, options, expected) => {
    const path = join(temporaryDirectory(), name);
    execFileSync(program, ['-v', 'error', '-y', ...options, path]);
    const handle = await open(path);
    try {
      const { size } = await stat(path);
      const found = await inspectMedia(fileSource(handle, size));
      expect(found).toMatchObject(expected);
      expect(found).toEqual(await inspectMedia(await readFile(path)));
      const bytes = await readFile(path);
      // Every cut except those between two fragments, which leave a shorter video.
      const step = Math.ceil(size / 500);
      for (let length = 1; length < size; length += step) {
        const cut = await inspectMedia(bytes.subarray(0, length));
        if (!/fragmented|dash/.test(name) || !('kind' in cut))
          expect({ length, reason: 'reason' in cut }).toEqual({ length, reason: true });
        else expect(cut.frames).toBeLessThan(50);
      }
      if ('duration_ms' in found && found.kind === 'video')
        expect(Math.abs((found.duration_ms ?? 0) - 2000)).toBeLessThan(100);
    } finally {
      await handle.close();
    }
  });
});
