// The access token and API key of the forms. All forms share them, and the playground the token, for as long as the
// browser's tab lives.
import { h } from './dom.js';

const kinds = {
  bearerAuth: { key: 'storefront.token', label: 'access token', hint: 'accessToken of a sign-in' },
  apiKey: { key: 'storefront.key', label: 'API key', hint: "a partner's key, as X-Api-Key" },
};

// credentials are the fields of the schemes that a route needs.
export function credentials(security) {
  return security.map((scheme) => {
    const { key, label, hint } = kinds[scheme];
    const input = h('input', { 'data-key': key, placeholder: hint, autocomplete: 'off', spellcheck: false });
    input.value = sessionStorage.getItem(key) ?? '';
    input.addEventListener('input', () => keep(key, input.value.trim().replace(/^Bearer\s+/i, ''), input));
    return h('label', { class: 'field' }, h('span', { class: 'member' }, label), input);
  });
}

// keep remembers a value and shows it in the other forms.
function keep(key, value, from) {
  if (value) {
    sessionStorage.setItem(key, value);
  } else {
    sessionStorage.removeItem(key);
  }
  for (const input of document.querySelectorAll(`input[data-key="${key}"]`)) {
    if (input !== from) {
      input.value = value;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }
  }
}

// offer takes the token over that an answer brings, if any, so that the other forms are signed in.
export function offer(text) {
  try {
    const { accessToken } = JSON.parse(text);
    if (accessToken) {
      keep(kinds.bearerAuth.key, accessToken);
    }
  } catch {
    // An answer that is no JSON brings none.
  }
}
