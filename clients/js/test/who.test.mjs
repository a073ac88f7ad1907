// Whose request it is: what one customer asked is not sent, and what was answered not shown, as another's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lockInProcess, memoryStorage } from "../dist/index.js";
import { fake, lost, refused, shopOf, tokens, total } from "./fake.mjs";

const cartOf = (id) => ({ id, totalQuantity: 1, items: [] });
const input = {
  shippingAddress: { province: "x", city: "x", address: "home of A" },
  expectedTotal: total,
  payment: { type: "cash" },
};
const bearerOf = ({ headers }) => headers.Authorization?.split(".").at(-1) ?? "";
const [a, b] = [tokens("A", 900, "sid-a"), tokens("B", 900, "sid-b")];

/** Whoever asks gets answers when they are let go; sign-ins, refreshes and merges are answered at once. */
function held(more = {}) {
  const waiting = [];
  const { fetch, asked } = fake((request) => {
    for (const [word, answer] of Object.entries({
      login: { login: b },
      logout: { logout: { message: "" } },
      ...more,
    }))
      if (request.text.includes(word)) return typeof answer === "function" ? answer(request) : answer;
    return new Promise((answer) => waiting.push({ request, answer }));
  });
  const arrived = async (count) => {
    while (waiting.length < count) await new Promise(setImmediate);
    return waiting[count - 1];
  };
  return { fetch, asked, waiting, arrived };
}

const shopOfA = async (service, more) => {
  const shop = shopOf(service.fetch, more);
  await shop.session.begin(a);
  return shop;
};
const signsInB = async (shop) => {
  await shop.session.signOut();
  await shop.session.signIn("0935", "x");
};
const sentAs = (service, word) => service.asked.filter(({ text }) => text.includes(word)).map(bearerOf);

test("an order that waited is not placed for the next customer", async () => {
  const service = held();
  const shop = await shopOfA(service);
  const order = shop.checkout(input);
  const { answer } = await service.arrived(1);
  await signsInB(shop);
  answer(refused("UNAUTHENTICATED"));
  await assert.rejects(order, { code: "UNAUTHENTICATED" });
  assert.deepEqual(sentAs(service, "checkout"), ["A"]);
});

test("what waits for a refresh is not sent as who signed in meanwhile, and no change as a visitor", async () => {
  for (const next of [signsInB, (shop) => shop.session.signOut()]) {
    let goOn;
    const service = held({
      refreshTokens: () => new Promise((done) => (goOn = () => done(refused("INVALID_CREDENTIALS")))),
    });
    const storage = memoryStorage();
    storage.setItem("storefront.session", JSON.stringify({ ...a, sid: "sid-a", until: 1 }));
    const shop = shopOf(service.fetch, { storage });
    const all = [
      shop.checkout(input),
      shop.cart.set("line of A", 3),
      shop.ask("mutation { updateProfile { x } }"),
    ];
    while (!goOn) await new Promise(setImmediate);
    storage.removeItem("storefront.session");
    const over = all.map((one) => assert.rejects(one, { code: "UNAUTHENTICATED" }));
    await next(shop);
    goOn();
    await Promise.all(over);
    for (const word of ["checkout", "setCartQuantity", "updateProfile"])
      assert.deepEqual(sentAs(service, word), []);
    assert.equal(shop.session.isSignedIn, next === signsInB);
  }
});

test("a change that waits for its turn is not made in the next customer's cart", async () => {
  const service = held();
  const shop = await shopOfA(service);
  const [first, second] = [shop.cart.set("l1", 1), shop.cart.set("l2", 2)];
  const { answer } = await service.arrived(1);
  const over = assert.rejects(second, { code: "UNAUTHENTICATED" });
  await signsInB(shop);
  answer({ changed: { cart: cartOf("cart of A") } });
  await first;
  await over;
  assert.deepEqual(sentAs(service, "setCartQuantity"), ["A"]);
});

test("a late answer shows nobody the cart of who has left", async () => {
  const changes = {
    add: (shop) => shop.cart.add({ storeItemVariantId: "v" }),
    set: (shop) => shop.cart.set("l1", 2),
    empty: (shop) => shop.cart.empty(),
    read: (shop) => shop.cart.read(),
    checkout: (shop) => shop.checkout(input),
  };
  for (const [name, change] of Object.entries(changes)) {
    const service = held();
    const shop = await shopOfA(service);
    const heard = [];
    const done = change(shop);
    const { answer } = await service.arrived(1);
    await signsInB(shop);
    const reading = shop.cart.read();
    (await service.arrived(2)).answer({ cart: cartOf("cart of B") });
    await reading;
    shop.cart.subscribe(() => heard.push(shop.cart.current?.id));
    const cart = cartOf("cart of A");
    answer({ cart, changed: { cart }, checkout: { order: { id: "o" } } });
    await done;
    for (const { request, answer } of service.waiting.slice(2)) {
      assert.equal(bearerOf(request), "B", name);
      answer({ cart: cartOf("cart of B") });
    }
    await new Promise((wake) => setTimeout(wake, 5));
    assert.equal(shop.cart.current.id, "cart of B", name);
    assert.ok(!heard.includes("cart of A"), name);
  }
});

