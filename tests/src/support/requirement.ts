/** Requirements as data, and the reasons why some show on fewer than all adapters. */
import type { AdapterName } from './adapters.ts';

/** One thing that must hold. */
export interface Requirement {
  /** Source: A, B, C are the parts of the specification, R the reference, 2 the description of the foundation. */
  readonly clause: string;
  /** The guarantee, in one sentence. */
  readonly text: string;
  /** Adapters that can express it; the others are left out for a reason. */
  readonly on: 'every adapter' | { readonly only: readonly AdapterName[]; readonly because: string };
}

/** Requirements by their ids. */
export type Requirements = Readonly<Record<string, Requirement>>;

export const wire = { only: ['rest'], because: 'it is about HTTP, which the typed adapters hide' } as const;
export const store = { only: ['rest'], because: 'it is about what is stored, whatever adapter stored it' } as const;
export const served = { only: ['rest', 'trpc'], because: 'the client calls what REST serves' } as const;
export const typed = { only: ['rest', 'trpc'], because: 'the client rejects such a call before it is sent' } as const;
export const operator = { only: ['trpc'], because: 'operator operations have no other adapter' } as const;
