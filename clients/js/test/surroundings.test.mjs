// Where the library runs: browsers of some years, React Native, servers; storage that forgets or is full; languages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMoney, formatNumber, memoryStorage, Storefront } from "../dist/index.js";
import { fake, lost, refused, shopOf, tokens } from "./fake.mjs";

const query = '{ tenant(domain: "shop.example") { name } }';
const answers = fake(() => ({ tenant: { name: "A" } })).fetch;
const over = (fetch, more) =>
  new Storefront({ url: "https://api.example", domain: "shop.example", fetch, ...more });

/** replaced gives the test a global of another value. */
function replaced(t, name, value, of = globalThis) {
  const before = Object.getOwnPropertyDescriptor(of, name);
  Object.defineProperty(of, name, { value, configurable: true, writable: true });
  t.after(() => (before ? Object.defineProperty(of, name, before) : delete of[name]));
}

test("neither AbortSignal.any nor AbortSignal.timeout is needed, nor a window that hears", async (t) => {
  replaced(t, "any", undefined, AbortSignal);
  replaced(t, "timeout", undefined, AbortSignal);
  replaced(t, "window", {});
  const { signal } = new AbortController();
  assert.deepEqual(await over(answers).ask(query, {}, { signal }), { tenant: { name: "A" } });
});

test("a server's localStorage is not a visitor's, and a page's is", async (t) => {
  const shared = memoryStorage();
  replaced(t, "localStorage", shared);
  await over(answers).session.begin(tokens("1"));
  assert.equal(over(answers).session.isSignedIn, false);
  replaced(t, "document", { documentElement: { lang: "" } });
  await over(answers).session.begin(tokens("1"));
  assert.equal(over(answers).session.isSignedIn, true);
});

test("storage that is forbidden or full is done without, and one that answers later is refused", async (t) => {
  replaced(t, "document", { documentElement: { lang: "" } });
  const forbidden = () => {
    throw new DOMException("denied", "SecurityError");
  };
  Object.defineProperty(globalThis, "localStorage", { get: forbidden, configurable: true });
  t.after(() => delete globalThis.localStorage);
  const shop = over(answers);
  await shop.session.begin(tokens("1"));
  assert.ok(shop.session.isSignedIn);
  const full = over(answers, { storage: { ...memoryStorage(), setItem: forbidden } });
  await full.session.begin(tokens("1"));
  assert.ok(full.session.isSignedIn);
  assert.throws(
    () => over(answers, { storage: { ...memoryStorage(), getItem: async () => null } }),
    /at once/,
  );
});

test("a client that is closed leaves no listener behind", (t) => {
  const heard = new Set();
  replaced(t, "window", {
    addEventListener: (_, change) => heard.add(change),
    removeEventListener: (_, change) => heard.delete(change),
  });
  const one = over(answers);
  const other = over(answers);
  const both = heard.size;
  one.close();
  assert.equal(heard.size, both / 2);
  other.close();
  assert.equal(heard.size, 0);
});

test("what another tab stores, or clears, is heard", async (t) => {
  replaced(t, "window", new EventTarget());
  const storage = memoryStorage();
  const shop = shopOf(fake(() => ({ cart: null })).fetch, { storage });
  await shop.session.begin(tokens("1"));
  const heard = [];
  shop.session.subscribe((elsewhere) => heard.push(elsewhere));
  for (const [key, change] of [
    [null, () => storage.removeItem("storefront.session")],
    [
      "storefront.session",
      () => storage.setItem("storefront.session", JSON.stringify(tokens("2", 900, "s2"))),
    ],
    ["of another", () => storage.removeItem("storefront.session")],
  ]) {
    change();
    window.dispatchEvent(Object.assign(new Event("storage"), { key }));
  }
  assert.deepEqual(heard, [true, true]);
});