test("the cart of a guest who signs in before it is made is merged later", async () => {
  const service = held({ mergeCart: { changed: { cart: cartOf("merged"), leftOut: [] } } });
  const shop = shopOf(service.fetch);
  const added = shop.cart.add({ storeItemVariantId: "v" });
  const { answer } = await service.arrived(1);
  await shop.session.signIn("0935", "x");
  answer({ changed: { cartToken: "g1", cart: cartOf("guest") } });
  await added;
  assert.notEqual(shop.cart.current?.id, "guest");
  const reading = shop.cart.read();
  (await service.arrived(2)).answer({ cart: cartOf("merged") });
  assert.equal((await reading).id, "merged");
  assert.deepEqual(sentAs(service, "mergeCart"), ["B"]);
  assert.equal(shop.cart.token, null);
});

test("a merge that is answered late takes no newer guest's cart away", async () => {
  let merged;
  const service = held({ mergeCart: () => new Promise((done) => (merged = done)) });
  const storage = memoryStorage();
  storage.setItem("storefront.cart.shop.example", JSON.stringify({ token: "g1", changed: 1 }));
  const shop = shopOf(service.fetch, { storage });
  const signedIn = shop.session.signIn("0935", "x");
  while (!merged) await new Promise(setImmediate);
  await shop.session.signOut();
  storage.setItem("storefront.cart.shop.example", JSON.stringify({ token: "g2", changed: 2 }));
  merged({ changed: { cart: cartOf("merged"), leftOut: [] } });
  await signedIn;
  assert.equal(shop.cart.token, "g2");
  assert.equal(shop.cart.current, undefined);
});

test("a customer's requests carry no guest's cart, and a refresh is no sign-in", async () => {
  let isOld = true;
  const { fetch, asked } = fake(({ text }) => {
    if (text.includes("refreshTokens")) return { refreshTokens: tokens("A2", 900, "sid-a") };
    return isOld && asked.length > 1 ? ((isOld = false), refused("UNAUTHENTICATED")) : { cart: cartOf("c") };
  });
  const storage = memoryStorage();
  storage.setItem("storefront.session", JSON.stringify(a));
  storage.setItem("storefront.cart.shop.example", JSON.stringify({ token: "g1", changed: 1 }));
  const shop = shopOf(fetch, { storage });
  const page =
    "query($cartToken: String, $hasCart: Boolean!) { cart(cartToken: $cartToken) @include(if: $hasCart) { id } }";
  let heard = 0;
  shop.session.subscribe(() => heard++);
  await shop.ask(page);
  await shop.ask(page);
  assert.deepEqual(asked[0].variables, { cartToken: null, hasCart: true });
  assert.equal(asked.length, 4);
  assert.equal(heard, 0);
  assert.equal(shop.cart.current.id, "c");
});

test("a refresh that is refused does not end the session that began meanwhile", async () => {
  let goOn;
  const service = held({
    refreshTokens: () => new Promise((done) => (goOn = () => done(refused("INVALID_CREDENTIALS")))),
  });
  const shop = await shopOfA(service, { lock: (name, work) => work() });
  const asking = shop.ask("{ me { firstName } }").catch((cause) => cause);
  (await service.arrived(1)).answer(refused("UNAUTHENTICATED"));
  while (!goOn) await new Promise(setImmediate);
  await shop.session.signIn("0935", "x");
  goOn();
  assert.equal((await asking).code, "UNAUTHENTICATED");
  assert.ok(shop.session.isSignedIn);
  assert.deepEqual(sentAs(service, "firstName"), ["A"]);
});

test("ten requests share one failed refresh, and what is public is asked as a visitor", async () => {
  const { fetch, asked } = fake(({ text, headers }) =>
    text.includes("refreshTokens")
      ? Response.json(refused("UNAVAILABLE"), { headers: { "Retry-After": "60" } })
      : headers.Authorization
        ? refused("UNAUTHENTICATED")
        : { tenant: { name: "A" } },
  );
  const storage = memoryStorage();
  storage.setItem("storefront.session", JSON.stringify({ ...a, until: 1 }));
  storage.setItem("storefront.cart.shop.example", JSON.stringify({ token: "g1", changed: 1 }));
  const shop = shopOf(fetch, { storage });
  const named = (value) => ({ kind: "Name", value });
  const ifCart = {
    name: named("include"),
    arguments: [{ name: named("if"), value: { kind: "Variable", name: named("hasCart") } }],
  };
  const field = (name, more) => ({ kind: "Field", name: named(name), ...more });
  const page = {
    definitions: [
      {
        kind: "OperationDefinition",
        operation: "query",
        selectionSet: { selections: [field("tenant"), field("cart", { directives: [ifCart] })] },
      },
    ],
  };
  const isPublic = ["{ tenant { name } }", page];
  const isOwn = ["{ me { firstName } }", "query { cart { id } }", "mutation { createComment { x } }"];
  const found = await Promise.all(
    [...isPublic, ...isOwn, ...isPublic].map((document) => shop.ask(document).catch((cause) => cause)),
  );
  assert.deepEqual(
    found.map(({ code, tenant }) => code ?? tenant.name),
    ["A", "A", "UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE", "A", "A"],
  );
  assert.equal(asked.filter(({ text }) => text.includes("refreshTokens")).length, 1);
  assert.ok(asked.every(({ variables }) => !variables.cartToken));
  assert.ok(shop.session.isSignedIn);
});

