import assert from "node:assert/strict";
import { test } from "node:test";
import { lockInProcess, memoryStorage } from "../dist/index.js";
import { fake, lost, refused, shopOf, tokens, total } from "./fake.mjs";

const cartOf = (totalQuantity, more = {}) => ({ id: "c1", totalQuantity, items: [], ...more });
const signedIn = (storage = memoryStorage()) => {
  storage.setItem("storefront.session", JSON.stringify(tokens("1")));
  return storage;
};
const guest = (token = "g1", storage = memoryStorage()) => {
  storage.setItem("storefront.cart.shop.example", JSON.stringify({ token, changed: 1 }));
  return storage;
};
/** The answer where a guest's cart has ended. */
const ended = (data) => ({
  errors: [{ message: "", path: ["cart"], extensions: { code: "NOT_FOUND" } }],
  data,
});

test("a visitor without a cart asks for none", async () => {
  const { fetch, asked } = fake(() => ({}));
  const { cart } = shopOf(fetch);
  assert.equal(cart.current, undefined);
  assert.equal(await cart.read(), null);
  assert.equal(cart.current, null);
  assert.equal(asked.length, 0);
});

test("two tabs of a new guest make one cart", async () => {
  const carts = [];
  const { fetch } = fake(async ({ variables }) => {
    await new Promise((wake) => setTimeout(wake, 5));
    if (!variables.cartToken) carts.push("g1");
    return { changed: { cartToken: variables.cartToken ? null : "g1", cart: cartOf(1) } };
  });
  const shared = { storage: memoryStorage(), lock: lockInProcess() };
  const both = [shopOf(fetch, shared), shopOf(fetch, shared)];
  await Promise.all([...both, ...both].map(({ cart }) => cart.add({ storeItemVariantId: "v1" })));
  assert.deepEqual(carts, ["g1"]);
  assert.equal(both[1].cart.token, "g1");
});

test("a guest's cart that has ended is forgotten, and a new one made", async () => {
  const { fetch, asked } = fake(({ text, variables }) =>
    variables.cartToken
      ? text.startsWith("query")
        ? ended({ cart: null })
        : refused("NOT_FOUND")
      : { changed: { cartToken: "g2", cart: cartOf(1) } },
  );
  const { cart } = shopOf(fetch, { storage: guest() });
  assert.equal((await cart.add({ storeItemVariantId: "v1" })).totalQuantity, 1);
  assert.equal(cart.token, "g2");
  assert.equal(asked.length, 3);
  assert.equal(asked[0].headers["Idempotency-Key"], undefined); // a guest's request is done again
});

test("a page's own document reads the cart, and a cart that has ended spoils no page", async () => {
  let hasEnded = false;
  const { fetch, asked } = fake(() =>
    hasEnded ? ended({ tenant: { name: "A" }, cart: null }) : { tenant: { name: "A" }, cart: cartOf(2) },
  );
  const shop = shopOf(fetch, { storage: guest() });
  const page = `query($domain: String!, $cartToken: String, $hasCart: Boolean!) {
    tenant(domain: $domain) { name } cart(domain: $domain, cartToken: $cartToken) @include(if: $hasCart) { id } }`;
  await shop.ask(page);
  assert.deepEqual(asked[0].variables, { domain: "shop.example", cartToken: "g1", hasCart: true });
  assert.equal(shop.cart.current.totalQuantity, 2);
  hasEnded = true;
  assert.equal((await shop.ask(page)).tenant.name, "A");
  assert.equal(shop.cart.current, null);
  assert.equal(shop.cart.token, null);
  hasEnded = false;
  await shop.ask(page);
  assert.deepEqual(asked[2].variables, { domain: "shop.example", cartToken: null, hasCart: false });
});

test("an older answer never replaces a newer one", async () => {
  const waiting = [];
  const { fetch } = fake((request) => new Promise((answer) => waiting.push(answer)));
  const { cart } = shopOf(fetch, { storage: guest() });
  const asked = async (count) => {
    while (waiting.length < count) await new Promise((wake) => setTimeout(wake));
  };
  const shown = [];
  cart.subscribe(() => shown.push(cart.current.totalQuantity));
  const [first, second] = [cart.read(), cart.read()];
  await asked(2);
  const change = cart.set("l1", 3);
  await asked(3);
  waiting[1]({ cart: cartOf(2) });
  await second;
  waiting[2]({ changed: { cart: cartOf(3) } });
  await change;
  waiting[0]({ cart: cartOf(1) });
  assert.equal((await first).totalQuantity, 1);
  assert.deepEqual(shown, [2, 3]);
});

