/** The search: places with as many words of a query as can be, in names, titles or prose, with a typing error or two. */
export const searchScript = `
const search = document.getElementById('search');
const found = document.getElementById('found');
const groups = document.getElementById('groups');
search.hidden = false;
// Words with the places that have them, and how much a word tells of a place.
let vocabulary;
const load = async () => {
  const response = await fetch(nav.dataset.index);
  const places = await response.json();
  const words = new Map();
  const add = (word, place, weight) => {
    const known = words.get(word) ?? new Map();
    known.set(place, Math.max(known.get(place) ?? 0, weight));
    words.set(word, known);
  };
  for (const place of places) {
    for (const word of place.words) add(word, place, 1);
    for (const name of place.names) {
      add(name, place, 3);
      for (const word of name.split(/[._-]/)) if (word) add(word, place, 2);
    }
    for (const word of (place.title + ' ' + (place.route ?? '')).toLowerCase().match(/[\\p{L}\\p{N}_]+/gu) ?? []) add(word, place, 5);
    add(place.id.toLowerCase(), place, 9);
  }
  return words;
};
// Insertions, deletions, replacements and exchanges of neighbours, as far as 'most'.
const distance = (one, other, most) => {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let before = [], row = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    if (Math.min(...next) > most) return most + 1;
    before = row; row = next;
  }
  return row[other.length];
};
const matches = (token) => {
  const scores = new Map();
  const take = (word, places, factor) => {
    for (const [place, weight] of places) {
      const score = weight * factor;
      if (score > (scores.get(place)?.score ?? 0)) scores.set(place, { score, word });
    }
  };
  for (const [word, places] of vocabulary) {
    if (word === token) take(word, places, 4);
    else if (word.startsWith(token)) take(word, places, 2);
    else if (token.length > 2 && word.includes(token)) take(word, places, 1);
  }
  const most = token.length < 4 ? 0 : token.length < 8 ? 1 : 2;
  if (scores.size === 0 && most > 0) {
    for (const [word, places] of vocabulary) {
      const away = distance(token, word, most);
      if (away <= most) take(word, places, 1 / (1 + away));
    }
  }
  return scores;
};
const look = () => {
  const tokens = search.value.toLowerCase().split(/[\\s,/:{}()"'\`]+/).filter(Boolean).slice(0, 8);
  groups.hidden = tokens.length > 0;
  found.hidden = tokens.length === 0;
  if (tokens.length === 0 || !vocabulary) return;
  const each = tokens.map(matches);
  const places = [...new Set(each.flatMap((scores) => [...scores.keys()]))];
  const hits = (place) => each.filter((scores) => scores.has(place)).length;
  const most = Math.max(0, ...places.map(hits));
  const score = (place) => each.reduce((sum, scores) => sum + (scores.get(place)?.score ?? 0), 0);
  const best = places.filter((place) => hits(place) === most).map((place) => [place, score(place)]).sort(([, one], [, other]) => other - one).slice(0, 30);
  found.replaceChildren(...best.map(([place]) => {
    const root = nav.dataset.index.slice(0, -'index.json'.length);
    const link = make('a', '', { href: (place.page === '' ? root === '' ? '../docs' : 'docs' : root + place.page) + '#' + place.id });
    const words = [...new Set(each.flatMap((scores) => scores.get(place)?.word ?? []))].filter((word) => !place.title.toLowerCase().includes(word));
    link.append(make('b', place.title), make('span', place.route));
    if (words.length > 0) link.append(make('span', words.join(', '), { className: 'because' }));
    return link;
  }));
  if (best.length === 0) found.append(make('p', 'Nothing fits.', { className: 'none' }));
};
let loading;
const prepare = () => {
  loading ??= load().then((words) => { vocabulary = words; look(); }, () => { loading = undefined; found.textContent = 'The search could not be loaded.'; });
};
search.addEventListener('focus', prepare);
search.addEventListener('input', () => { prepare(); look(); });
search.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') { search.value = ''; look(); }
  if (event.key === 'Enter') found.querySelector('a')?.click();
});
found.addEventListener('keydown', (event) => {
  const { activeElement: at } = document;
  const next = event.key === 'ArrowDown' ? at.nextElementSibling : event.key === 'ArrowUp' ? at.previousElementSibling ?? search : null;
  if (next) { event.preventDefault(); next.focus(); }
});
search.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') { event.preventDefault(); found.querySelector('a')?.focus(); }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea')) return;
  event.preventDefault();
  if (getComputedStyle(nav).display === 'none') nav.showPopover();
  search.focus();
});
`;
