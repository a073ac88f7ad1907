// Uses the library's types: package.test.mjs compiles this file with the published declarations.
import { addMoney, formatMoney, isCode, Storefront, type CartView, type TypedDocument } from "../dist/index.js";

type Page = { tenant: { name: string } | null };
declare const page: TypedDocument<
  Page,
  { domain: string; cartToken?: string | null; hasCart: boolean; slug: string }
>;
declare const fragment: TypedDocument<{ subtotal: number }, {}>;

const shop = new Storefront({ url: "http://127.0.0.1:8080", domain: "paperlane.example" });
const own = new Storefront({
  url: new URL("http://127.0.0.1:8080"),
  domain: "paperlane.example",
  cart: fragment,
});

export async function use(): Promise<void> {
  const name: string | undefined = (await shop.ask(page, { slug: "x" })).tenant?.name;
  const text: Page = await shop.ask<Page>("query { tenant { name } }");
  // @ts-expect-error: slug is missing
  await shop.ask(page, {});
  // @ts-expect-error: slug is no number
  await shop.ask(page, { slug: 1 });
  const cart: CartView = await shop.cart.add({ storeItemVariantId: "v" });
  const subtotal: number | undefined = own.cart.current?.subtotal;
  // @ts-expect-error: the fragment has no items
  own.cart.current?.items;
  const { bill } = await shop.quote({ addressId: "a" });
  const expectedTotal = bill?.totalMoney ?? addMoney(cart.subtotalMoney!);
  const input = { addressId: "a", deliveryMethodId: bill?.deliveryMethodId ?? null, payment: { type: "cash" } };
  const order = await shop.checkout({ ...input, expectedTotal });
  const pay: string | null = (await shop.beginPayment(order.id, "https://paperlane.example/x")).payUrl;
  // @ts-expect-error: the total is missing
  await shop.checkout({ addressId: "a", payment: { type: "cash" } });
  const shown: string = formatMoney(order.totalMoney, "fa");
  const found = await shop.session.signInByCode("0912", "123456");
  if (found.status === "signedIn") console.log(found.leftOut[0]?.title);
  else console.log(found.cellNumber, found.expiresInSeconds);
  try {
    await shop.session.signOut();
  } catch (cause) {
    if (isCode(cause, "RATE_LIMITED")) console.log(cause.retryAfter, cause.at("cellNumber"));
  }
  console.log(name, text, cart.items[0]?.lineTotalMoney?.amount, subtotal, shown, pay);
}

export async function register(ticket: string, cellNumber: string): Promise<string> {
  const made = await shop.session.register({ ticket, cellNumber, firstName: "Sara", lastName: "Karimi" });
  return made.status === "linkPending" ? made.message : (made.leftOut[0]?.title ?? "");
}