test("an invalid language tag breaks neither requests nor texts", async () => {
  const { fetch, asked } = fake(({ method }) =>
    method === "PUT" ? {} : { link: { url: "u", maxBytes: 2 ** 20 } },
  );
  const wants = { fa_IR: "fa-IR", "en-us": "en-US", فارسی: "en", "": undefined };
  for (const [language, want] of Object.entries(wants)) {
    const shop = shopOf(fetch, { language });
    const long = await shop
      .uploadListingImage(new Blob([new Uint8Array(2 ** 20 + 1)]))
      .catch((cause) => cause);
    assert.equal(long.code, "PAYLOAD_TOO_LARGE", language);
    assert.equal(asked.at(-1).headers["Accept-Language"], want);
    formatMoney({ amount: "1", currency: "USD", decimals: 2 }, language);
  }
  assert.equal(formatNumber(12, "fa_IR"), "۱۲");
  assert.equal(formatMoney({ amount: "12", currency: "USD", decimals: 2 }, "none at all"), "$12.00");
});

test("a file of exactly the most is sent", async () => {
  const { fetch, asked } = fake(({ method }) =>
    method === "PUT" ? Response.json({ id: "m" }) : { link: { url: "u", maxBytes: 10 } },
  );
  assert.equal((await shopOf(fetch).uploadListingImage(new Blob([new Uint8Array(10)]))).id, "m");
  assert.equal(asked.length, 2);
});

test("an error keeps its cause, also where the body breaks off", async () => {
  const failing = (fetch, more) =>
    shopOf(fetch, more)
      .ask("mutation { x }")
      .catch((cause) => cause);
  const offline = await failing(async () => {
    throw lost;
  });
  assert.deepEqual([offline.code, offline.cause], ["OFFLINE", lost]);
  const html = await failing(async () => new Response("<html>"));
  assert.deepEqual([html.code, html.cause.name], ["UNAVAILABLE", "SyntaxError"]);
  const late = await failing(
    async (url, { signal }) => ({
      headers: new Headers(),
      ok: true,
      json: () => new Promise((_, end) => signal.addEventListener("abort", () => end(signal.reason))),
    }),
    { timeout: 5 },
  );
  assert.deepEqual([late.code, late.cause.name], ["TIMEOUT", "AbortError"]);
});

test(
  "a signal is heard at once: between attempts, during a refresh, while a body arrives",
  { timeout: 1000 },
  async () => {
    const never = () => new Promise(() => {});
    const storage = memoryStorage();
    storage.setItem("storefront.session", JSON.stringify({ ...tokens("1"), until: 1 }));
    const body = async () => ({ headers: new Headers(), ok: true, json: never });
    const waits = shopOf(never, { storage, lock: never });
    for (const shop of [shopOf(fake(() => lost).fetch), waits, shopOf(body, { timeout: 100 })]) {
      const left = new AbortController();
      const asked = shop.ask("{ me { firstName } }", {}, { signal: left.signal });
      setTimeout(() => left.abort(new Error("the page was left")), 20);
      await assert.rejects(asked, /the page was left/);
    }
    await assert.rejects(shopOf(never).ask(query, {}, { signal: AbortSignal.abort() }), {
      name: "AbortError",
    });
  },
);

test("what is left is not attempted again, and Retry-After is waited for", async () => {
  const { fetch, asked } = fake(() => lost);
  const left = new AbortController();
  const asking = shopOf(fetch).ask(query, {}, { signal: left.signal });
  await new Promise(setImmediate);
  left.abort();
  await assert.rejects(asking);
  const busy = fake((_, turn) =>
    turn > 1 ? { tenant: {} } : Response.json(refused("UNAVAILABLE"), { headers: { "Retry-After": "1" } }),
  );
  const begun = Date.now();
  await shopOf(busy.fetch).ask(query);
  assert.ok(Date.now() - begun > 900, `${Date.now() - begun} ms`);
  assert.equal(asked.length, 1);
});
