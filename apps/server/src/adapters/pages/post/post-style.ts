import { style } from '../design/style.ts';

/** The style of pages with posts: that of all pages, and one block for each part of a post. */
export const postStyle = `${style}
.feed { padding: 0; gap: 0; }
.feed > * { padding: 1.25rem clamp(1rem, 4vw, 1.5rem); }
.feed > * + * { border-top: 1px solid var(--line); }
.only { display: flex; flex-direction: column; gap: 1rem; background: var(--tint); border-radius: 12px 12px 0 0; }
.only .label { display: flex; align-items: center; gap: .45rem; font: 600 .9rem/1.4 var(--sans); letter-spacing: 0; color: var(--soft); }
.only .label .icon { width: 1.05rem; height: 1.05rem; }
.centre { text-align: center; }
.post { display: flex; flex-direction: column; gap: .9rem; min-width: 0; overflow: clip; overflow-clip-margin: .5rem; }
.post .strong { font-weight: 650; }
.above { display: flex; gap: .45rem; align-items: flex-start; font-size: .9rem; color: var(--soft); }
.above > .icon { width: 1.05rem; height: 1.05rem; margin-top: .2rem; }
.above + .by { margin-top: -.35rem; }
.by { display: flex; align-items: center; gap: .75rem; min-width: 0; }
.by .tile { background: var(--tint); }
.tile img { width: 100%; height: 100%; object-fit: cover; }
.names { flex: 1; min-width: 0; line-height: 1.35; overflow-wrap: anywhere; }
.name { font-weight: 650; color: var(--ink); text-decoration: none; }
.name:hover { text-decoration: underline; }
.handle { display: block; font-size: .9375rem; color: var(--soft); }
.sign { display: inline-block; margin-left: .3rem; vertical-align: -.18em; color: var(--soft); }
.sign.verified { color: var(--blue); }
.sign .icon { display: block; width: 1.1rem; height: 1.1rem; }

.said { font-size: 1.0625rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; overflow: clip; overflow-clip-margin: .3rem; }
.large > .said { font-size: 1.25rem; line-height: 1.45; }
.said a { unicode-bidi: isolate; text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
.said a:hover { text-decoration-color: currentColor; }
.tag { color: var(--brand-ink); }

.media, .card, .quoted { border: 1px solid var(--line); border-radius: 12px; overflow: clip; background: var(--tint); }
.media { display: grid; gap: 2px; width: 100%; }
.media img, .media video, .frame img, .frame video { display: block; width: 100%; height: 100%; object-fit: cover; }
.media video, .frame video { background: #000; object-fit: contain; }
.cell, .frame { position: relative; min-width: 0; min-height: 0; }
.cell > a, .cell > picture { display: block; height: 100%; }
.cell > a:focus-visible { outline-offset: -4px; outline-color: #fff; box-shadow: inset 0 0 0 6px var(--brand); }
.of-1 img, .of-1 video { height: auto; max-height: 34rem; }
.tall { width: fit-content; max-width: 100%; }
.tall img, .tall video { width: auto; height: auto; max-width: 100%; min-height: 16rem; max-height: 32rem; }
.of-2, .of-3, .of-4 { grid-template-columns: 1fr 1fr; aspect-ratio: 16 / 9; }
.of-3, .of-4 { grid-template-rows: repeat(2, minmax(0, 1fr)); }
.of-3 > :first-child { grid-row: 1 / 3; }
:is(.of-2, .of-3, .of-4) img { position: absolute; inset: 0; }
.badge { position: absolute; right: .6rem; top: .6rem; z-index: 1; padding: .1rem .5rem; border-radius: 6px; background: #1d1b18; color: #fff; font-size: .8rem;
  font-weight: 650; line-height: 1.5; letter-spacing: .03em; font-variant-numeric: tabular-nums; }
.still { display: none !important; position: absolute; inset: 0; }
.hold { position: absolute; left: .5rem; bottom: .5rem; z-index: 2; width: 2.75rem; height: 2rem; margin: 0; opacity: 0; cursor: pointer; }
.switch { left: .6rem; right: auto; top: auto; bottom: .6rem; padding-left: 1.6rem; }
.switch::before { content: ''; position: absolute; left: .6rem; top: 50%; translate: 0 -50%; width: .65rem; height: .65rem; border: solid #fff; border-width: 0 3px; }
.hold:checked + .switch::before { width: 0; height: 0; border-width: .35rem 0 .35rem .55rem; border-color: transparent transparent transparent #fff; }
.hold:checked ~ .still { display: block !important; }
.hold:focus-visible + .switch { outline: 2px solid #fff; box-shadow: 0 0 0 4px var(--brand); }
@media (prefers-reduced-motion: reduce) { .hold, .switch::before { display: none; } .switch { padding-left: .5rem; } }

.cta { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .6rem 1rem; }
.cta .words { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere; }
.button .icon { width: 1.05rem; height: 1.05rem; margin-left: .4rem; }

.card { background: var(--sheet); }
.frame { background: var(--tint); }
.frame img, .frame video { height: auto; max-height: 34rem; }
.missing { padding: 3rem 1rem; text-align: center; color: var(--soft); }
.leads { display: flex; align-items: center; gap: 1rem; min-height: 3.5rem; padding: .7rem 1rem; color: var(--ink); text-decoration: none; }
.leads > .icon { color: var(--soft); }
.leads .words { flex: 1; min-width: 0; display: flex; flex-direction: column; line-height: 1.4; overflow-wrap: anywhere; }
a.leads:hover { background: var(--tint); }
a.leads:hover .strong { text-decoration: underline; }
a.leads:focus-visible { outline-offset: -3px; border-radius: 9px; }
.app { display: flex; flex-direction: column; gap: .6rem; padding: .9rem 1rem; }
.app .actions { gap: .6rem; }
.app .button { flex: 1 1 9rem; flex-direction: column; gap: 0; padding-block: .4rem; }
.app .button .small { font-weight: 400; }

.carousel { position: relative; background: var(--tint); }
.slides { display: flex; align-items: stretch; gap: .6rem; padding: .75rem; overflow-x: auto; overscroll-behavior-x: contain; scroll-snap-type: x mandatory;
  scroll-padding-inline: .75rem; }
.slides:focus-visible { outline-offset: -2px; border-radius: 11px; }
.slide { position: relative; flex: 0 0 86%; display: flex; flex-direction: column; scroll-snap-align: start; border: 1px solid var(--line); border-radius: 9px; overflow: clip;
  background: var(--sheet); }
.slide:last-child { scroll-snap-align: end; }
.slide .leads { flex: 1; }
.slide :is(img, video) { max-height: 26rem; }
.stops { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem; padding: 0 .75rem .6rem; list-style: none; font-variant-numeric: tabular-nums; }
.stops a { display: grid; place-items: center; min-width: 2.75rem; min-height: 2.75rem; border-radius: 8px; }
@media (prefers-reduced-motion: no-preference) { .slides { scroll-behavior: smooth; } }
@supports selector(::scroll-marker) {
  .stops { display: none; }
  .slides { scroll-marker-group: after; }
  .slides::scroll-marker-group { display: flex; justify-content: center; gap: .1rem; min-height: 1.5rem; padding: 0 .75rem .75rem; }
  .slide::scroll-marker { content: '' / attr(aria-label); width: .6rem; height: .6rem; padding: .45rem; border-radius: 50%; background: var(--edge) content-box; }
  .slide::scroll-marker:target-current { background: var(--brand) content-box; }
  .slide::scroll-marker:focus-visible { outline: 2px solid var(--brand); }
  .slides::scroll-button(left), .slides::scroll-button(right) { position: absolute; top: calc(50% - 2.5rem); z-index: 2; width: 2.75rem; height: 2.75rem; border: 1px solid var(--edge);
    border-radius: 50%; background: var(--sheet); color: var(--ink); font: 600 1.3rem/1 var(--sans); cursor: pointer; }
  .slides::scroll-button(left) { content: '\\2190' / 'Previous slide'; left: 1.25rem; }
  .slides::scroll-button(right) { content: '\\2192' / 'Next slide'; right: 1.25rem; }
  .slides::scroll-button(*):disabled { visibility: hidden; }
  .slides::scroll-button(*):focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
}

.invites { display: flex; flex-direction: column; gap: .6rem; padding: .9rem 1rem; }
.call > summary { display: flex; width: 100%; margin: 0; gap: .1rem; color: var(--brand-ink); list-style: none; overflow-wrap: anywhere; }
.call > summary::-webkit-details-marker { display: none; }
.call .button .icon { margin: 0 .5rem 0 0; }
.card details[open] > .inside { gap: .5rem; padding: .6rem 0 .3rem; }
.thanks > summary { margin-bottom: -.3rem; }
.thanks .frame { border: 1px solid var(--line); border-radius: 9px; overflow: clip; }
.proposed { margin: 0; padding: .7rem .9rem; border-left: 3px solid var(--brand); border-radius: 0 9px 9px 0; background: var(--tint); white-space: pre-wrap; overflow-wrap: anywhere; }

.poll { display: flex; flex-direction: column; gap: .6rem; }
.choices { display: flex; flex-direction: column; gap: .7rem; list-style: none; }
.choices li { display: grid; grid-template-columns: 1fr auto; gap: .2rem 1rem; }
.choices .bar { order: 1; grid-column: 1 / -1; width: 100%; height: .6rem; border-radius: 99px; background: color-mix(in srgb, var(--line) 70%, var(--sheet)); }
.choices rect { fill: var(--edge); }
.choices .label { min-width: 0; display: flex; align-items: center; gap: .4rem; overflow-wrap: anywhere; }
.choices .label .icon { width: 1.05rem; height: 1.05rem; }
.choices .share { font-variant-numeric: tabular-nums; color: var(--soft); }
.choices .most { font-weight: 650; }
.choices .most .share { color: var(--ink); }
.choices .most rect { fill: var(--brand); }

.quoted { display: flex; flex-direction: column; gap: .7rem; margin: 0; padding: .9rem 1rem; background: none; }
.quoted .tile { width: 2rem; height: 2rem; font-size: 1rem; }
.quoted .said { font-size: 1rem; }
.quoted.gone { color: var(--soft); background: var(--tint); }
.below { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1.25rem; font-size: .9375rem; color: var(--soft); }
.when { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .9rem; font-size: .9375rem; color: var(--soft); }
.when a { color: inherit; text-decoration: none; }
.when a:hover { text-decoration: underline; }
.promoted { display: inline-flex; align-items: center; gap: .35rem; font-weight: 600; }
.promoted .icon { width: 1.05rem; height: 1.05rem; }
.counts { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; list-style: none; font-variant-numeric: tabular-nums; }
.counts li { display: inline-flex; align-items: center; gap: .35rem; }
.counts .icon { width: 1.1rem; height: 1.1rem; stroke-width: 1.8; }
.large > .below { padding-top: .9rem; border-top: 1px solid var(--line); }

.profile { display: flex; flex-direction: column; gap: .8rem; }
.profile .by { align-items: flex-start; gap: 1rem; }
.profile .tile { width: 4.5rem; height: 4.5rem; font-size: 2.1rem; }
.profile h1 { font-size: 1.6rem; }
.profile .facts-line { display: flex; flex-wrap: wrap; gap: .3rem 1.25rem; color: var(--soft); }
.profile .facts-line > * { display: inline-flex; align-items: center; gap: .4rem; min-width: 0; overflow-wrap: anywhere; }
.profile .facts-line .icon { width: 1.05rem; height: 1.05rem; }
.profile .facts-line b { color: var(--ink); }
.pager { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; }
.pager > :only-child:last-child { margin-left: auto; }

.framed main { padding: 0; max-width: none; }
.framed .sheet { padding: clamp(1rem, 4vw, 1.5rem); border-radius: 0; border: 0; box-shadow: none; min-height: 100vh; min-height: 100svh; }
@media (max-width: 32rem) {
  .app .actions > *, .app .actions .button { flex: 1 1 8rem; width: auto; }
}
@media (forced-colors: active) {
  .media, .card, .quoted, .slide, .choices .bar, .badge { border: 1px solid; }
  .choices rect { fill: Highlight; forced-color-adjust: none; }
  .slide::scroll-marker { background: ButtonText content-box; forced-color-adjust: none; }
  .slide::scroll-marker:target-current { background: Highlight content-box; }
}
@media print {
  .slides { flex-wrap: wrap; overflow: visible; }
  .slide { flex: 0 0 45%; }
  .stops, .switch, .pager { display: none !important; }
  .post { break-inside: avoid; }
  .framed .sheet { min-height: 0; }
}
`;
