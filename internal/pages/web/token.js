// The access token, which the pages of the service share for as long as the browser's tab lives.
const key = 'storefront.token';

export const readToken = () => sessionStorage.getItem(key) ?? '';

// keepToken remembers a token, without what may have been copied along with it, and gives it back.
export function keepToken(text) {
  const token = text.trim().replace(/^Bearer\s+/i, '').replace(/^"|"$/g, '');
  if (token) {
    sessionStorage.setItem(key, token);
  } else {
    sessionStorage.removeItem(key);
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