test("a refresh that hangs gives its turn away, and ends", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const hangs = (url, { signal }) =>
    new Promise((_, end) => signal.addEventListener("abort", () => end(signal.reason)));
  const shared = { storage: memoryStorage(), lock: lockInProcess() };
  shared.storage.setItem("storefront.session", JSON.stringify({ ...a, until: 1 }));
  const [hanging, tab] = [
    shopOf(hangs, shared),
    shopOf(
      fake(({ text }) =>
        text.includes("refreshTokens") ? { refreshTokens: tokens("A2", 900, "sid-a") } : { me: {} },
      ).fetch,
      shared,
    ),
  ];
  const first = hanging.ask("{ me { firstName } }").catch((cause) => cause);
  await new Promise(setImmediate);
  const second = tab.ask("{ me { firstName } }");
  await new Promise(setImmediate);
  t.mock.timers.tick(8000);
  assert.equal((await first).code, "TIMEOUT");
  assert.deepEqual(await second, { me: {} });
});

test("a session is refreshed a moment before its end and not before", async () => {
  const { fetch, asked } = fake(({ text }) => (text.includes("refresh") ? { refreshTokens: a } : { me: {} }));
  for (const [left, refreshes] of [
    [3000, 1],
    [60_000, 0],
    [9 * 60_000, 0],
  ]) {
    const storage = memoryStorage();
    storage.setItem("storefront.session", JSON.stringify({ ...a, until: Date.now() + left }));
    asked.length = 0;
    await shopOf(fetch, { storage }).ask("{ me { firstName } }");
    assert.equal(asked.filter(({ text }) => text.includes("refresh")).length, refreshes, `${left}`);
  }
});

test("who signs out by an access token that has ended is signed out at the service too", async () => {
  const { fetch, asked } = fake(({ text }) =>
    text.includes("refreshTokens")
      ? { refreshTokens: tokens("A2", 900, "sid-a") }
      : { logout: { message: "" } },
  );
  const storage = memoryStorage();
  storage.setItem("storefront.session", JSON.stringify({ ...a, until: 1 }));
  await shopOf(fetch, { storage }).session.signOut();
  assert.deepEqual(asked.map(bearerOf), ["", "A2"]);
});

test("an ended session is refreshed although another error comes first", async () => {
  let isOld = true;
  const { fetch, asked } = fake(({ text }) => {
    if (text.includes("refreshTokens")) return { refreshTokens: tokens("A2", 900, "sid-a") };
    if (!isOld) return { me: {} };
    isOld = false;
    const error = (code) => ({ message: code, path: [code], extensions: { code } });
    return { errors: [error("NOT_FOUND"), error("UNAUTHENTICATED")], data: null };
  });
  const shop = shopOf(fetch);
  await shop.session.begin(a);
  assert.deepEqual(await shop.ask("{ tenant { name } me { firstName } }"), { me: {} });
  assert.equal(asked.length, 3);
});

test("an order whose answer was lost is another one once another tab has filled the cart again", async () => {
  const { fetch, asked } = fake(({ text }) =>
    text.includes("checkout")
      ? lost
      : text.includes("addToCart")
        ? { changed: { cart: cartOf("c") } }
        : { cart: cartOf("c") },
  );
  const shared = { storage: memoryStorage(), lock: lockInProcess() };
  shared.storage.setItem("storefront.session", JSON.stringify(a));
  const [shop, tab] = [shopOf(fetch, shared), shopOf(fetch, shared)];
  await shop.cart.read();
  await assert.rejects(shop.checkout(input), { code: "OFFLINE" });
  await tab.cart.add({ storeItemVariantId: "v" });
  await assert.rejects(shop.checkout(input), { code: "OFFLINE" });
  const keys = asked
    .filter(({ text }) => text.includes("checkout"))
    .map(({ headers }) => headers["Idempotency-Key"]);
  assert.equal(keys.length, 6);
  assert.equal(new Set(keys).size, 2);
});
