// Tells the reader of an open page of notifications that come in. Without it, the count in the header is right after each reload.
const region = document.querySelector('#news');
const counter = document.querySelector('#news-count');
const link = document.querySelector('#news-link');

/** Banners that are shown at the same time. */
const MOST = 3;
/** How long to wait after the server has turned the page away, where the browser does not try again by itself. */
const PAUSE_MS = 60_000;

let last = region?.getAttribute('data-after') ?? '0';
/** @type {EventSource | undefined} */
let source;

function connect() {
  if (!region || source || document.visibilityState !== 'visible') return;
  const opened = new EventSource(`/notifications/events?after=${encodeURIComponent(last)}`);
  source = opened;
  opened.addEventListener('notification', ({ lastEventId, data }) => {
    last = lastEventId;
    announce(JSON.parse(data));
  });
  // The person has signed out.
  opened.addEventListener('end', disconnect);
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
    source = undefined;
    setTimeout(connect, PAUSE_MS);
  });
}

/** A page that nobody looks at holds no connection, of which a browser has few. */
function disconnect() {
  source?.close();
  source = undefined;
}

/** @param {{ title: string, href: string, unread: number }} notification */
function announce({ title, href, unread }) {
  const banner = document.createElement('div');
  banner.className = 'banner';
  const text = document.createElement('p');
  const kind = document.createElement('b');
  kind.textContent = 'Preview of a draft';
  const words = document.createElement('bdi');
  words.textContent = title;
  text.append(kind, words);
  const open = document.createElement('a');
  open.className = 'button';
  open.href = href;
  open.textContent = 'Open';
  const dismiss = document.createElement('button');
  dismiss.className = 'button quiet';
  dismiss.type = 'button';
  dismiss.textContent = 'Dismiss';
  dismiss.addEventListener('click', () => remove(banner));
  banner.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') remove(banner);
  });
  const actions = document.createElement('div');
  actions.className = 'choices';
  actions.append(open, dismiss);
  banner.append(text, actions);
  region?.append(banner);
  while (region && region.childElementCount > MOST) region.firstElementChild?.remove();
  count(unread);
}

/** @param {Element} banner */
function remove(banner) {
  const hadFocus = banner.contains(document.activeElement);
  banner.remove();
  // A reader with a keyboard goes on beside the notifications, not at the start of the page.
  if (hadFocus) link?.focus();
}

/** @param {number} unread */
function count(unread) {
  const number = document.createElement('b');
  number.textContent = String(unread);
  counter?.replaceChildren(...(unread > 0 ? [unseen(', '), number, unseen(' unread')] : []));
}

/** @param {string} text for screen readers alone */
function unseen(text) {
  const element = document.createElement('span');
  element.className = 'hidden';
  element.textContent = text;
  return element;
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') connect();
  else disconnect();
});
addEventListener('pagehide', disconnect);
addEventListener('pageshow', connect);
connect();
