import type { PollCardView } from '../../../post-view/card-view.ts';
import { type Html, html } from '../design/html.ts';
import { icon } from '../design/icons.ts';
import { numberOf } from '../design/words.ts';
import { mediaItem } from './media.ts';

/** Renders a poll with its results. */
export function pollCard({ media, choices, remaining_ms }: PollCardView, id: string): Html {
  const total = choices.reduce((sum, { votes }) => sum + votes, 0);
  const most = Math.max(...choices.map(({ votes }) => votes));
  const isOver = remaining_ms <= 0;
  return html`<div class="poll" role="group" aria-label="Poll">${media && html`<div class="card"><div class="frame">${mediaItem(media, `${id}-m`)}</div></div>`}
<ul class="choices" role="list">${choices.map(({ label, votes }) => {
    const share = `${shareOf(votes, total)}%`;
    const leads = total > 0 && votes === most;
    // The width is an attribute of the drawing: the policy of the page lets no style attribute in.
    return html`<li${leads && html` class="most"`}><svg class="bar" aria-hidden="true"><rect width="${share}" height="100%"/></svg><span class="label"><bdi>${label}</bdi>${isOver && leads && html`${icon('check')}<span class="hidden"> Most votes</span>`}</span><span class="share">${share}</span></li>`;
  })}</ul>
<p class="soft small">${numberOf(total)} ${total === 1 ? 'vote' : 'votes'} · ${isOver ? 'Final results' : leftOf(remaining_ms)}</p></div>`;
}

/** Returns a share in whole percent. */
function shareOf(votes: number, total: number): number {
  return total === 0 ? 0 : Math.round((100 * votes) / total);
}

/** Says how long a poll is open, in the largest unit of which there is at least one. */
function leftOf(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  for (const [unit, length] of units) {
    const number = Math.floor(ms / length);
    if (number >= 1) return `${number} ${unit}${number === 1 ? '' : 's'} left`;
  }
  return 'Less than a minute left';
}
