// Shops at a real service, with two tabs and a line that loses answers: node service.mjs URL. The service's
// line answers /code/CELL with the code that was sent there, and loses the answer to a request that has the
// header Lose-Answer.
import assert from "node:assert/strict";
import { lockInProcess, memoryStorage, Storefront } from "../dist/index.js";

const [url, domain = "paperlane.example"] = process.argv.slice(2);
let loses = ""; // the answer to the next document with this word is dropped
const asked = [];
const line = (to, init) => {
  const isLost = Boolean(loses) && String(init.body).includes(loses);
  if (isLost) loses = "";
  asked.push(String(init.body));
  return fetch(to, isLost ? { ...init, headers: { ...init.headers, "Lose-Answer": "1" } } : init);
};
const count = (word) => asked.filter((body) => body.includes(word)).length;
const refused = (promise) =>
  promise.then(
    () => assert.fail("it was not refused"),
    (cause) => cause,
  );

const browser = { storage: memoryStorage(), lock: lockInProcess(), fetch: line };
const open = () => new Storefront({ url, domain, language: "fa", ...browser });
const [shop, tab] = [open(), open()];

// A visitor without a cart finds a book.
const page = `query($domain: String!, $cartToken: String, $hasCart: Boolean!) {
  tenant(domain: $domain) { name product(slug: "letters-from-shiraz") { variants { id options { label } } } }
  cart(domain: $domain, cartToken: $cartToken) @include(if: $hasCart) { totalQuantity } }`;
loses = "variants";
const { tenant, cart } = await shop.ask(page);
assert.equal(cart, undefined);
const { id: storeItemVariantId } = tenant.product.variants.find(
  ({ options }) => options[0].label === "Hardcover",
);

// Two tabs of a guest have one cart, which the page reads in its own request.
await Promise.all([shop, tab].map((one) => one.cart.add({ storeItemVariantId })));
assert.equal((await tab.ask(page)).cart.totalQuantity, 2);
const short = await refused(shop.cart.add({ storeItemVariantId, quantity: 9000 }));
assert.equal(short.code, "INSUFFICIENT_STOCK");
assert.equal(short.details[0].storeItemVariantId, storeItemVariantId);
assert.match(short.message, /[\u0600-\u06ff]/);
await shop.cart.set(shop.cart.current.items[0].id, 1);
assert.equal((await tab.cart.read()).items[0].quantity, 1);

// A new customer signs up by phone, and keeps the cart.
const cell = "0912 555 01 99";
assert.equal((await refused(shop.session.sendCode("12"))).at("cellNumber") !== undefined, true);
assert.equal((await shop.session.sendCode(cell)).enabled, true);
const code = await (await fetch(`${url}/code/+989125550199`)).text();
const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
assert.equal((await refused(shop.session.signInByCode(cell, wrong))).code, "INVALID_CODE");
const { status, ticket, cellNumber } = await shop.session.signInByCode(cell, code);
assert.equal(status, "noAccount");
loses = "mergeCart";
const done = await shop.session.register({ ticket, cellNumber, firstName: "سارا", lastName: "کریمی" });
assert.deepEqual([done.status, done.leftOut], ["signedIn", []]);
assert.equal(tab.session.isSignedIn, true);
assert.equal((await tab.cart.read()).totalQuantity, 1);
assert.equal(tab.cart.token, null);

// The access token ends, both tabs ask, and the answer to their one refresh is lost.
const kept = JSON.parse(browser.storage.getItem("storefront.session"));
browser.storage.setItem("storefront.session", JSON.stringify({ ...kept, accessToken: "ended" }));
loses = "refreshTokens";
const me = "{ me { firstName } }";
const names = await Promise.all([shop, tab].map((one) => one.ask(me)));
assert.deepEqual(
  names.map((answer) => answer.me.firstName),
  ["سارا", "سارا"],
);
assert.equal(count("refreshTokens"), 2); // and the one that was sent again

// The answer to the order is lost, and there is one order.
loses = "checkout(";
const shippingAddress = { province: "تهران", city: "تهران", address: "خیابان آزادی" };
const { deliveryOptions, bill } = await shop.quote({ to: { city: "تهران" } });
assert.deepEqual([deliveryOptions, bill.charges], [[], []]); // the shop has no methods and no taxes
assert.deepEqual(bill.subtotalMoney, shop.cart.current.subtotalMoney);
const expectedTotal = bill.totalMoney;
const less = { ...expectedTotal, amount: "0.01" };
assert.equal(
  (await refused(shop.checkout({ shippingAddress, expectedTotal: less, payment: { type: "cash" } }))).code,
  "PRICE_CHANGED",
);
const order = await shop.checkout({
  shippingAddress,
  expectedTotal,
  payment: { type: "transfer", transferRefNumber: "1" },
});
assert.equal(count("checkout("), 3);
assert.equal(shop.cart.current, null);
const orders = await shop.ask("query($domain: String!) { me { orders(domain: $domain) { total } } }");
assert.equal(orders.me.orders.total, 1);
assert.equal(
  (await refused(tab.checkout({ shippingAddress, expectedTotal, payment: { type: "cash" } }))).code,
  "CART_EMPTY",
);
const { payUrl, payUrlReason } = await shop.beginPayment(order.id);
assert.equal(payUrl, null); // the shop has no gateway
assert.match(payUrlReason, /[\u0600-\u06ff]/);

// A receipt, and a file that is not an image.
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const receipt = await shop.uploadReceipt(order.id, new Blob([Buffer.from(png, "base64")]));
assert.deepEqual([receipt.width, receipt.height], [1, 1]);
const noImage = await refused(shop.uploadReceipt(order.id, new Blob(["text"])));
assert.match(`${noImage.code} ${noImage.message}`, /^[A-Z_]+ .*[\u0600-\u06ff]/);
assert.ok((await shop.uploadListingImage(new Blob([Buffer.from(png, "base64")]))).id);

// Who signs out is signed out in both tabs.
await shop.session.signOut();
assert.equal(tab.session.isSignedIn, false);
assert.equal((await refused(tab.ask(me))).code, "UNAUTHENTICATED");
const old = new Storefront({ url, domain, storage: memoryStorage() });
await old.session.begin(kept);
assert.equal((await refused(old.ask(me))).code, "UNAUTHENTICATED");
assert.equal(old.session.isSignedIn, false);

console.log(
  `order ${order.orderNumber}: ${order.status}, ${order.totalMoney.amount} ${order.totalMoney.currency}`,
);
