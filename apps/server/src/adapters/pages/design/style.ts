import { foundation } from './foundation.ts';

/** The style of the server-rendered pages: the foundation, and one block for each component. */
export const style = `${foundation}
body { display: flex; flex-direction: column; min-height: 100vh; min-height: 100svh; font-size: 1rem; line-height: 1.55; }
h1, h2, h3, p, ul, dl, dd, figure, fieldset { margin: 0; padding: 0; }
h1, h2 { font-family: var(--serif); letter-spacing: -.012em; line-height: 1.18; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.6rem, 1.3rem + 1.6vw, 2.05rem); }
h2 { font-size: 1.25rem; }
h3 { font-size: 1rem; line-height: 1.4; overflow-wrap: anywhere; }
p, li, dd { overflow-wrap: anywhere; text-wrap: pretty; }
strong { font-weight: 650; }
code { padding: .08em .32em; border-radius: 4px; background: var(--tint); overflow-wrap: anywhere; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; user-select: none; }
.soft { color: var(--soft); }
.small { font-size: .9rem; }
.icon { flex: none; width: 1.25rem; height: 1.25rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }

.mast { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; min-height: 3.75rem; padding: .4rem clamp(1rem, 4vw, 2rem);
  border-bottom: 1px solid var(--line); }
.mast .brand { min-height: 2.75rem; margin-right: auto; }
.mast .who { display: flex; align-items: center; gap: .5rem; min-width: 0; margin: 0 -.6rem 0 auto; }
.mast .who span { overflow-wrap: anywhere; }
.bell { position: relative; display: inline-flex; align-items: center; justify-content: center; min-width: 2.75rem; min-height: 2.75rem; color: var(--soft); }
.bell:hover { color: var(--ink); }
.bell .icon { width: 1.45rem; height: 1.45rem; }
.mast .who .bell .count { position: absolute; top: .2rem; left: calc(50% + .1rem); overflow-wrap: normal; }
.count b { display: block; min-width: 1.2rem; padding: 0 .3rem; border-radius: 99px; background: var(--accent); color: var(--on-accent); font: 700 .75rem/1.2rem var(--sans); text-align: center; }
#news { position: fixed; z-index: 8; right: clamp(.75rem, 3vw, 1.5rem); bottom: clamp(.75rem, 3vw, 1.5rem); display: flex; flex-direction: column; gap: .75rem; width: min(24rem, calc(100vw - 1.5rem)); }
.banner { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1rem; padding: 1rem 1.1rem; border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 12px;
  background: var(--sheet); box-shadow: 0 2px 6px #1d1b181f, 0 18px 40px -18px #1d1b1866; animation: arrive .25s ease-out; }
.banner p { flex: 1 1 12rem; }
.banner b, .banner bdi { display: block; }
.banner bdi { color: var(--soft); font-size: .9375rem; }
.choices { display: flex; flex-wrap: wrap; gap: .25rem .5rem; }
@keyframes arrive { from { opacity: 0; translate: 0 .75rem; } }
@media (prefers-reduced-motion: reduce) { .banner { animation: none; } }
.title.open.beside { flex-direction: row; flex-wrap: wrap; align-items: center; justify-content: space-between; }
.beside form { margin-inline: -.6rem; }
.news-list { display: flex; flex-direction: column; list-style: none; margin: -.75rem 0; }
.news-item { position: relative; padding: .9rem 0; border-top: 1px solid var(--line); }
.news-item:first-child { border-top: 0; }
.news-item a { display: block; padding: .15rem 0; color: inherit; text-decoration: none; }
.news-item a:hover b { text-decoration: underline; }
.news-item b { display: block; font-weight: 550; }
.news-item.unread { padding-left: 1.35rem; }
.news-item.unread b { font-weight: 700; }
.news-item.unread::before { content: ''; position: absolute; left: 0; top: 1.55rem; width: .6rem; height: .6rem; border-radius: 50%; background: var(--accent); }
.back { margin-bottom: -.5rem; }
.back a { display: inline-flex; align-items: center; gap: .35rem; min-height: 2.75rem; }
.back .icon { width: 1rem; height: 1rem; }
main { flex: 1; display: flex; flex-direction: column; gap: 1.25rem; width: 100%; max-width: 47rem; margin: 0 auto;
  padding: clamp(1rem, 4vw, 2.5rem) clamp(1rem, 4vw, 2rem) 1.5rem; }
main.narrow { max-width: 35rem; }
.foot { padding: 1.25rem clamp(1rem, 4vw, 2rem) 1.75rem; text-align: center; font-size: .875rem; color: var(--soft); text-wrap: balance; }
.foot p { max-width: 44rem; margin: 0 auto; }
.foot a { display: inline-block; padding: .75rem .25rem; }

.sheet { display: flex; flex-direction: column; gap: 1.25rem; padding: clamp(1.25rem, 5vw, 2.25rem); background: var(--sheet);
  border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 1px 2px #1d1b180a, 0 14px 34px -22px #1d1b1833; }
.title { display: flex; flex-direction: column; gap: .6rem; padding-bottom: 1.1rem; border-bottom: 3px double var(--line); }
.title.open { gap: .25rem; padding-bottom: 0; border-bottom: 0; }
.title .named p { margin-top: .3rem; }
.title:not(.open) h1 bdi { color: var(--brand-ink); }
.stack { display: flex; flex-direction: column; gap: 1.5rem; }
.part { display: flex; flex-direction: column; gap: .7rem; }
.part > .actions { margin-top: .5rem; }
.part + .part { padding-top: 1.35rem; border-top: 1px solid var(--line); }

.named { display: flex; align-items: flex-start; gap: .85rem; min-width: 0; }
.named > div { flex: 1; min-width: 0; }
.tile { flex: none; display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border: 1px solid var(--line); border-radius: 9px;
  background: var(--tint); color: var(--brand-ink); font: 700 1.35rem/1 var(--serif); overflow: hidden; }
.tile.person { border-radius: 50%; }
.account { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; padding: .7rem .9rem; border-radius: 9px; background: var(--tint); }
.account .named { flex: 1 1 12rem; align-items: center; line-height: 1.35; }
.account .tile { background: var(--sheet); }

.marked { display: flex; flex-direction: column; gap: .5rem; list-style: none; }
.marked li { display: flex; gap: .65rem; }
.marked .icon { margin-top: .15rem; }
.marked.may .icon { color: var(--green); }
.marked.not .icon { color: var(--red); }
.notice { display: flex; gap: .7rem; padding: .85rem 1rem; border: 1px solid color-mix(in srgb, var(--tone) 45%, var(--line)); border-radius: 9px;
  background: color-mix(in srgb, var(--tone) 7%, var(--sheet)); --tone: var(--blue); }
.notice > .icon { margin-top: .12rem; color: var(--tone); }
.notice > div { flex: 1; min-width: 0; }
.notice p + p, .notice p + ul { margin-top: .35rem; }
.notice h2 { font: 650 1rem/1.5 var(--sans); letter-spacing: 0; }
.notice ul { padding-left: 1.1rem; }
.notice li { padding: .15rem 0; }
.notice:focus-visible { outline-color: var(--tone); outline-offset: -1px; }
.notice.done { --tone: var(--green); }
.notice.warning { --tone: var(--amber); }
.notice.error { --tone: var(--red); }

.button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.15rem; border: 1px solid var(--edge);
  border-radius: 8px; background: var(--sheet); color: var(--ink); font: 600 1rem/1.3 var(--sans); text-align: center; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--tint); }
.button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.button.primary:hover { background: var(--accent-deep); }
.button.danger { border-color: var(--red); color: var(--red); }
.button.danger:hover { background: color-mix(in srgb, var(--red) 9%, var(--sheet)); }
.button.quiet { border-color: transparent; padding: .5rem .6rem; background: none; color: var(--brand-ink); font-weight: 500; text-decoration: underline;
  text-decoration-thickness: 1px; text-underline-offset: .18em; }
.button.quiet:hover { text-decoration-thickness: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; }
@media (prefers-reduced-motion: no-preference) { .button { transition: background-color .12s; } }

.field { display: flex; flex-direction: column; gap: .3rem; }
.field > label, legend { padding: 0; font-weight: 600; }
.hint { font-size: .9rem; color: var(--soft); }
.field .hint + .hint { margin-top: 0; }
.fault { display: flex; gap: .4rem; font-size: .95rem; font-weight: 600; color: var(--red); }
.fault .icon { width: 1.1rem; height: 1.1rem; margin-top: .2rem; }
.input { width: 100%; min-height: 2.75rem; padding: .55rem .75rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--sheet);
  color: inherit; font: 1rem/1.5 var(--sans); }
textarea.input { resize: vertical; min-height: 6rem; max-height: 34rem; field-sizing: content; }
.input.code { font: .9rem/1.75 var(--mono); overflow-wrap: anywhere; }
.input[aria-invalid] { border-color: var(--red); box-shadow: inset 0 0 0 1px var(--red); }
.input:focus-visible { outline-offset: 0; }
.prefixed { position: relative; }
.prefixed span { position: absolute; left: .8rem; top: 50%; translate: 0 -50%; color: var(--soft); }
.prefixed .input { padding-left: 1.85rem; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 .75rem; align-items: start; }
.choice input { grid-row: 1 / 3; width: 1.35rem; height: 1.35rem; margin: .7rem 0 0; accent-color: var(--accent); }
.choice label { padding: .6rem 0 .1rem; font-weight: 600; cursor: pointer; }
.choice .hint { padding-bottom: .35rem; }
fieldset { display: flex; flex-direction: column; gap: .35rem; min-width: 0; border: 0; }
legend { float: left; width: 100%; margin-bottom: .35rem; }
legend + * { clear: both; }

.rows { display: flex; flex-direction: column; list-style: none; }
.row { display: flex; flex-wrap: wrap; align-items: flex-start; gap: .75rem 1.25rem; padding: 1.1rem 0; border-top: 1px solid var(--line); }
.row:first-child { padding-top: .25rem; border-top: 0; }
.row:last-child { padding-bottom: 0; }
.row > .named { flex: 1 1 17rem; }
.row > form { max-width: 100%; }
.row p { margin-top: .25rem; }
.row h3 a { display: inline-block; margin: -.6rem 0; padding: .7rem 0; }
.level { display: inline-block; padding: .05rem .6rem; border: 1px solid var(--line); border-radius: 99px; background: var(--tint); font-size: .82rem; font-weight: 600; }
.facts { display: grid; gap: .9rem; }
.facts dt { font-size: .9rem; font-weight: 600; color: var(--soft); }
.facts dd { margin-top: .15rem; }
.facts code { display: inline-block; padding: .3rem .6rem; font-size: .95rem; user-select: all; }
.empty { padding: 1.1rem; border: 1px dashed var(--edge); border-radius: 9px; color: var(--soft); text-align: center; text-wrap: balance; }
.pin { padding: 1.3rem .5rem; border-radius: 9px; background: var(--tint); font: 600 min(11vw, 3.2rem)/1.1 var(--mono); letter-spacing: .06em; text-align: center; white-space: nowrap; }
.pin > [aria-hidden] { font: inherit; letter-spacing: .16em; margin-right: -.16em; user-select: all; }
summary { width: fit-content; min-height: 2.75rem; padding: .6rem .3rem; margin-left: -.3rem; font-weight: 600; color: var(--brand-ink); cursor: pointer; }
details[open] > .inside { display: flex; flex-direction: column; gap: .9rem; padding: .3rem 0 .6rem; }

@media (max-width: 32rem) {
  main { padding-inline: 0; padding-top: 0; }
  main > :not(.sheet) { margin-inline: 1rem; }
  main > .title { margin-top: 1rem; }
  main > .back { margin-top: .75rem; }
  main > .back { margin-bottom: -1rem; }
  .account .named { flex-basis: 10rem; }
  .sheet { padding: 1.5rem 1rem; border-inline: 0; border-radius: 0; box-shadow: none; }
  main > .sheet:first-child { border-top: 0; }
  .row > form { padding-left: 3.6rem; }
  .actions > *, .actions .button { flex: 1 1 100%; width: 100%; }
}
@media (max-width: 27rem) {
  .mast:has(.bell) .brand b { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media (max-width: 22rem) {
  a.brand b { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
@media (forced-colors: active) {
  .tile, .level, .pin, .account, .count b, .banner { border: 1px solid; }
}
@media print {
  .mast form, .actions, .button, .skip, .back, .bell, #news { display: none !important; }
  body { min-height: 0; background: none; }
  .sheet { border: 0; padding: 0; box-shadow: none; }
}
`;
