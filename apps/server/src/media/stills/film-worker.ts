/** The thread that decodes a frame of a film: it ends with its answer, and is ended when it takes too long. */
import { parentPort, workerData } from 'node:worker_threads';
import { UndecodableError } from '../h264/bit-reader.ts';
import { type DecodedPicture, decodePicture } from '../h264/decode-picture.ts';
import { encodeFrame, isBlank, type Shown } from './film-frame.ts';

/** The task of the thread. */
export interface FilmWorkerStart {
  /** The units of key pictures; the first that shows something is taken, or else the first that can be decoded. */
  readonly pictures: readonly (readonly Uint8Array[])[];
  readonly shown: Shown;
}

const start: FilmWorkerStart = workerData;
parentPort?.postMessage(frameOf(start));

function frameOf({ pictures, shown }: FilmWorkerStart): Uint8Array | undefined {
  let first: DecodedPicture | undefined;
  for (const units of pictures) {
    const decoded = decode(units);
    if (!decoded) continue;
    if (!isBlank(decoded)) return encodeFrame(decoded, shown);
    first ??= decoded;
  }
  return first && encodeFrame(first, shown);
}

function decode(units: readonly Uint8Array[]): DecodedPicture | undefined {
  try {
    return decodePicture(units);
  } catch (error) {
    if (error instanceof UndecodableError) return undefined;
    throw error;
  }
}
