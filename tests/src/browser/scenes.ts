/** Pictures for samples of posts: drawn, so that they are sharp at every size and the repository holds no bytes of them. */

/** Draws a picture of a size: more of it is cut off the more its shape differs from that of the drawing. */
type Scene = (width: number, height: number) => string;

const scene =
  (drawnWidth: number, drawnHeight: number, sky: string, sea: string, more: string): Scene =>
  (width, height) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${drawnWidth} ${drawnHeight}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid slice">` +
    `<rect width="100%" height="100%" fill="${sky}"/><rect y="62%" width="100%" height="38%" fill="${sea}"/>${more}</svg>`;

const tower = (x: number, top: number, base: number) =>
  `<path d="M${x - 26} ${base}l12-${base - top}h28l12 ${base - top}z" fill="#f6f1e4"/><path d="M${x - 20} ${top + 60}h40v34h-40z" fill="#b3331b"/>` +
  `<circle cx="${x}" cy="${top - 14}" r="16" fill="#f2c14e"/>`;

const books = Array.from({ length: 11 }, (_, index) => {
  const colours = ['#b3331b', '#1d5f8a', '#e0c58f', '#2c6e3f', '#5b3a64'];
  const height = 300 + ((index * 83) % 170);
  return `<rect x="${90 + index * 66}" y="${700 - height}" width="52" height="${height}" rx="5" fill="${colours[index % colours.length]}"/>`;
}).join('');

/** Pictures by their names. */
export const scenes: Readonly<Record<string, Scene>> = {
  lighthouse: scene(1200, 628, '#f0cfa8', '#2f6f8c', tower(880, 150, 480)),
  shelf: scene(900, 900, '#e9dfcb', '#7a5b3d', books),
  tower: scene(720, 1280, '#bcd4de', '#2f6f8c', tower(360, 380, 900)),
  pier: scene(
    1200,
    628,
    '#d9c2c9',
    '#41566b',
    '<path d="M0 430h820v22H0zM90 452h18v120H90zM390 452h18v120h-18zM690 452h18v120h-18z" fill="#3b2a1e"/>',
  ),
  boat: scene(
    1280,
    720,
    '#cfe3ee',
    '#2f6f8c',
    '<path d="M470 470h330l-60 76H540z" fill="#6b3e2e"/><path d="M620 200v250h150z" fill="#f6f1e4"/>',
  ),
  gull: scene(
    960,
    720,
    '#d7e6ee',
    '#4d7f97',
    '<path d="M260 260q110-90 220 30q110-120 220-30" fill="none" stroke="#fff" stroke-width="26"/>',
  ),
  avatar: scene(
    200,
    200,
    '#b3331b',
    '#7d2312',
    '<path d="M50 50h100v30H50zM50 96h44v14H50zM50 126h44v14H50zM112 96h38v44h-38z" fill="#fff"/>',
  ),
};