test("a guest's cart is merged at sign-in; where that was lost it is tried again", async () => {
  let isDown = true;
  const { fetch, asked } = fake(({ text }) =>
    text.includes("login")
      ? { login: tokens("1") }
      : text.includes("mergeCart")
        ? isDown
          ? lost
          : { changed: { cart: cartOf(2), leftOut: [] } }
        : { cart: cartOf(2) },
  );
  const shop = shopOf(fetch, { storage: guest() });
  assert.deepEqual(await shop.session.signIn("0912", "x"), { status: "signedIn", leftOut: [] });
  assert.equal(shop.cart.token, "g1");
  isDown = false;
  await shop.cart.read();
  assert.equal(shop.cart.token, null);
  const merges = asked.filter(({ text }) => text.includes("mergeCart"));
  assert.deepEqual(
    merges.map(({ variables }) => variables.token),
    Array(4).fill("g1"),
  );
  await shop.cart.read();
  assert.equal(asked.filter(({ text }) => text.includes("mergeCart")).length, 4);
});

test("what did not fit is reported, and a cart that another tab has merged is no failure", async () => {
  let merged = { changed: { cart: cartOf(1), leftOut: [{ title: "کتاب", requested: 2, taken: 1 }] } };
  const { fetch } = fake(({ text }) => (text.includes("login") ? { login: tokens("1") } : merged));
  const storage = guest();
  const shop = shopOf(fetch, { storage });
  assert.equal((await shop.session.signIn("0912", "x")).leftOut[0].title, "کتاب");
  assert.equal(shop.cart.current.totalQuantity, 1);
  guest("g3", storage);
  merged = refused("NOT_FOUND");
  assert.deepEqual((await shop.session.signIn("0912", "x")).leftOut, []);
  assert.equal(shop.cart.token, null);
});

test("an order whose answer was lost is sent again with the same key, and the next one has its own", async () => {
  const input = { addressId: "a1", expectedTotal: total, payment: { type: "cash" } };
  let lose = 4;
  const { fetch, asked } = fake(({ text }) =>
    text.includes("checkout")
      ? lose-- > 0
        ? lost
        : { checkout: { order: { id: "o1" } } }
      : { cart: cartOf(lose > 1 ? 2 : 0) },
  );
  const shop = shopOf(fetch, { storage: signedIn() });
  await shop.cart.read();
  await assert.rejects(shop.checkout(input), { code: "OFFLINE" }); // three times
  await shop.cart.read(); // the order had emptied it
  const keys = () =>
    asked.filter(({ text }) => text.includes("checkout")).map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal((await shop.checkout(input)).id, "o1");
  assert.equal(new Set(keys()).size, 1);
  assert.equal(keys().length, 5);
  assert.equal(shop.cart.current, null);
  await shop.checkout(input);
  assert.equal(new Set(keys()).size, 2);
});

test("another cart or another input is another order, and a second click the same", async () => {
  let units = 1;
  const { fetch, asked } = fake(({ text }) =>
    text.includes("checkout") ? refused("CONFLICT") : { cart: cartOf(units) },
  );
  const shop = shopOf(fetch, { storage: signedIn() });
  const place = (type) => shop.checkout({ addressId: "a1", expectedTotal: total, payment: { type } }).catch(() => {});
  await shop.cart.read();
  await Promise.all([place("cash"), place("cash")]);
  await place("transfer");
  units = 2;
  await shop.cart.read();
  await place("transfer");
  const keys = asked
    .filter(({ text }) => text.includes("checkout"))
    .map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(keys.length, 4);
  assert.equal(keys[0], keys[1]);
  assert.equal(new Set(keys).size, 3);
});

test("a cart that is read in another language is the same order", async () => {
  let language = "en";
  const { fetch, asked } = fake(({ text, headers }) => {
    if (text.includes("checkout")) return lost;
    const isPersian = headers["Accept-Language"] === "fa";
    const [title, label, alt] = isPersian ? ["کتاب", "جلد", "آبی"] : ["A book", "Cover", "Blue"];
    return { cart: cartOf(1, { items: [{ id: "i1", title, options: [{ label }], image: { alt } }] }) };
  });
  const shop = shopOf(fetch, { storage: signedIn(), language: () => language });
  const input = { addressId: "a1", expectedTotal: total, payment: { type: "cash" } };
  await shop.cart.read();
  await assert.rejects(shop.checkout(input), { code: "OFFLINE" });
  language = "fa";
  await shop.cart.read();
  assert.equal(shop.cart.current.items[0].title, "کتاب");
  await assert.rejects(shop.checkout(input), { code: "OFFLINE" });
  const keys = asked
    .filter(({ text }) => text.includes("checkout"))
    .map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(keys.length, 6);
  assert.equal(new Set(keys).size, 1);
});

