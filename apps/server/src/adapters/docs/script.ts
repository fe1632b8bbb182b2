/** The script of the reference. The pages can be read without it. */
import { searchScript } from './search-script.ts';
import { trialScript } from './trial-script.ts';

export const script = `
const nav = document.getElementById('contents');
nav.addEventListener('click', (event) => {
  if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover();
});
const make = (name, text, more) => Object.assign(document.createElement(name), { textContent: text ?? '' }, more);
const current = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  document.getElementById(id)?.querySelector(':scope > details')?.setAttribute('open', '');
  for (const link of nav.querySelectorAll('#groups a')) {
    if (link.href === location.href) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
    // Addresses of the time when the reference was one page.
    if (id && !document.getElementById(id) && link.hash === location.hash) location.replace(link.href);
  }
};
addEventListener('hashchange', current);
current();
nav.querySelector('details[open]')?.scrollIntoView({ block: 'nearest' });

// One language of the samples at a time, the same everywhere.
const remember = (value) => { try { localStorage.setItem('broadside-language', value); } catch {} };
const remembered = () => { try { return localStorage.getItem('broadside-language'); } catch { return null; } };
const choose = (language) => {
  for (const calls of document.querySelectorAll('.calls')) {
    const figures = [...calls.querySelectorAll('figure')];
    const chosen = figures.find((one) => one.dataset.language === language) ?? figures[0];
    for (const figure of figures) figure.hidden = figure !== chosen;
    for (const tab of calls.querySelectorAll('[role=tab]')) {
      const isChosen = tab.textContent === chosen.dataset.language;
      tab.setAttribute('aria-selected', isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
    }
  }
};
for (const calls of document.querySelectorAll('.calls')) {
  const tabs = make('div', '', { className: 'tabs' });
  tabs.setAttribute('role', 'tablist');
  tabs.setAttribute('aria-label', 'Language');
  for (const figure of calls.querySelectorAll('figure')) {
    figure.dataset.language = figure.querySelector('figcaption').textContent;
    const tab = make('button', figure.dataset.language);
    tab.setAttribute('role', 'tab');
    tab.addEventListener('click', () => { const top = calls.getBoundingClientRect().top; choose(tab.textContent); remember(tab.textContent); scrollBy(0, calls.getBoundingClientRect().top - top); });
    tab.addEventListener('keydown', ({ key }) => {
      const next = key === 'ArrowRight' ? tab.nextElementSibling : key === 'ArrowLeft' ? tab.previousElementSibling : null;
      if (next) { next.focus(); next.click(); }
    });
    tabs.append(tab);
  }
  calls.classList.add('tabbed');
  calls.prepend(tabs);
}
choose(remembered());

if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('figure')) {
    const button = make('button', 'Copy', { className: 'copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('pre').textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1200);
    });
    figure.querySelector('figcaption').append(button);
  }
}
${searchScript}
${trialScript}
`;
