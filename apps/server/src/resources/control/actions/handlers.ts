/** What a platform does to its advertisers and users. */
import type { HandlersOf } from '../../../pipeline/context.ts';
import { access } from './access.ts';
import type { ActionsContract } from './contract.ts';
import { decisions } from './decisions.ts';
import { deeds } from './deeds.ts';
import { funds } from './funds.ts';
import { later } from './later.ts';

export const actions: HandlersOf<ActionsContract> = { ...decisions, ...funds, ...later, ...deeds, ...access };
