import { Cart, type Asker, type CartView, type Fragment, type KeptCart } from "./cart.js";
import {
  Checkout,
  type CheckoutInput,
  type DeliveryPlace,
  type OrderView,
  type PayPage,
  type Quote,
} from "./checkout.js";
import { prepare, type TypedDocument } from "./document.js";
import { isCode, StorefrontError } from "./errors.js";
import { usualLock, type Lock } from "./lock.js";
import { tagOf } from "./money.js";
import { isOver, Session, sidOf, type Tokens } from "./session.js";
import { Kept, usualStorage, type KeyValueStorage } from "./storage.js";
import { failed, reasonOf, send, type Service } from "./transport.js";
import { put, type Uploaded, type UploadLink } from "./upload.js";

/** What a client is made of. Only `url` and `domain` have to be said. */
export interface StorefrontOptions<C = CartView, O = OrderView> {
  /** The address of the service: GraphQL is at `graphql` below it. */
  url: string | URL;
  /** The shop's domain. */
  domain: string;
  /** The language of messages, such as `fa`. Usually that of the page, `<html lang>`. */
  language?: string | (() => string);
  /** A fragment on `Cart`: the fields that are read of each cart. */
  cart?: Fragment<C>;
  /** A fragment on `Order`: the fields that `checkout` returns. */
  order?: Fragment<O>;
  /** Where session and cart are kept: usually `localStorage`, or the program's memory where there is none. */
  storage?: KeyValueStorage;
  /** Lets tabs take turns: usually `navigator.locks`. */
  lock?: Lock;
  fetch?: typeof fetch;
  /** How long an answer may take, in milliseconds; usually 15,000. */
  timeout?: number;
}

/** How a document is asked. */
export interface AskOptions {
  /** An `Idempotency-Key`: by it a mutation of a customer is done once, however often it is sent. */
  key?: string;
  signal?: AbortSignal;
}

/** The variables that a client fills in by itself, where a document declares them. */
export type Filled = "domain" | "cartToken" | "hasCart";

/**
 * The variables of a document that its caller gives; `domain`, `cartToken` and `hasCart` need not be among
 * them.
 */
export type Given<V> = Omit<V, Filled> & Partial<Pick<V, Filled & keyof V>>;

/** A shop, as a visitor or a customer uses it. */
export class Storefront<C = CartView, O = OrderView> {
  readonly domain: string;
  readonly session: Session;
  readonly cart: Cart<C>;
  /** Stops listening to other tabs, so that the client can be garbage collected. */
  readonly close: () => void;
  #service: Service;
  #tokens: Kept<Tokens>;
  #checkout: Checkout<C, O>;

