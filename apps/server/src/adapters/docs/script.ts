/** The page's script. The page is fully readable without it. */
export const script = `
const nav = document.getElementById('contents');
const filter = document.getElementById('filter');
const none = nav.querySelector('.none');
filter.hidden = false;
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const group of nav.querySelectorAll('.group')) {
    let some = false;
    for (const link of group.querySelectorAll('a')) {
      link.hidden = !words.every((word) => link.dataset.find.includes(word));
      if (!link.hidden) { some = true; found += 1; }
    }
    group.hidden = !some;
  }
  none.hidden = found > 0;
});
filter.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return;
  const first = nav.querySelector('.group:not([hidden]) a:not([hidden])');
  if (first) { first.click(); filter.blur(); }
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input')) return;
  event.preventDefault();
  filter.focus();
});
nav.addEventListener('click', (event) => {
  if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover();
});
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  target?.querySelector(':scope > details')?.setAttribute('open', '');
};
addEventListener('hashchange', open);
open();
const links = new Map();
for (const link of nav.querySelectorAll('a')) links.set(link.hash.slice(1), link);
let current;
const watch = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const link = entry.isIntersecting && links.get(entry.target.id);
    if (!link) continue;
    current?.removeAttribute('aria-current');
    current = link;
    current.setAttribute('aria-current', 'true');
    if (!nav.matches(':hover')) {
      const { top, bottom } = link.getBoundingClientRect();
      if (top < 60 || bottom > innerHeight) nav.scrollTop += top - innerHeight / 2;
    }
  }
}, { rootMargin: '-15% 0px -75% 0px' });
for (const id of links.keys()) { const part = document.getElementById(id); if (part) watch.observe(part); }
if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('figure')) {
    const button = document.createElement('button');
    button.textContent = 'Copy';
    button.className = 'copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('pre').textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1200);
    });
    figure.querySelector('figcaption').append(button);
  }
}
`;
