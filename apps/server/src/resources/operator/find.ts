/** What the operator's procedures share with the actions of the control interface. */
export { accepted, OPERATOR_SOURCE } from './accepted.ts';
export { findApp } from './apps.ts';
export { postsWithCard } from './posts-with-card.ts';
export { type Reviewed, reviewPromoted } from './reviews.ts';
