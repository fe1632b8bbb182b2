import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../db/testing/temporary.ts';
import { unitsOf } from '../testing/annex-b.ts';
import { streamSamples } from '../testing/h264-streams.ts';
import { UndecodableError } from './bit-reader.ts';
import { type DecodedPicture, decodePicture } from './decode-picture.ts';

/** Returns the samples that are shown: luma, Cb, Cr, row by row. */
function samplesOf({ picture, sequence }: DecodedPicture): Buffer {
  const { columns, rows, crop } = sequence;
  const rowsOf = [picture.luma, picture.cb, picture.cr].flatMap(({ samples, width }, component) => {
    const scale = component === 0 ? 1 : 2;
    const [left, right] = [crop.left / scale, (columns * 16 - crop.right) / scale];
    const [top, bottom] = [crop.top / scale, (rows * 16 - crop.bottom) / scale];
    return Array.from({ length: bottom - top }, (_, row) =>
      samples.subarray((top + row) * width + left, (top + row) * width + right),
    );
  });
  return Buffer.concat(rowsOf);
}

test.each(streamSamples)(
  'each sample of a picture in $name is that of an independent decoder',
  ({ stream, digest }) => {
    const decoded = decodePicture(unitsOf(Buffer.from(stream, 'base64')));
    expect(createHash('sha256').update(samplesOf(decoded)).digest('hex')).toBe(digest);
  },
);

describe('a damaged stream', () => {
  const streams = streamSamples.map(({ stream }) => Buffer.from(stream, 'base64'));

  /** Decodes, or reports that this is not possible; everything else is a bug. */
  function attempt(units: readonly Uint8Array[]): 'decoded' | 'reported' {
    try {
      decodePicture(units);
      return 'decoded';
    } catch (error) {
      if (error instanceof UndecodableError) return 'reported';
      throw error;
    }
  }

  test('is decoded to something or reported, whichever bytes are changed', () => {
    const outcomes = new Set<string>();
    const change = fc.record({ at: fc.nat(3000), value: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(fc.constantFrom(...streams), fc.array(change, { minLength: 1, maxLength: 8 }), (stream, changes) => {
        const damaged = Buffer.from(stream);
        for (const { at, value } of changes) damaged[at % damaged.length] = value;
        outcomes.add(attempt(unitsOf(damaged)));
      }),
      { numRuns: 600 },
    );
    expect(outcomes).toEqual(new Set(['decoded', 'reported']));
  });

  test('is reported when it is cut', () => {
    for (const stream of streams) {
      const units = unitsOf(stream);
      const last = units.at(-1) ?? new Uint8Array();
      for (const share of [0, 0.1, 0.5, 0.9]) {
        const cut = [...units.slice(0, -1), last.subarray(0, Math.floor(last.length * share))];
        expect(attempt(cut)).toBe('reported');
      }
    }
  });

  test('is reported when it is none at all', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), (units) => {
        expect(attempt(units)).toBe('reported');
      }),
    );
  });
});

/** The encoder. A variable, so that the module is not reported as a missing package. */
const program = 'ffmpeg';

function hasEncoder(): boolean {
  try {
    return execFileSync(program, ['-hide_banner', '-encoders'], { encoding: 'utf8', stdio: 'pipe' }).includes(
      'libx264',
    );
  } catch {
    return false;
  }
}

const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=210x118:r=5,noise=alls=30,format=yuv420p', '-frames:v', '2'];

/** Options of the encoder, as it is used. */
const options: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['baseline', ['-profile:v', 'baseline']],
  ['main', ['-profile:v', 'main']],
  ['high', ['-profile:v', 'high']],
  ['high, codes of variable length', ['-x264-params', 'cabac=0:8x8dct=1']],
  ['the finest quantizer', ['-qp', '1']],
  ['the finest quantizer, baseline', ['-qp', '1', '-profile:v', 'baseline']],
  ['the coarsest quantizer', ['-qp', '51']],
  ['scaling lists', ['-x264-params', 'cqm=jvt']],
  ['scaling lists, codes of variable length', ['-x264-params', 'cqm=jvt:cabac=0:8x8dct=1']],
  ['four slices', ['-x264-params', 'slices=4']],
  ['small slices', ['-profile:v', 'baseline', '-x264-params', 'slice-max-size=400']],
  ['edges as they are', ['-x264-params', 'no-deblock=1']],
  ['edges smoothed more', ['-x264-params', 'deblock=3,-3:chroma-qp-offset=-5']],
  ['edges smoothed less', ['-x264-params', 'deblock=-4,6:chroma-qp-offset=9']],
];

describe.skipIf(!hasEncoder())('a third-party encoder and decoder', () => {
  test.each(options)('agree about every sample: %s', async (_, chosen) => {
    const directory = temporaryDirectory();
    const stream = path.join(directory, 'a.h264');
    const raw = path.join(directory, 'a.yuv');
    const run = (words: readonly string[]) => execFileSync(program, ['-v', 'error', ...words]);
    run([...picture, '-c:v', 'libx264', ...chosen, '-bsf:v', 'h264_mp4toannexb', stream]);
    run(['-i', stream, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', raw]);
    // Up to the slices of the second picture, which start with macroblock 0 again.
    const units = unitsOf(await readFile(stream));
    const starts = units.flatMap((unit, index) => {
      const isSlice = [1, 5].includes((unit[0] ?? 0) & 0x1f);
      return isSlice && ((unit[1] ?? 0) & 0x80) !== 0 ? [index] : [];
    });
    const decoded = decodePicture(units.slice(0, starts[1]));
    expect(samplesOf(decoded).equals(await readFile(raw))).toBe(true);
  });
});
