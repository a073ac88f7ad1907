// A headless storefront over GraphQL: a home page and a product page, each in one request, then a first order.
// Documents are typed by src/graphql, which is made from schema.graphql; urql sends them.
import { Client, fetchExchange } from "@urql/core";
import { graphql } from "./graphql/index.js";

const base = process.argv[2] ?? "http://127.0.0.1:8080";
const domain = process.argv[3] ?? "paperlane.example";

let session: { accessToken: string; refreshToken: string } | undefined;
let refreshing: Promise<void> | undefined;

/**
 * send is fetch with the access token. If the token has expired (after 15 minutes), it refreshes the session and sends
 * the request again. A refresh token is valid once, so concurrent requests share one refresh.
 */
async function send(url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const used = session?.accessToken;
  const once = () =>
    fetch(url, {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        ...(session && { Authorization: `Bearer ${session.accessToken}` }),
      },
    });
  const answer = await once();
  if (!session || !(await answer.clone().text()).includes('"UNAUTHENTICATED"')) {
    return answer;
  }
  if (session.accessToken === used) {
    await (refreshing ??= refresh().finally(() => (refreshing = undefined)));
  }
  return once();
}

async function refresh(): Promise<void> {
  const { refreshTokens } = await ok(
    new Client({ url: `${base}/graphql`, exchanges: [fetchExchange], preferGetMethod: false }).mutation(
      graphql(`
        mutation Refresh($refreshToken: String!) {
          refreshTokens(input: { refreshToken: $refreshToken }) { accessToken refreshToken }
        }
      `),
      { refreshToken: session!.refreshToken },
    ),
  );
  session = refreshTokens;
}

const client = new Client({
  url: `${base}/graphql`,
  exchanges: [fetchExchange],
  preferGetMethod: false,
  fetch: send,
});

/** ok gives the data of an answer, or ends with what the service says is wrong. */
async function ok<T>(request: PromiseLike<{ data?: T | undefined; error?: Error | undefined }>): Promise<T> {
  const { data, error } = await request;
  if (error || data === undefined) {
    throw error ?? new Error("no answer");
  }
  return data;
}

/** found gives a record that was looked up: it is null only beside its error, with which ok has ended already. */
function found<T>(record: T | null | undefined): T {
  if (record == null) {
    throw new Error("null without an error");
  }
  return record;
}

const { tenant } = await ok(
  client.query(
    graphql(`
      query HomePage($domain: String!) {
        tenant(domain: $domain) {
          name nameFa
          sliders { slides { title imageUrl linkUrl } }
          storeSpecials { title items { titleEn price priceCurrency } }
          storeItems(inStock: true, pageSize: 3) { total items { id productSlug titleEn titleFa price priceCurrency } }
        }
      }
    `),
    { domain },
  ),
);
const home = found(tenant);
console.log(
  `home page of ${home.name} (${home.nameFa}):`,
  `${home.sliders.length} sliders, ${home.storeSpecials.length} specials`,
);
for (const item of home.storeItems.items) {
  console.log(`  ${item.titleEn ?? item.titleFa}  ${item.price} ${item.priceCurrency}`);
}
const chosen = home.storeItems.items.find((item) => item.price != null);
if (!chosen) {
  throw new Error("nothing here has a price");
}

const { tenant: shop } = await ok(
  client.query(
    graphql(`
      query ProductPage($domain: String!, $slug: String!) {
        tenant(domain: $domain) {
          product(slug: $slug) {
            titleEn titleFa summary ratingAverage ratingCount
            variations { name values { label inStock } }
            variants { sku price priceCurrency inStock stockQuantity }
            expertReviews { authorName rate text }
            related { slug titleEn }
          }
        }
      }
    `),
    { domain, slug: chosen.productSlug },
  ),
);
const product = found(found(shop).product);
console.log(
  `product page of ${product.titleEn ?? product.titleFa}: ${product.variants.length} variants,`,
  `${product.expertReviews.length} reviews, ${product.related.length} related`,
);

const { register } = await ok(
  client.mutation(
    graphql(`
      mutation SignUp($input: RegisterInput!) {
        register(input: $input) {
          ... on Registered { accessToken refreshToken }
          ... on LinkPending { message }
        }
      }
    `),
    {
      input: {
        cellNumber: `+98912${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`,
        password: crypto.randomUUID(),
        firstName: "Sara",
        lastName: "Ahmadi",
        domain,
      },
    },
  ),
);
if (!("accessToken" in register) || !register.accessToken || !register.refreshToken) {
  throw new Error("this cell number has an account already; run it again");
}
session = { accessToken: register.accessToken, refreshToken: register.refreshToken };

const { addToCart } = await ok(
  client.mutation(
    graphql(`
      mutation Add($domain: String!, $variant: ID!) {
        addToCart(domain: $domain, items: [{ storeItemVariantId: $variant }]) {
          cart { totalQuantity subtotal priceCurrency }
        }
      }
    `),
    { domain, variant: chosen.id },
  ),
);
console.log(`cart: ${addToCart.cart.totalQuantity} for ${addToCart.cart.subtotal} ${addToCart.cart.priceCurrency}`);

const { checkout } = await ok(
  client.mutation(
    graphql(`
      mutation Order($domain: String!, $input: CheckoutInput!) {
        checkout(domain: $domain, input: $input) { order { orderNumber status total priceCurrency } }
      }
    `),
    {
      domain,
      input: {
        shippingAddress: {
          province: "تهران",
          city: "تهران",
          address: "خیابان آزادی، پلاک ۱",
        },
        payment: { type: "cash" },
      },
    },
  ),
);
console.log(
  `order ${checkout.order.orderNumber}: ${checkout.order.status},`,
  `${checkout.order.total} ${checkout.order.priceCurrency}`,
);

session.accessToken = "ended"; // as it is after 15 minutes: both requests go on by one refresh
const name = ok(client.query(graphql(`query Name { me { firstName } }`), {}));
const page = await ok(
  client.query(
    graphql(`
      query CustomerPage($domain: String!) {
        cart(domain: $domain) { totalQuantity }
        me {
          firstName
          addresses { city address }
          orders(domain: $domain) { total items { orderNumber status history { status at } } }
          favorites(domain: $domain) { total }
        }
      }
    `),
    { domain },
  ),
);
const me = found(page.me);
if (found((await name).me).firstName !== me.firstName) {
  throw new Error("two requests that were sent at once are of two customers");
}
const [cart, orders, favorites] = [found(page.cart), found(me.orders), found(me.favorites)];
console.log(
  `customer page of ${me.firstName}: ${orders.total} order, ${cart.totalQuantity} in the cart,`,
  `${favorites.total} favorites`,
);
