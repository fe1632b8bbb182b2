/** Trials: a form for each call that can be tried, signed here with WebCrypto and the credentials of the demo (RFC 5849). */
export const trialScript = `
if (nav.dataset.trial) {
  const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (char) => '%' + char.charCodeAt(0).toString(16).toUpperCase());
  let secrets;
  const credentials = () => secrets ??= fetch(nav.dataset.trial).then((response) => {
    if (!response.ok) throw new Error('The credentials of the demo are given to pages on this machine only: open the reference under localhost or 127.0.0.1.');
    return response.json();
  }).catch((error) => { secrets = undefined; throw error; });
  const sign = async (method, url, given) => {
    const oauth = [
      ['oauth_consumer_key', given.consumer_key], ['oauth_token', given.access_token], ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', String(Math.floor(Date.now() / 1000))], ['oauth_nonce', Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')], ['oauth_version', '1.0'],
    ];
    const pairs = [...url.searchParams, ...oauth].map(([name, value]) => encode(name) + '=' + encode(value)).sort();
    const base = [method, url.origin + url.pathname, pairs.join('&')].map(encode).join('&');
    const bytes = (text) => new TextEncoder().encode(text);
    const key = await crypto.subtle.importKey('raw', bytes(encode(given.consumer_secret) + '&' + encode(given.access_token_secret)), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
    const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(base)));
    oauth.push(['oauth_signature', btoa(String.fromCharCode(...mac))]);
    return 'OAuth ' + oauth.map(([name, value]) => encode(name) + '="' + encode(value) + '"').join(', ');
  };
  // Numbers keep their digits.
  const pretty = (text) => {
    try {
      const exact = (_, value, { source } = {}) => typeof value === 'number' && source !== undefined && JSON.rawJSON ? JSON.rawJSON(source) : value;
      return JSON.stringify(JSON.parse(text, exact), null, 2);
    } catch { return text; }
  };
  const form = (article, { method, path, values, rest, place }, given) => {
    const box = make('form', '', { className: 'trial' });
    const fields = Object.entries(values).map(([name, value]) => {
      const label = make('label', name + ' ');
      const input = make('input', '', { name, value: name === 'account_id' ? given.account_id : value, autocomplete: 'off', spellcheck: false });
      label.append(input);
      return [name, label, input];
    });
    const isEmpty = place === 'query' && Object.keys(rest).length === 0;
    const text = make('textarea', '', { value: isEmpty ? '{}' : JSON.stringify(rest, null, 2), spellcheck: false, rows: Math.min(12, Math.max(3, JSON.stringify(rest, null, 2).split('\\n').length)) });
    const label = make('label', (place === 'query' ? 'Parameters of the query' : 'Body') + ', as JSON ');
    label.append(text);
    const send = make('button', 'Send ' + method, { type: 'submit', className: 'send' });
    const note = make('p', '', { className: 'status' });
    note.setAttribute('role', 'status');
    const result = make('pre', '', { hidden: true, tabIndex: 0 });
    box.append(...fields.map(([, one]) => one), label, send, note, result);
    box.addEventListener('submit', async (event) => {
      event.preventDefault();
      send.disabled = true;
      note.textContent = 'Sending';
      result.hidden = true;
      try {
        const at = Object.fromEntries(fields.map(([name, , input]) => [name, input.value.trim()]));
        const missing = fields.find(([name]) => at[name] === '');
        if (missing) throw new Error(missing[0] + ' is empty.');
        const url = new URL(path.replace(/:(\\w+)/g, (_, name) => encode(at[name])), location.origin);
        const value = JSON.parse(text.value.trim() || '{}');
        if (place === 'query') {
          const joined = Object.entries(value).map(([name, one]) => encode(name) + '=' + (Array.isArray(one) ? one : [one]).map((each) => encode(String(each))).join(','));
          url.search = joined.join('&');
        }
        const headers = { authorization: await sign(method, url, given) };
        const body = place === 'body' && text.value.trim() !== '{}' ? text.value : undefined;
        if (body !== undefined) headers['content-type'] = 'application/json';
        const response = await fetch(url, { method, headers, body, credentials: 'omit', redirect: 'error' });
        note.textContent = response.status + ' ' + response.statusText + ' · ' + method + ' ' + url.pathname + url.search;
        note.dataset.ok = response.ok;
        result.textContent = pretty(await response.text());
        result.hidden = false;
      } catch (error) {
        note.textContent = error instanceof SyntaxError ? 'This is not JSON: ' + error.message : error.message;
        note.dataset.ok = false;
      }
      send.disabled = false;
    });
    return box;
  };
  for (const article of document.querySelectorAll('[data-trial].operation')) {
    const button = make('button', 'Try it', { className: 'try' });
    button.addEventListener('click', async () => {
      const open = article.querySelector('.trial');
      if (open) return open.remove();
      try {
        const shown = form(article, JSON.parse(article.dataset.trial), await credentials());
        button.after(shown);
        shown.querySelector('input, textarea')?.focus();
      } catch (error) {
        const note = make('p', error.message, { className: 'trial status' });
        note.dataset.ok = false;
        button.after(note);
      }
    });
    article.querySelector('.shown').prepend(button);
  }
}
`;
