import type { ControlContract } from '@broadside/core';

/** The actions of the contract. */
export type ActionsContract = ControlContract['control']['actions'];
