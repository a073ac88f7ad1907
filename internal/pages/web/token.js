// The access token, which the pages of the service share for as long as the browser's tab lives.
const key = 'storefront.token';

// The storage of the tab, or memory where the settings of the browser forbid it.
export const storage = (() => {
  try {
    sessionStorage.getItem(key);
    return sessionStorage;
  } catch {
    const texts = new Map();
    return {
      getItem: (name) => texts.get(name) ?? null,
      setItem: (name, text) => void texts.set(name, text),
      removeItem: (name) => void texts.delete(name),
      clear: () => texts.clear(),
      get length() {
        return texts.size;
      },
    };
  }
})();

export const readToken = () => storage.getItem(key) ?? '';

// keepToken remembers a token, without what may have been copied along with it, and gives it back.
export function keepToken(text) {
  const token = text.trim().replace(/^Bearer\s+/i, '').replace(/^"|"$/g, '');
  if (token) {
    storage.setItem(key, token);
  } else {
    storage.removeItem(key);
  }
  return token;
}

// expiry is when a JWT ends; null if the text is not a JWT.
export function expiry(token) {
  try {
    const { exp } = JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));
    return new Date(exp * 1000);
  } catch {
    return null;
  }
}
