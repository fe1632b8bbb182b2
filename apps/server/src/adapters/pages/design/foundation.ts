/**
 * CSS shared by all pages: colours and type in light and dark, links, focus, the brand. Text colours reach a contrast of
 * 4.5:1 and edges of controls 3:1 on each of the three backgrounds `--paper`, `--sheet` and `--tint`.
 */
export const foundation = `
:root {
  --paper: #fbf9f5; --sheet: #fff; --ink: #1d1b18; --soft: #5f5a52; --line: #e4dfd5; --tint: #f3efe7; --edge: #877f72;
  --brand: #b3331b; --brand-ink: #9c2c17; --accent: #b3331b; --accent-deep: #95280f; --on-accent: #fff;
  --blue: #1d5f8a; --green: #2c6e3f; --amber: #8a5a00; --red: #a3251c;
  --serif: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Source Serif 4', 'Noto Serif', Georgia, serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16150f; --sheet: #1d1c17; --ink: #ece7dc; --soft: #a8a294; --line: #35332b; --tint: #24231d; --edge: #857e70;
    --brand: #d9573d; --brand-ink: #f0826b; --accent: #c4432a; --accent-deep: #d04e34;
    --blue: #6db3de; --green: #7cc48e; --amber: #dcae4f; --red: #ee8279;
  }
}
* { box-sizing: border-box; scrollbar-color: var(--line) transparent; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font-family: var(--sans); }
a { color: var(--brand-ink); text-decoration-thickness: 1px; text-underline-offset: .18em; }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
:where(:focus-visible) { border-radius: 3px; }
[hidden] { display: none !important; }
code, pre, var { font-family: var(--mono); font-size: .86em; font-style: normal; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .8rem; z-index: 9; background: var(--sheet); padding: .2rem .6rem; }
.brand { display: flex; align-items: center; gap: .55rem; color: inherit; text-decoration: none; }
.brand b { font: 700 1.3rem/1 var(--serif); letter-spacing: -.01em; }
.mark { width: 1.6rem; height: 1.6rem; }
.mark rect { fill: var(--brand); }
.mark path { fill: #fff; }
`;
