import { foundation } from '../pages/design/foundation.ts';

/** The page's style: light and dark, from a phone to a wide screen. */
export const style = `${foundation}
:root {
  --code: #27241f; --code-paper: #f6f2ea; --bar: 3.25rem;
  --get: var(--blue); --post: var(--green); --put: var(--amber); --delete: var(--red); --query: var(--blue); --mut: #6b3f97;
  --key: #1d5f8a; --string: #2c6e3f; --literal: #9c4a00;
}
@media (prefers-color-scheme: dark) {
  :root { --code: #e6e0d3; --code-paper: #100f0b; --mut: #bf9be3; --key: #86bfe2; --string: #94cda3; --literal: #e2ab6b; }
}
html { scroll-padding-top: calc(var(--bar) + 1rem); }
body { font-size: 15px; line-height: 1.6; }

.top { position: sticky; top: 0; z-index: 3; height: var(--bar); display: flex; align-items: center; gap: .75rem;
  padding: 0 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.where { min-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--soft); border-left: 1px solid var(--line); padding-left: .75rem; }
.listeners { display: flex; gap: .15rem; overflow-x: auto; scrollbar-width: none; }
.listeners a { flex: none; padding: .2rem .6rem; border-radius: 6px; color: var(--soft); text-decoration: none; font-size: .88rem; }
.listeners a:hover { background: var(--tint); }
.listeners a[aria-current] { color: var(--ink); background: var(--tint); font-weight: 600; }
.version { margin-left: auto; color: var(--soft); font: .8rem var(--mono); }
.document { font-weight: 600; text-decoration: none; border: 1px solid var(--line); border-radius: 6px; padding: .15rem .6rem; background: var(--sheet); }
.document:hover { border-color: var(--brand); }
.menu { display: none; flex: none; width: 2.5rem; height: 2.5rem; margin-left: -.6rem; padding: .7rem; border: 0; background: none; cursor: pointer; }
.menu span { display: block; height: 2px; margin: 4px 0; background: var(--ink); }

nav { position: fixed; inset: var(--bar) auto 0 0; display: block; width: 17rem; height: auto; max-height: none; margin: 0;
  padding: 1.1rem .75rem 3rem 1.25rem; overflow-y: auto; overscroll-behavior: contain; color: inherit; background: var(--paper);
  border: 0; border-right: 1px solid var(--line); scrollbar-width: thin; }
nav details { margin: .1rem 0; }
nav details:first-of-type { margin-top: .9rem; }
nav summary { padding: .2rem .5rem .2rem 1.4rem; text-indent: -.9rem; border-radius: 6px; width: auto; font-size: .88rem; font-weight: 600; color: inherit; }
nav summary:hover { background: var(--tint); }
nav details a { margin-left: .9rem; }
#found a { display: block; padding: .4rem .5rem; overflow-wrap: anywhere; }
#found b { display: block; font-weight: 600; }
#found span { display: block; font-size: .78rem; color: var(--soft); }
#found .because { color: var(--brand-ink); }
nav h2 { margin: 1.3rem 0 .25rem; padding: 0 .5rem; font: 600 .72rem/1.4 var(--sans); letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav a { display: flex; align-items: center; gap: .55rem; padding: .2rem .5rem; border-radius: 6px; color: inherit; text-decoration: none; font-size: .88rem; }
nav a:hover { background: var(--tint); }
nav a[aria-current] { background: var(--tint); box-shadow: inset 2px 0 var(--brand); font-weight: 600; }
nav input { width: 100%; margin-bottom: .9rem; padding: .45rem .7rem; font: inherit; font-size: .88rem; color: inherit; background: var(--sheet); border: 1px solid var(--line); border-radius: 7px; }
.none { padding: 0 .5rem; color: var(--soft); }
.method { flex: none; min-width: 5.4em; padding: .1em .4em; border-radius: 4px; font: 700 .62rem/1.5 var(--sans); letter-spacing: .04em; text-align: center;
  color: var(--tone); background: color-mix(in srgb, var(--tone) 13%, transparent); }
.get { --tone: var(--get); } .post { --tone: var(--post); } .put { --tone: var(--put); } .delete { --tone: var(--delete); }
.query { --tone: var(--query); } .mut { --tone: var(--mut); }

main { margin-left: 17rem; padding: 0 clamp(1.25rem, 3vw, 3rem) 6rem; }
.part { max-width: 82rem; margin: 0 auto; padding-top: 2.6rem; }
.part > p { max-width: 46rem; }
h1, .part > h2 { font-family: var(--serif); letter-spacing: -.012em; text-wrap: balance; }
h1 { margin: .4rem 0 1.1rem; font-size: clamp(1.9rem, 4vw, 2.7rem); line-height: 1.12; }
.part > h2 { margin: 0 0 .6rem; font-size: 1.65rem; line-height: 1.2; }
.resource > h2 { padding-bottom: .5rem; border-bottom: 3px double var(--line); }
.part > .again { margin-top: 2.2rem; font-size: 1.3rem; }
.part > h3 { margin: 1.6rem 0 .4rem; font-size: 1rem; }
.address { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; }
.address span { color: var(--soft); }
.address code { font-size: 1rem; padding: .25rem .6rem; border-radius: 6px; background: var(--tint); user-select: all; }
.note { padding: .7rem 1rem; border-left: 3px solid var(--brand); background: var(--tint); border-radius: 0 6px 6px 0; }
p code, li code, dd code { padding: .08em .32em; border-radius: 4px; background: var(--tint); overflow-wrap: anywhere; }

.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 27rem); gap: 0 2.5rem; padding: 1.9rem 0; border-bottom: 1px solid var(--line); }
.operation h3 { margin: 0 0 .5rem; font: 650 1.12rem/1.35 var(--sans); text-wrap: balance; }
.operation h3 a { color: inherit; text-decoration: none; }
.operation h3 a:hover { color: var(--brand-ink); }
.operation h4 { margin: 1.3rem 0 .3rem; font: 600 .8rem/1.4 var(--sans); color: var(--soft); }
.route { display: flex; align-items: baseline; gap: .6rem; margin: 0 0 .6rem; }
.route code { overflow-wrap: anywhere; font-size: .88rem; }
.alias, .places { margin: 0 0 .6rem; font-size: .84rem; color: var(--soft); }
.places { margin: .5rem 0 0; }
.legs { max-width: 46rem; padding-left: 1.3rem; }
.legs li { padding: .15rem 0 .15rem .2rem; }
.route var { color: var(--brand-ink); font-size: 1em; }
.facts { display: flex; flex-wrap: wrap; gap: .3rem .9rem; margin: .7rem 0 0; padding: 0; list-style: none; font-size: .84rem; color: var(--soft); }
.facts code { font-size: .92em; }
.facts .sandbox { padding: 0 .5rem; border-radius: 99px; font-weight: 600; color: var(--put); background: color-mix(in srgb, var(--put) 14%, transparent); }
.fields { margin: 0; border-top: 1px solid var(--line); }
.part > .fields { max-width: 54rem; }
.fields > div { display: grid; grid-template-columns: minmax(11rem, 2fr) 3fr; gap: .1rem 1.2rem; padding: .55rem 0; border-bottom: 1px solid var(--line); }
.fields > div:last-child { border-bottom: 0; }
.fields .fields { margin-top: .5rem; border-top: 0; border-left: 2px solid var(--line); padding-left: .9rem; }
.fields .fields > div { grid-template-columns: 1fr; padding: .3rem 0; border-bottom: 0; }
dt { overflow-wrap: anywhere; line-height: 1.45; }
dt code { font-weight: 600; }
dd { margin: 0; font-size: .9rem; }
.type { color: var(--soft); font-size: .8rem; white-space: nowrap; }
.must { color: var(--brand-ink); font-size: .8rem; font-weight: 600; white-space: nowrap; }
.default { white-space: nowrap; }
.values code { display: inline-block; max-width: 100%; line-height: 1.5; }
.values { margin: .25rem 0 0; font-size: .92em; line-height: 1.9; }
.refusals { margin-top: 1.1rem; font-size: .9rem; }
.refusals ul { margin: .4rem 0 0; padding: 0; list-style: none; }
.refusals li { padding: .18rem 0; }
.refusals b { display: inline-block; min-width: 2.4em; font-weight: 600; color: var(--soft); }
summary { cursor: pointer; color: var(--soft); width: fit-content; }
summary:hover { color: var(--ink); }
.entity { padding: 1.2rem 0; border-bottom: 1px solid var(--line); max-width: 54rem; }
.entity summary h3 { display: inline; margin: 0 .7rem 0 .2rem; font: 600 1rem/1.4 var(--sans); color: var(--ink); }
.entity .fields { margin-top: .8rem; }

figure { margin: 0 0 .8rem; border: 1px solid var(--line); border-radius: 8px; background: var(--code-paper); overflow: hidden; }
figcaption { display: flex; flex-wrap: wrap; align-items: center; overflow-wrap: anywhere; gap: .5rem; padding: .3rem .8rem; font-size: .76rem; font-weight: 600; color: var(--soft); background: var(--tint); border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: .7rem .8rem; overflow: auto; max-height: 26rem; font-size: .79rem; line-height: 1.55; color: var(--code); tab-size: 2; scrollbar-width: thin; }
pre.wraps { white-space: pre-wrap; overflow-wrap: anywhere; }
.part > pre { max-width: 46rem; background: var(--code-paper); border: 1px solid var(--line); border-radius: 8px; }
.copy { margin-left: auto; padding: 0 .3rem; border: 0; background: none; font: inherit; color: var(--soft); cursor: pointer; opacity: 0; }
figure:hover .copy, .copy:focus-visible { opacity: 1; }
.tabs { display: flex; gap: .1rem; overflow-x: auto; scrollbar-width: none; }
.tabs button { flex: none; padding: .25rem .7rem; border: 0; border-radius: 6px 6px 0 0; background: none; font: 600 .76rem/1.5 var(--sans); color: var(--soft); cursor: pointer; }
.tabs button:hover { color: var(--ink); }
.tabs [aria-selected=true] { color: var(--ink); box-shadow: inset 0 -2px var(--brand); }
.try, .send { margin: 0 0 .7rem; padding: .3rem .9rem; border: 1px solid var(--brand); border-radius: 7px; background: none; font: 600 .84rem/1.5 var(--sans); color: var(--brand-ink); cursor: pointer; }
.try:hover, .send:hover { background: var(--tint); }
.send:disabled { opacity: .5; }
.trial { margin: 0 0 1rem; }
form.trial { padding: .9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--sheet); }
.trial label { display: block; margin-bottom: .6rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
.trial input, .trial textarea { display: block; box-sizing: border-box; width: 100%; margin-top: .15rem; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--code); font: .82rem/1.5 var(--mono); resize: vertical; }
.status { margin: 0 0 .5rem; font-size: .82rem; overflow-wrap: anywhere; color: var(--soft); }
.status[data-ok=true] { color: var(--green); }
.status[data-ok=false] { color: var(--red); }
.trial pre { border: 1px solid var(--line); border-radius: 6px; background: var(--code-paper); }
.k { color: var(--key); } .s { color: var(--string); } .l { color: var(--literal); }

@media (max-width: 74rem) {
  .operation { grid-template-columns: minmax(0, 1fr); }
  .shown { margin-top: 1.3rem; max-width: 46rem; }
}
@media (max-width: 52rem) {
  :root:has(.listeners) { --bar: 5.6rem; }
  .top:has(.listeners) { flex-wrap: wrap; align-content: center; }
  .listeners.where { order: 1; width: 100%; margin: 0; padding: 0; border: 0; }
  .document { margin-left: auto; }
  .menu { display: block; }
  main { margin-left: 0; }
  nav:not(:popover-open) { display: none; }
  nav { width: min(19rem, 86vw); box-shadow: 0 0 3rem #0005; }
  .version { display: none; }
  .top { gap: .6rem; padding: 0 1rem; }
  .brand, .document { flex: none; }
  .where { margin-right: auto; }
  .fields > div { grid-template-columns: 1fr; }
  .copy { opacity: 1; }
}
@media (max-width: 24rem) {
  .where:not(.listeners) { display: none; }
}
@media print {
  .top, nav, .copy { display: none !important; }
  main { margin: 0; }
  details::details-content { content-visibility: visible; }
}
`;
