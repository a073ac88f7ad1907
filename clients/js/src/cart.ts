import { fragmentOf, type TypedDocument } from "./document.js";
import { isCode } from "./errors.js";
import { lockInProcess, type Lock } from "./lock.js";
import type { Money } from "./money.js";
import type { Kept } from "./storage.js";
import { newKey } from "./transport.js";

/** A line of a cart: one variant and its units. */
export interface CartLine {
  id: string;
  storeItemVariantId: string;
  productSlug: string;
  /** In the client's language, as are all texts. */
  title: string;
  quantity: number;
  /** The most that can be ordered now. */
  availableQuantity: number;
  lineTotalMoney: Money | null;
  /** Why the line cannot be ordered as it is: `PRICE_CHANGED`, `INSUFFICIENT_STOCK`, … */
  warning: string | null;
  options: { label: string }[];
  image: {
    url: string;
    alt: string | null;
    width: number | null;
    height: number | null;
    placeholderColor: string | null;
  } | null;
}

/** A cart, as a client reads it that is given no fragment of its own. */
export interface CartView {
  id: string;
  /** Units of all lines. */
  totalQuantity: number;
  subtotalMoney: Money | null;
  items: CartLine[];
}

/** What of a guest's cart is not in the customer's. */
export interface LeftOut {
  storeItemVariantId: string;
  productSlug: string;
  /** In the client's language. */
  title: string;
  requested: number;
  taken: number;
  reason: string;
}

/** @internal */
export const money = "{ amount currency decimals minor }";

const usual = `fragment CartView on Cart { id totalQuantity subtotalMoney ${money} items {
  id storeItemVariantId productSlug title quantity availableQuantity lineTotalMoney ${money} warning
  options { label(language: requested) }
  image { url alt(language: requested) width height placeholderColor } } }`;

/** The members of what a cart holds that may be in the language of the page. */
const inLanguage = /^(title|summary|description|(brand|category)?name|label|unit|display|alt)$/i;

/** A fragment on a type of the service: a text, or a typed document. */
export type Fragment<T> = string | TypedDocument<T, never> | TypedDocument<T>;

/** @internal The stored state of a guest's cart; `changed` notifies other tabs. */
export interface KeptCart {
  token: string | null;
  changed: number;
}

/** @internal What a cart needs of its client. */
export interface Asker {
  ask<T>(document: string, variables: Record<string, unknown>, options?: { key?: string }): Promise<T>;
  isSignedIn(): boolean;
  /** Returns work that fails where the customer of now has left before it begins. */
  asNow<T>(work: () => Promise<T>): () => Promise<T>;
  language(): string;
  lock: Lock;
}

/**
 * The cart of the customer who is signed in, else of the guest, whose token is kept in the client's storage. A
 * guest's is merged with the customer's at sign-in. All tabs show the same.
 */
export class Cart<C> {
  #asker: Asker;
  #kept: Kept<KeptCart>;
  #fragment: { name: string; text: string };
  #heard = new Set<() => void>();
  #current: C | null | undefined;
  #inTurn = lockInProcess();
  #asked = 0; // readings that were sent
  #shown = 0; // the latest of them that was shown
  #changes = 0;
  #sessions = 0; // how often somebody signed in or out

  /** @internal */
  constructor(asker: Asker, kept: Kept<KeptCart>, fragment: Fragment<C> | undefined) {
    this.#asker = asker;
    this.#kept = kept;
    this.#fragment = fragmentOf(fragment ?? usual);
    kept.subscribe((elsewhere) => elsewhere && this.#again());
  }

  /** The cart as it was last read: null if it is empty, undefined if it has not been read yet. */
  get current(): C | null | undefined {
    return this.#current;
  }

  /** The guest's token, which opens the cart: a secret. */
  get token(): string | null {
    return this.#kept.get()?.token ?? null;
  }

  /** Calls heard whenever `current` is another one, until the returned function is called. */
  subscribe(heard: () => void): () => void {
    this.#heard.add(heard);
    return () => void this.#heard.delete(heard);
  }

  /** Reads the cart. A document of a page that asks for `cart` does this as well: see `Storefront.ask`. */
  async read(): Promise<C | null> {
    await this.#mergeLate();
    if (!this.#asker.isSignedIn() && !this.token) return this.show(this.begin(), null);
    const { cart } = await this.#asker.ask<{ cart: C | null }>(
      `query($domain: String!, $cartToken: String) { cart(domain: $domain, cartToken: $cartToken) ${this.#fields} }
        ${this.#fragment.text}`,
      {},
    );
    return cart;
  }

  /**
   * Adds variants to the cart, all or none; the first makes a guest's cart. `details` of a refusal name each
   * variant that cannot be had.
   */
  add(...items: { storeItemVariantId: string; quantity?: number }[]): Promise<C> {
    const change = () =>
      this.#change("addToCart", "$items: [CartItemInput!]!", "items: $items", { items }, "cartToken");
    return this.#queue(async () => {
      await this.#mergeLate();
      const { token } = this;
      // Two tabs of a new guest make one cart.
      if (!token && !this.#asker.isSignedIn()) return this.#asker.lock("cart", change);
      try {
        return await change();
      } catch (cause) {
        if (token && token !== this.token) return change(); // the guest's cart had ended: a new one
        throw cause;
      }
    });
  }