test("a change that is answered in the language before is read again in that of the page", async () => {
  for (const [name, storage, change] of [
    ["addToCart", signedIn(), ({ cart }) => cart.add({ storeItemVariantId: "v1" })],
    ["mergeCart", guest(), ({ session }) => session.signIn("0912", "x")],
  ]) {
    let [language, answer] = ["en"];
    const { fetch } = fake(async ({ text, headers }) => {
      if (text.includes("login")) return { login: tokens("1") };
      const title = headers["Accept-Language"] === "fa" ? "کتاب" : "A book";
      const cart = cartOf(1, { items: [{ id: "i1", title }] });
      if (!text.includes(name)) return { cart };
      await new Promise((wake) => (answer = wake));
      return { changed: { cart, leftOut: [] } };
    });
    const shop = shopOf(fetch, { storage, language: () => language });
    const changed = change(shop);
    while (!answer) await new Promise(setImmediate);
    language = "fa";
    answer();
    await changed;
    await new Promise((wake) => setTimeout(wake, 20));
    assert.equal(shop.cart.current.items[0].title, "کتاب", name);
  }
});

test("a cart that was filled again is another order, although it looks the same", async () => {
  const { fetch, asked } = fake(({ text }) =>
    text.includes("checkout")
      ? lost
      : text.includes("addToCart")
        ? { changed: { cart: cartOf(1) } }
        : { cart: cartOf(1) },
  );
  const shop = shopOf(fetch, { storage: signedIn() });
  await shop.cart.read();
  const input = { addressId: "a1", expectedTotal: total, payment: { type: "cash" } };
  await assert.rejects(shop.checkout(input), { code: "OFFLINE" });
  await shop.cart.add({ storeItemVariantId: "v1" });
  await assert.rejects(shop.checkout(input), { code: "OFFLINE" });
  const keys = asked
    .filter(({ text }) => text.includes("checkout"))
    .map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(keys.length, 6);
  assert.equal(new Set(keys).size, 2);
});

test("a page whose cart could not be read shows the cart as it was", async () => {
  let answer = { cart: cartOf(2) };
  const { fetch } = fake(() => answer);
  const shop = shopOf(fetch, { storage: signedIn() });
  await shop.cart.read();
  answer = {
    errors: [{ message: "", path: ["cart"], extensions: { code: "INTERNAL" } }],
    data: { cart: null },
  };
  await assert.rejects(shop.cart.read(), { code: "INTERNAL" });
  assert.equal(shop.cart.current.totalQuantity, 2);
  answer = {
    errors: [{ message: "", path: ["tenant"], extensions: { code: "NOT_FOUND" } }],
    data: { tenant: null, cart: cartOf(3) },
  };
  await assert.rejects(shop.cart.read(), { code: "NOT_FOUND" });
  assert.equal(shop.cart.current.totalQuantity, 3);
});

test("nothing of one customer's cart is shown to the next, in any tab", async () => {
  let name = "1";
  const { fetch } = fake(({ text }) =>
    text.includes("login") ? { login: tokens(name, 900, name) } : { cart: cartOf(Number(name)) },
  );
  const shop = shopOf(fetch);
  await shop.session.signIn("0912", "x");
  await shop.cart.read();
  assert.equal(shop.cart.current.totalQuantity, 1);
  let heard = 0;
  shop.session.subscribe(() => heard++);
  name = "2";
  await shop.session.signIn("0935", "x");
  assert.equal(shop.cart.current, undefined);
  assert.equal(heard, 1);
});

test("a refusal for a price that rose shows the cart as it is now", async () => {
  const { fetch } = fake(({ text }) =>
    text.includes("checkout") ? refused("PRICE_CHANGED") : { cart: cartOf(5) },
  );
  const shop = shopOf(fetch, { storage: signedIn() });
  await assert.rejects(shop.checkout({ addressId: "a1", expectedTotal: total, payment: { type: "cash" } }), {
    code: "PRICE_CHANGED",
  });
  assert.equal(shop.cart.current.totalQuantity, 5);
});

