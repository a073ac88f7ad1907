// The cart of the signed-in customer or of the guest. Both have the same shape and the same rules.
import { ask, Failure, guestToken, session } from "./api";
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

export async function readCart(shop: string): Promise<Cart | null> {
  if (session.get()) {
    const { me } = await ask<{ me: { cart: Cart } }>(
      `query($shop: ID!) { me { cart(businessId: $shop) { ${fields} } } }`,
      { shop },
    );
    return me.cart;
  }
  const token = guestToken.get();
  if (!token) return null;
  try {
    const { guestCart } = await ask<{ guestCart: Cart }>(
      `query($shop: ID!, $token: String!) { guestCart(businessId: $shop, cartToken: $token) { ${fields} } }`,
      { shop, token },
    );
    return guestCart;
  } catch (error) {
    if (error instanceof Failure && error.code === "NOT_FOUND") guestToken.set(null); // it has ended
    return null;
  }
}

export async function addToCart(shop: string, variant: string, quantity: number): Promise<Cart> {
  const input = { storeItemVariantId: variant, quantity };
  if (session.get()) {
    return changed(
      await ask<Payload>(
        `mutation($shop: ID!, $input: CartItemInput!) {
      body: addCartItem(businessId: $shop, input: $input) { cart { ${fields} } } }`,
        { shop, input },
      ),
    );
  }
  if (!guestToken.get()) {
    const { body } = await ask<{ body: { cartToken: string } }>(
      `mutation($shop: ID!) { body: createCart(businessId: $shop) { cartToken } }`,
      { shop },
    );
    guestToken.set(body.cartToken);
  }
  return changed(
    await ask<Payload>(
      `mutation($shop: ID!, $token: String!, $input: CartItemInput!) {
    body: addGuestCartItem(businessId: $shop, cartToken: $token, input: $input) { cart { ${fields} } } }`,
      { shop, token: guestToken.get(), input },
    ),
  );
}

export async function changeLine(shop: string, line: string, quantity: number): Promise<Cart> {
  const [guest, token] = session.get() ? ["", ""] : ["Guest", ", cartToken: $token"];
  const declared = guest ? ", $token: String!" : "";
  const variables = { shop, line, quantity, ...(guest ? { token: guestToken.get() } : {}) };
  const text =
    quantity === 0
      ? `mutation($shop: ID!, $line: ID!${declared}) {
        body: remove${guest}CartItem(businessId: $shop, itemId: $line${token}) { cart { ${fields} } } }`
      : `mutation($shop: ID!, $line: ID!, $quantity: Int!${declared}) {
        body: update${guest}CartItem(businessId: $shop, itemId: $line${token}, input: { quantity: $quantity }) { cart { ${fields} } } }`;
  if (quantity === 0) delete (variables as { quantity?: number }).quantity;
  return changed(await ask<Payload>(text, variables));
}

/** mergeGuest joins the guest's cart with the customer's, once: after a sign-in. It gives what did not fit. */
export async function mergeGuest(shop: string): Promise<string[]> {
  const token = guestToken.get();
  if (!token) return [];
  try {
    const { body } = await ask<{ body: { leftOut: { titleEn: string | null; titleFa: string }[] } }>(
      `mutation($shop: ID!, $token: String!) {
        body: mergeCart(businessId: $shop, cartToken: $token) { leftOut { titleEn titleFa } } }`,
      { shop, token },
    );
    return body.leftOut.map((line) => line.titleEn ?? line.titleFa);
  } catch (error) {
    if (error instanceof Failure && error.code === "NOT_FOUND") return []; // another tab was first
    throw error;
  } finally {
    guestToken.set(null);
  }
}
