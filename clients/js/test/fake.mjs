// A service without a network: each request to GraphQL is answered by a function of its document and variables.
import { memoryStorage, Storefront } from "../dist/index.js";

/** How a request can end that has no answer. */
export const lost = new TypeError("fetch failed");

/** An answer with an error of a code. */
export const refused = (code, more = {}) => ({
  errors: [{ message: `it is ${code}`, path: ["x"], extensions: { code, ...more } }],
  data: null,
});

/** An amount, for the total of an order. */
export const total = { amount: "12.50", currency: "USD", decimals: 2, minor: "1250" };

/** fake returns a fetch that is answered by answer({ text, variables, headers }), and notes what was asked. */
export function fake(answer) {
  const asked = [];
  const fetch = async (url, { method, body, headers }) => {
    const request = {
      url: String(url),
      method,
      headers,
      ...(method === "POST" ? JSON.parse(body) : { body }),
    };
    request.text = request.query;
    asked.push(request);
    const found = await answer(request, asked.length);
    if (found === lost) throw lost;
    if (found instanceof Response) return found;
    return Response.json(found.errors || found.data ? found : { data: found });
  };
  return { fetch, asked };
}

/** tokens returns a pair of a session: an access token with a life of its own, in seconds. */
export function tokens(name, life = 900, sid = "s1") {
  const claims = btoa(JSON.stringify({ iat: 1000, exp: 1000 + life, sid })).replace(/=/g, "");
  return { accessToken: `head.${claims}.${name}`, refreshToken: `refresh-${name}` };
}

export const shopOf = (fetch, more = {}) =>
  new Storefront({
    url: "https://api.example",
    domain: "shop.example",
    language: "en",
    fetch,
    storage: memoryStorage(),
    ...more,
  });
