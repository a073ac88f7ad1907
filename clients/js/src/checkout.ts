import { money, type Asker, type Cart, type Fragment } from "./cart.js";
import { fragmentOf } from "./document.js";
import { isCode } from "./errors.js";
import type { Money } from "./money.js";
import { newKey } from "./transport.js";

/** Where an order goes, and how it is paid. */
export interface CheckoutInput {
  /** A saved address, or one for this order only. */
  addressId?: string;
  shippingAddress?: {
    province: string;
    city: string;
    address: string;
    postalCode?: string | null;
    landline?: string | null;
    /** The city or province of the tree; absent: it is found by the names. */
    locationId?: string | null;
  };
  /** One of the cart's `deliveryOptions`; absent: the first that takes the order. */
  deliveryMethodId?: string | null;
  /** The total that the customer was shown: of the `bill`. If the order comes to another one, it is `PRICE_CHANGED`. */
  expectedTotal: Money;
  customerNotes?: string | null;
  payment: {
    type: "cash" | "e_payment_gate" | "pos" | "transfer" | (string & {});
    posType?: string | null;
    transferAccount?: string | null;
    transferRefNumber?: string | null;
    gatewayType?: string | null;
    notes?: string | null;
  };
}

/** An order, as a client gives it that is given no fragment of its own. */
export interface OrderView {
  id: string;
  orderNumber: string;
  status: string;
  totalMoney: Money;
}

/** What a delivery method of the shop costs for a cart. */
export interface DeliveryOption {
  /** The `deliveryMethodId` of a checkout. */
  id: string;
  /** In the client's language. */
  name: string;
  kind: "flat" | "steps" | "freight_collect" | "pick_up" | (string & {});
  /** Null: the order cannot have the method, and `refusal` says why. */
  priceMoney: Money | null;
  /** The subtotal from which it costs nothing. */
  freeFromMoney: Money | null;
  /** The days that it takes, at least and at most. */
  daysFrom: number | null;
  daysTo: number | null;
  refusal: "OTHER_PLACE" | "TOO_HEAVY" | "OTHER_CURRENCY" | (string & {}) | null;
}

/** What an order costs besides its lines. */
export interface BillCharge {
  kind: "delivery" | "tax" | (string & {});
  /** The variant of the line that it is of; null: it is of the whole order. */
  storeItemVariantId: string | null;
  /** In the client's language. */
  name: string;
  amountMoney: Money;
  /** Of a tax: parts per million. */
  rate: number | null;
  /** The prices contain it, so that it is not part of the total. */
  included: boolean;
}

/** What an order of the cart comes to. */
export interface Bill {
  subtotalMoney: Money;
  charges: BillCharge[];
  /** The `expectedTotal` of a checkout. */
  totalMoney: Money;
  /** The delivery method; null: the shop has none, or none takes the order, so that it cannot be placed. */
  deliveryMethodId: string | null;
}

/** What the cart costs at a place. */
export interface Quote {
  /** None: the shop has no delivery methods. */
  deliveryOptions: DeliveryOption[];
  /** Null: nothing in the cart can be bought. */
  bill: Bill | null;
}

/** Where a cart may be delivered: a saved address, a location of the tree, or names. */
export interface DeliveryPlace {
  /** The method of the bill; absent: the first that takes the order. */
  deliveryMethodId?: string | null;
  addressId?: string | null;
  to?: { locationId?: string | null; province?: string | null; city?: string | null } | null;
}

/** Where an order can be paid at a gateway, or why it cannot. */
export interface PayPage {
  payUrl: string | null;
  payUrlReason: string | null;
}

const usual = `fragment OrderView on Order { id orderNumber status totalMoney ${money} }`;

/** @internal Checkout turns a cart into one order, however often it is called. */
export class Checkout<C, O> {
  #asker: Asker;
  #cart: Cart<C>;
  #fragment: { name: string; text: string };
  // What was sent and not answered yet, or answered by an error.
  #open: { input: string; changes: number; content: string; key: string } | undefined;

  constructor(asker: Asker, cart: Cart<C>, fragment: Fragment<O> | undefined) {
    this.#asker = asker;
    this.#cart = cart;
    this.#fragment = fragmentOf(fragment ?? usual);
  }

  async place(input: CheckoutInput): Promise<O> {
    const open = (this.#open = this.#sameAs(JSON.stringify(input)));
    const { sessions } = this.#cart;
    try {
      const { checkout } = await this.#asker.ask<{ checkout: { order: O } }>(
        `mutation($domain: String!, $input: CheckoutInput!) {
          checkout(domain: $domain, input: $input) { order { ...${this.#fragment.name} } } } ${this.#fragment.text}`,
        { input: { ...input, expectedTotal: Number(input.expectedTotal.amount) } },
        { key: open.key },
      );
      if (this.#open === open) this.#open = undefined;
      this.#cart.changed(null, sessions);
      return checkout.order;
    } catch (cause) {
      const moved = [
        "PRICE_CHANGED",
        "INSUFFICIENT_STOCK",
        "MAX_ORDER_QUANTITY_EXCEEDED",
        "ITEM_UNAVAILABLE",
      ];
      if (isCode(cause, ...moved)) await this.#cart.read().catch(() => {});
      throw cause;
    }
  }

  async quote(place: DeliveryPlace): Promise<Quote> {
    // Its other name keeps it from being taken for the cart of the page.
    const { priced } = await this.#asker.ask<{ priced: Quote | null }>(
      `query($domain: String!, $cartToken: String, $deliveryMethodId: ID, $addressId: ID, $to: DeliveryPlaceInput) {
        priced: cart(domain: $domain, cartToken: $cartToken) {
          deliveryOptions(addressId: $addressId, to: $to) {
            id name(language: requested) kind priceMoney ${money} freeFromMoney ${money} daysFrom daysTo refusal }
          bill(deliveryMethodId: $deliveryMethodId, addressId: $addressId, to: $to) {
            subtotalMoney ${money} totalMoney ${money} deliveryMethodId
            charges { kind storeItemVariantId name(language: requested) amountMoney ${money} rate included } } } }`,
      { ...place },
    );
    return priced ?? { deliveryOptions: [], bill: null };
  }

  async pay(orderId: string, returnUrl: string | null): Promise<PayPage> {
    const { begun } = await this.#asker.ask<{ begun: { order: { payment: PayPage } } }>(
      `mutation($domain: String!, $orderId: ID!, $returnUrl: String) {
        begun: beginPayment(domain: $domain, orderId: $orderId, returnUrl: $returnUrl) {
          order { payment { payUrl payUrlReason } } } }`,
      { orderId, returnUrl },
      { key: newKey() },
    );
    return begun.order.payment;
  }

  /**
   * sameAs returns the attempt of which this is a repetition, with its key, or a new one: the same input for
   * the same cart, or for one that is empty by now, as the order whose answer was lost has emptied it. A cart
   * that was changed since, in any tab, is another order.
   */
  #sameAs(input: string) {
    const { changes, content } = this.#cart;
    const open = this.#open;
    const isCart = open?.changes === changes && (open.content === content || content === "");
    return open?.input === input && isCart ? open : { input, changes, content, key: newKey() };
  }
}