  /** Sets the units of a line; 0 takes it out. */
  set(lineId: string, quantity: number): Promise<C> {
    const [declared, given] = ["$itemId: ID! $quantity: Int!", "itemId: $itemId, quantity: $quantity"];
    const variables = { itemId: lineId, quantity };
    return this.#queue(() => this.#change("setCartQuantity", declared, given, variables));
  }

  /** Takes everything out. */
  empty(): Promise<C> {
    return this.#queue(() => this.#change("emptyCart", "", "", {}));
  }

  /** @internal Merges the guest's cart into the customer's, and retries later if that fails. */
  async merge(): Promise<LeftOut[]> {
    const { token } = this;
    if (!token) return [];
    try {
      const { leftOut } = await this.#send<{ cart: C; leftOut: LeftOut[] }>(
        `mutation($domain: String!, $token: String!) { changed: mergeCart(domain: $domain, cartToken: $token) {
          cart ${this.#fields} leftOut { storeItemVariantId productSlug title requested taken reason } } }
          ${this.#fragment.text}`,
        { token },
        { key: newKey() },
        () => (this.token === token ? null : this.token),
      );
      return leftOut;
    } catch (cause) {
      if (isCode(cause, "NOT_FOUND")) this.forget(token); // another tab was first, or it has ended
      return [];
    }
  }

  /** @internal forget drops the token of a cart that is no more. */
  forget(token: string): void {
    if (this.token === token) this.#keep(null);
  }

  /** @internal begin notes that the cart is asked for; show takes the turn with the answer. */
  begin(): { turn: number; changes: number } {
    return { turn: ++this.#asked, changes: this.#changes };
  }

  /** @internal Replaces the current cart by an answer, unless the answer is older. */
  show({ turn, changes }: { turn: number; changes: number }, cart: C | null): C | null {
    if (changes === this.#changes && turn > this.#shown) {
      this.#shown = turn;
      this.#tell(cart);
    }
    return cart;
  }

  /**
   * @internal changed shows the cart after a change, here and in other tabs, unless somebody signed in or out since it
   * was sent, when there had been so many sessions.
   */
  changed(cart: C | null, sessions: number, token = this.token): void {
    this.#keep(token);
    if (sessions !== this.#sessions) return this.#again();
    this.#changes++;
    this.#tell(cart);
  }

  /** @internal How often somebody has signed in or out. */
  get sessions(): number {
    return this.#sessions;
  }

  /** @internal Clears the cart after a sign-in or sign-out. */
  reset(elsewhere: boolean): void {
    this.#sessions++;
    this.#changes++;
    this.#tell(undefined);
    if (elsewhere) this.#again();
  }

  /** @internal How often this browser has changed the cart, in any tab. */
  get changes(): number {
    return this.#kept.get()?.changed ?? 0;
  }

  /** @internal A text for each content, the same in each language; empty: nothing is in the cart. */
  get content(): string {
    const cart = this.#current as { totalQuantity?: number } | null | undefined;
    if (cart === null || cart?.totalQuantity === 0) return "";
    return String(JSON.stringify(cart, (name, value) => (inLanguage.test(name) ? undefined : value)));
  }

  get #fields(): string {
    return `{ id totalQuantity ...${this.#fragment.name} }`;
  }

  async #change(name: string, declared: string, given: string, variables: object, more = ""): Promise<C> {
    try {
      const { cart } = await this.#send<{ cart: C; cartToken?: string | null }>(
        `mutation($domain: String!, $cartToken: String ${declared}) {
          changed: ${name}(domain: $domain, cartToken: $cartToken ${given}) { ${more} cart ${this.#fields} } }
          ${this.#fragment.text}`,
        { ...variables },
        this.#asker.isSignedIn() ? { key: newKey() } : {}, // a guest's would be done again
        ({ cartToken }) => cartToken ?? this.token,
      );
      return cart;
    } catch (cause) {
      // Perhaps the cart is no more: then it is forgotten.
      if (isCode(cause, "NOT_FOUND")) await this.read().catch(() => {});
      throw cause;
    }
  }

  /** Sends a change, and shows the cart after it, in the language that the page has by then. */
  async #send<T extends { cart: C }>(
    document: string,
    variables: Record<string, unknown>,
    options: { key?: string },
    tokenAfter: (changed: T) => string | null,
  ): Promise<T> {
    const [language, sessions] = [this.#asker.language(), this.#sessions];
    const { changed } = await this.#asker.ask<{ changed: T }>(document, variables, options);
    this.changed(changed.cart, sessions, tokenAfter(changed));
    if (this.#asker.language() !== language) this.read().catch(() => {}); // it has other texts by now
    return changed;
  }

  /** queue does one change after another. */
  #queue<T>(change: () => Promise<T>): Promise<T> {
    return this.#inTurn("cart", this.#asker.asNow(change));
  }

  async #mergeLate(): Promise<void> {
    if (this.#asker.isSignedIn() && this.token) await this.merge();
  }

  #keep(token: string | null): void {
    this.#kept.set({ token, changed: (this.#kept.get()?.changed ?? 0) + 1 });
  }

  #again(): void {
    if (this.#heard.size) this.read().catch(() => {}); // the next page reads it
  }

  #tell(cart: C | null | undefined): void {
    this.#current = cart;
    for (const heard of [...this.#heard]) heard();
  }
}
