// The cart of the signed-in customer or of the guest. Both have the same shape and the same rules.
import { ask, domain, Failure, guestToken, session } from "./api";
import { moneyFields, type Money } from "./money";

export type Line = {
  id: string;
  productSlug: string;
  titleFa: string;
  titleEn: string | null;
  quantity: number;
  availableQuantity: number;
  lineTotalMoney: Money | null;
  warning: string | null;
  options: { label: string; labelFa: string }[];
  image: Image | null;
};
export type Image = {
  url: string;
  alt: string | null;
  width: number | null;
  height: number | null;
  placeholderColor: string | null;
};
export type Cart = {
  id: string;
  totalQuantity: number;
  subtotalMoney: Money | null;
  items: Line[];
};

export const imageFields = `url alt width height placeholderColor`;
const fields = `id totalQuantity subtotalMoney { ${moneyFields} } items { id productSlug titleFa titleEn quantity availableQuantity
  lineTotalMoney { ${moneyFields} } warning options { label labelFa } image { ${imageFields} } }`;

type Payload = { body: { cart: Cart } };

/** changed tells the page's header that the cart is another one. */
function changed({ body }: Payload): Cart {
  dispatchEvent(new Event("kept"));
  return body.cart;
}

/** mine is the variables that name the cart: a customer's by who asks, a guest's by its token. */
const mine = () => ({ domain, token: session.get() ? null : guestToken.get() });

export async function readCart(): Promise<Cart | null> {
  try {
    const { cart } = await ask<{ cart: Cart | null }>(
      `query($domain: String!, $token: String) { cart(domain: $domain, cartToken: $token) { ${fields} } }`,
      mine(),
    );
    return cart;
  } catch (error) {
    if (!(error instanceof Failure && error.code === "NOT_FOUND")) throw error;
    guestToken.set(null); // it has ended
    return null;
  }
}

export async function addToCart(variant: string, quantity: number): Promise<Cart> {
  const added = await ask<Payload & { body: { cartToken: string | null } }>(
    `mutation($domain: String!, $token: String, $items: [CartItemInput!]!) {
      body: addToCart(domain: $domain, cartToken: $token, items: $items) { cartToken cart { ${fields} } } }`,
    { ...mine(), items: [{ storeItemVariantId: variant, quantity }] },
  );
  if (added.body.cartToken) guestToken.set(added.body.cartToken);
  return changed(added);
}

/** changeLine sets the units of a line; 0 takes it out. */
export async function changeLine(line: string, quantity: number): Promise<Cart> {
  return changed(
    await ask<Payload>(
      `mutation($domain: String!, $token: String, $line: ID!, $quantity: Int!) {
        body: setCartQuantity(domain: $domain, cartToken: $token, itemId: $line, quantity: $quantity) { cart { ${fields} } } }`,
      { ...mine(), line, quantity },
    ),
  );
}

/** mergeGuest joins the guest's cart with the customer's, once: after a sign-in. It gives what did not fit. */
export async function mergeGuest(): Promise<string[]> {
  const token = guestToken.get();
  if (!token) return [];
  try {
    const { body } = await ask<{ body: { leftOut: { titleEn: string | null; titleFa: string }[] } }>(
      `mutation($domain: String!, $token: String!) {
        body: mergeCart(domain: $domain, cartToken: $token) { leftOut { titleEn titleFa } } }`,
      { domain, token },
    );
    return body.leftOut.map((line) => line.titleEn ?? line.titleFa);
  } catch (error) {
    if (error instanceof Failure && error.code === "NOT_FOUND") return []; // another tab was first
    throw error;
  } finally {
    guestToken.set(null);
  }
}