test("what a cart costs replaces no cart, and beginning to pay is sent again with its key", async () => {
  let lose = 1;
  const quote = { deliveryOptions: [{ id: "m1", priceMoney: total }], bill: { totalMoney: total, charges: [] } };
  const payment = { payUrl: "https://api.example/pay/X", payUrlReason: null };
  const { fetch, asked } = fake(({ text }) =>
    text.includes("beginPayment")
      ? lose-- > 0
        ? lost
        : { begun: { order: { payment } } }
      : text.includes("deliveryOptions")
        ? { priced: quote }
        : { cart: cartOf(1) },
  );
  const shop = shopOf(fetch, { storage: signedIn() });
  const cart = await shop.cart.read();
  assert.deepEqual(await shop.quote({ to: { city: "x" } }), quote);
  assert.equal(shop.cart.current, cart);
  assert.deepEqual(await shop.beginPayment("o1"), payment);
  const [first, second] = asked.slice(-2).map(({ headers, variables }) => [headers, variables]);
  assert.deepEqual(first, second);
  assert.ok(first[0]["Idempotency-Key"]);
});

test("what is read of carts and orders is the caller's", async () => {
  const { fetch, asked } = fake(({ text }) =>
    text.includes("checkout") ? { checkout: { order: {} } } : { cart: cartOf(1) },
  );
  const shop = shopOf(fetch, {
    storage: signedIn(),
    cart: "fragment Mine on Cart { subtotal }",
    order: {
      definitions: [
        {
          kind: "FragmentDefinition",
          name: { value: "Short" },
          typeCondition: { name: { value: "Order" } },
          selectionSet: { selections: [{ kind: "Field", name: { value: "orderNumber" } }] },
        },
      ],
    },
  });
  await shop.cart.read();
  await shop.checkout({ addressId: "a1", expectedTotal: total, payment: { type: "cash" } });
  assert.match(
    asked[0].text,
    /cart\(.*\{ id totalQuantity \.\.\.Mine \} \}\s+fragment Mine on Cart \{ subtotal \}/s,
  );
  assert.match(asked[1].text, /order \{ \.\.\.Short \}.*fragment Short on Order\{orderNumber\}/s);
});

/** later is a shop with a cart, whose answers come when they are let go. */
function later() {
  const waiting = [];
  const { fetch, asked } = fake(() => new Promise((answer) => waiting.push(answer)));
  const { cart, ask } = shopOf(fetch, { storage: guest() });
  const arrived = async (count) => {
    while (waiting.length < count) await new Promise(setImmediate);
  };
  return { cart, ask, asked, waiting, arrived };
}

test("of two readings the later one is shown, whichever is answered first", async () => {
  const { cart, waiting, arrived } = later();
  const both = [cart.read(), cart.read()];
  await arrived(2);
  waiting[1]({ cart: cartOf(2) });
  await both[1];
  waiting[0]({ cart: cartOf(1) });
  await both[0];
  assert.equal(cart.current.totalQuantity, 2);
});

test("a reading from before a change does not replace it", async () => {
  const { cart, waiting, arrived } = later();
  const reading = cart.read();
  await arrived(1);
  const change = cart.set("l1", 3);
  await arrived(2);
  waiting[1]({ changed: { cart: cartOf(3) } });
  await change;
  waiting[0]({ cart: cartOf(1) });
  await reading;
  assert.equal(cart.current.totalQuantity, 3);
});

test("changes are sent one after another, and none of them reads the cart again", async () => {
  const { cart, asked, waiting, arrived } = later();
  cart.subscribe(() => {});
  const all = [1, 2, 0].map((units) => (units ? cart.set("l1", units) : cart.empty()));
  for (const [i, change] of all.entries()) {
    await arrived(i + 1);
    await new Promise((wake) => setTimeout(wake, 2));
    assert.equal(asked.length, i + 1);
    waiting[i]({ changed: { cart: cartOf(i) } });
    await change;
  }
  await new Promise((wake) => setTimeout(wake, 2));
  assert.deepEqual(
    asked.map(({ text }) => /^\w+/.exec(text)[0]),
    ["mutation", "mutation", "mutation"],
  );
});

test("what a mutation calls cart is no reading", async () => {
  const { fetch } = fake(() => ({ cart: { message: "done" } }));
  const shop = shopOf(fetch, { storage: guest() });
  await shop.ask("mutation($cartToken: String) { cart: emptyCart(cartToken: $cartToken) { message } }");
  assert.equal(shop.cart.current, undefined);
});
