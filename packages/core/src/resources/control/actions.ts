/** What a platform does to its advertisers and users, one verb each, so that every state can be reached and tested. */
import { access } from './actions-access.ts';
import { funds } from './actions-funds.ts';
import { deeds } from './actions-people.ts';
import { processing } from './actions-processing.ts';
import { decisions } from './actions-reviews.ts';

// Named by module, so that declarations repeat none of them.
type Actions = typeof decisions & typeof funds & typeof deeds & typeof processing & typeof access;

/** The actions, in the order in which documents have them. */
export const actions: Actions = { ...decisions, ...funds, ...processing, ...deeds, ...access };
