/** A picture while it is decoded: its samples, and what later macroblocks and the smoothing of edges need of earlier ones. */

/** The prediction of the luma of a macroblock: by blocks of 4, 8 or 16 samples, or not at all. */
export const kinds = { small: 0, large: 1, whole: 2, raw: 3 } as const;

/** Prediction modes of blocks that others refer to (tables 8-2 and 8-3). */
export const DC_MODE = 2;

/** A plane of samples, and the number of levels of each of its blocks of 4 by 4. */
export interface Plane {
  readonly width: number;
  readonly samples: Uint8Array;
  /** Blocks in a row. */
  readonly blocks: number;
  readonly counts: Uint8Array;
}

/** A macroblock and those around it: addresses, -1 where they are outside of the slice. */
export interface Place {
  readonly address: number;
  readonly column: number;
  readonly row: number;
  readonly left: number;
  readonly top: number;
  readonly topRight: number;
  readonly topLeft: number;
}

/** The picture. All arrays of macroblocks are by address. */
export class Picture {
  readonly columns: number;
  readonly rows: number;
  readonly luma: Plane;
  readonly cb: Plane;
  readonly cr: Plane;
  /** The number of the slice of each macroblock, -1 before it is decoded. */
  readonly slices: Int32Array;
  readonly kinds: Uint8Array;
  readonly quantizers: Uint8Array;
  /** Which blocks have levels: four bits for luma, above them 0 to 2 for chroma (`coded_block_pattern`). */
  readonly patterns: Uint8Array;
  readonly chromaModes: Uint8Array;
  /** A bit for each plane whose DC levels are coded apart. */
  readonly dcFlags: Uint8Array;
  /** Prediction modes of the luma blocks. */
  readonly modes: Uint8Array;

  constructor(columns: number, rows: number) {
    const count = columns * rows;
    this.columns = columns;
    this.rows = rows;
    this.luma = plane(columns * 16, rows * 16);
    this.cb = plane(columns * 8, rows * 8);
    this.cr = plane(columns * 8, rows * 8);
    this.slices = new Int32Array(count).fill(-1);
    this.kinds = new Uint8Array(count);
    this.quantizers = new Uint8Array(count);
    this.patterns = new Uint8Array(count);
    this.chromaModes = new Uint8Array(count);
    this.dcFlags = new Uint8Array(count);
    this.modes = new Uint8Array(count * 16);
  }

  /** Returns a macroblock of a slice, and its neighbours within the slice. */
  place(address: number, slice: number): Place {
    const { columns, slices } = this;
    const column = address % columns;
    const within = (other: number, exists: boolean) => (exists && slices[other] === slice ? other : -1);
    return {
      address,
      column,
      row: (address - column) / columns,
      left: within(address - 1, column > 0),
      top: within(address - columns, address >= columns),
      topRight: within(address - columns + 1, address >= columns && column + 1 < columns),
      topLeft: within(address - columns - 1, address > columns && column > 0),
    };
  }
}

function plane(width: number, height: number): Plane {
  return {
    width,
    samples: new Uint8Array(width * height),
    blocks: width >> 2,
    counts: new Uint8Array((width >> 2) * (height >> 2)),
  };
}