  constructor(options: StorefrontOptions<C, O>) {
    const {
      domain,
      storage = usualStorage(),
      lock = usualLock(),
      language,
      fetch = globalThis.fetch,
    } = options;
    const base = String(options.url).replace(/\/*$/, "/");
    const ofPage = () => globalThis.document?.documentElement.lang ?? "";
    const said = typeof language === "string" ? () => language : (language ?? ofPage);
    this.domain = domain;
    this.#service = {
      url: new URL("graphql", base),
      fetch,
      timeout: options.timeout ?? 15_000,
      language: () => said() && tagOf(said()),
    };
    this.#tokens = new Kept(storage, "storefront.session");
    const lockHere: Lock = (name, work) => lock(`storefront.${name}`, work);
    const asker: Asker = {
      ask: (text, variables, more) => this.ask(text, variables, more),
      isSignedIn: () => this.session.isSignedIn,
      asNow: (work) => {
        const sid = sidOf(this.#tokens.get());
        return async () => {
          if (sid !== null && sid !== sidOf(this.#tokens.get())) throw this.#left();
          return work();
        };
      },
      language: this.#service.language,
      lock: lockHere,
    };
    const cart = new Kept<KeptCart>(storage, `storefront.cart.${domain}`);
    this.close = () => [this.#tokens, cart].forEach((kept) => kept.close());
    this.cart = new Cart(asker, cart, options.cart);
    this.session = new Session(this.#service, this.#tokens, lockHere, domain, () => this.cart.merge());
    this.session.subscribe((elsewhere) => this.cart.reset(elsewhere));
    this.#checkout = new Checkout(asker, this.cart, options.order);
  }

  /**
   * Sends a document, and fails with a StorefrontError. A session whose access token has ended is refreshed; a
   * query whose answer was lost is sent again, and so is a mutation with a `key`. Nothing that one customer asked
   * is sent as another: it is `UNAUTHENTICATED`. Where the session cannot be refreshed for now, what is public is
   * asked as a visitor.
   *
   * What a document declares of `$domain`, `$cartToken` and `$hasCart` is filled in. What it reads by
   * `cart(domain: $domain, cartToken: $cartToken) @include(if: $hasCart)` is `cart.current` from then on: a
   * page and its cart are one request. Parsed documents are sent without what `@include` leaves out; where
   * nothing is left nothing is sent, and the answer is empty.
   */
  ask<T = unknown>(document: string, variables?: Record<string, unknown>, options?: AskOptions): Promise<T>;
  ask<T, V>(document: TypedDocument<T, V>, variables?: Given<V>, options?: AskOptions): Promise<T>;
  async ask(document: unknown, variables: object = {}, options: AskOptions = {}): Promise<unknown> {
    const { signal } = options;
    if (signal?.aborted) throw reasonOf(signal);
    const answer = this.#askFresh(document, variables, options);
    if (!signal) return answer;
    let leave = () => {};
    const left = new Promise<never>((_, end) => (leave = () => end(reasonOf(signal))));
    signal.addEventListener("abort", leave);
    return Promise.race([answer, left]).finally(() => signal.removeEventListener("abort", leave));
  }

  async #askFresh(document: unknown, variables: object, options: AskOptions): Promise<unknown> {
    const first = this.#tokens.get();
    const own = () => prepare(document, variables as Record<string, unknown>);
    let tokens = first;
    for (let isRefused = false; ;) {
      try {
        if (tokens && (isRefused || isOver(tokens))) await this.session.refresh(tokens);
      } catch (cause) {
        // The session could not be refreshed for now.
        const asked = this.#prepare(document, variables, null, null);
        if (!asked.isPublic || !asked.text) throw cause;
        return send(this.#service, asked, options);
      }
      tokens = this.#tokens.get();
      // A visitor may go on with a query, nobody with what somebody else asked.
      if (first && sidOf(tokens) !== sidOf(first) && (tokens || own().isMutation)) throw this.#left();
      try {
        return await this.#ask(document, variables, tokens, options);
      } catch (cause) {
        if (isRefused || !tokens || !isCode(cause, "UNAUTHENTICATED") || !own().isOne) throw cause;
        isRefused = true;
      }
    }
  }

  #left = () => failed(this.#service, "UNAUTHENTICATED");

  #prepare(document: unknown, variables: object, tokens: Tokens | null, token: string | null) {
    const filled = { domain: this.domain, cartToken: token, hasCart: Boolean(tokens ?? token) };
    return prepare(document, { ...filled, ...variables });
  }

  async #ask(
    document: unknown,
    variables: object,
    tokens: Tokens | null,
    options: AskOptions,
  ): Promise<unknown> {
    const token = tokens ? null : this.cart.token;
    const asked = this.#prepare(document, variables, tokens, token);
    if (!asked.text) return {};
    const reading = !asked.isMutation && "cartToken" in asked.variables ? this.cart.begin() : undefined;
    const take = (data: unknown) => {
      const { cart } = data as { cart?: C | null };
      if (reading && cart !== undefined) this.cart.show(reading, cart);
    };
    try {
      const data = await send(this.#service, asked, {
        ...options,
        accessToken: tokens?.accessToken,
        allows: ({ code, path }) => {
          const hasEnded =
            Boolean(reading) && token !== null && code === "NOT_FOUND" && String(path) === "cart";
          if (hasEnded) this.cart.forget(token!);
          return hasEnded;
        },
      });
      take(data);
      return data;
    } catch (cause) {
      const data = cause instanceof StorefrontError && (cause.data as { cart?: C | null } | null);
      if (data && data.cart) take(data); // null may be the failure itself
      throw cause;
    }
  }

  /**
   * Orders what is in the customer's cart. Sent again with the same input, after a lost answer or by a second
   * click, it is the same order. `PRICE_CHANGED`: the cart has been read again; show it and what it costs now, then
   * ask again.
   */
  checkout(input: CheckoutInput): Promise<O> {
    return this.#checkout.place(input);
  }

  /** Returns what the cart costs as an order, and what delivery costs by each method of the shop. */
  quote(place: DeliveryPlace = {}): Promise<Quote> {
    return this.#checkout.quote(place);
  }

  /**
   * Returns the page where an order of the customer can be paid at a gateway: send the customer to its `payUrl`. From
   * there they come to `returnUrl`, or to the shop's page for orders, with `order`, its number, and `state` (`paid`,
   * `waiting`, `notPaid`) in the query. Anybody can write these: show what the order itself says.
   */
  beginPayment(orderId: string, returnUrl?: string | null): Promise<PayPage> {
    return this.#checkout.pay(orderId, returnUrl ?? null);
  }

  /** Uploads an image for a listing of the customer's own: its `id` is the `mediaId`. */
  async uploadListingImage(file: Blob): Promise<Uploaded> {
    const { link } = await this.ask<{ link: UploadLink }>(
      `mutation($domain: String!) { link: createListingUpload(domain: $domain) { url maxBytes } }`,
    );
    return this.put(link, file);
  }

  /** Uploads a picture of the receipt of a transfer, by which an order of the customer's was paid. */
  async uploadReceipt(orderId: string, file: Blob): Promise<Uploaded> {
    const { link } = await this.ask<{ link: UploadLink }>(
      `mutation($domain: String!, $orderId: ID!) {
        link: createReceiptUpload(domain: $domain, orderId: $orderId) { url maxBytes } }`,
      { orderId },
    );
    return this.put(link, file);
  }

  /** Sends a file to an address for uploads, of a document of your own. */
  put(link: UploadLink, file: Blob): Promise<Uploaded> {
    return put(this.#service, link, file);
  }

  /** The whole address of an image, which may be a path of the service. */
  asset(url: string): string {
    return new URL(url, this.#service.url).href;
  }
}
