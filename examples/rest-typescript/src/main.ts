// A customer's first visit over REST: find something in stock, sign up, put it into the cart, order it.
// Paths, parameters, bodies and answers are typed by src/api.d.ts, which is made from the service's own /openapi.json.
import createClient, { type Middleware } from "openapi-fetch";
import type { paths } from "./api.js";

const base = process.argv[2] ?? "http://127.0.0.1:8080";
const domain = process.argv[3] ?? "paperlane.example";

const api = createClient<paths>({ baseUrl: `${base}/api/v1` });

/** ok gives the answer's body, or ends with what the service says is wrong. */
async function ok<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await request;
  if (data === undefined) {
    throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  }
  return data;
}

type Session = { accessToken: string; refreshToken: string };

/**
 * signedIn sends the access token with every request. If the token has expired (after 15 minutes), it refreshes the
 * session and sends the request again. A refresh token is valid once, so concurrent requests share one refresh.
 */
function signedIn(session: Session): Middleware {
  const copies = new WeakMap<Request, Request>();
  let refreshing: Promise<void> | undefined;
  const refresh = async () => {
    const next = await ok(createClient<paths>({ baseUrl: `${base}/api/v1` }).POST("/auth/refresh", {
      body: { refreshToken: session.refreshToken },
    }));
    Object.assign(session, { accessToken: next.accessToken, refreshToken: next.refreshToken });
  };
  return {
    onRequest({ request }) {
      request.headers.set("Authorization", `Bearer ${session.accessToken}`);
      copies.set(request, request.clone());
      return request;
    },
    async onResponse({ request, response }) {
      const again = copies.get(request);
      if (response.status !== 401 || !again) {
        return response;
      }
      if (again.headers.get("Authorization") === `Bearer ${session.accessToken}`) {
        await (refreshing ??= refresh().finally(() => (refreshing = undefined)));
      }
      again.headers.set("Authorization", `Bearer ${session.accessToken}`);
      return fetch(again);
    },
  };
}

const shop = await ok(api.GET("/tenants/{domain}", { params: { path: { domain } } }));
console.log(`shop: ${shop.name} (${shop.nameFa})`);

const found = await ok(
  api.GET("/tenants/{domain}/store-items", { params: { path: { domain }, query: { inStock: true, pageSize: 5 } } }),
);
console.log(`${found.total} variants in stock, the newest:`);
for (const item of found.items) {
  console.log(`  ${item.sku}  ${item.titleEn ?? item.titleFa}  ${item.price} ${item.priceCurrency}`);
}
const chosen = found.items.find((item) => item.price !== null);
if (!chosen) {
  throw new Error("nothing here has a price");
}

const registered = await ok(
  api.POST("/auth/register", {
    body: {
      cellNumber: `+98912${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`,
      password: crypto.randomUUID(),
      firstName: "Sara",
      lastName: "Ahmadi",
      domain,
    },
  }),
);
if (!registered.accessToken || !registered.refreshToken) {
  throw new Error("this cell number has an account already; run it again");
}
const session: Session = { accessToken: registered.accessToken, refreshToken: registered.refreshToken };
api.use(signedIn(session));
const business = { path: { businessId: registered.registeredBusiness.id } };

const { cart } = await ok(
  api.POST("/businesses/{businessId}/cart/items", { params: business, body: { storeItemVariantId: chosen.id } }),
);
console.log(
  `cart: ${cart.totalQuantity} × ${cart.items[0]?.titleEn ?? chosen.titleFa},`,
  `${cart.subtotal} ${cart.priceCurrency}`,
);

const { order } = await ok(
  api.POST("/businesses/{businessId}/cart/checkout", {
    params: business,
    headers: { "Idempotency-Key": crypto.randomUUID() },
    body: {
      shippingAddress: { province: "تهران", city: "تهران", address: "خیابان آزادی، پلاک ۱" },
      payment: { type: "cash" },
    },
  }),
);
console.log(`order ${order.orderNumber}: ${order.status}, ${order.total} ${order.priceCurrency}`);

session.accessToken = "ended"; // as it is after 15 minutes: both requests go on by one refresh
const profile = ok(api.GET("/auth/me"));
const orders = await ok(api.GET("/businesses/{businessId}/orders", { params: business }));
console.log(`orders of ${(await profile).user.firstName} so far: ${orders.total}`);
