// From the cart to an order: cart, checkout, and the order itself.
import { Fragment } from "preact";
import { useEffect, useReducer, useState } from "preact/hooks";
import type { BillCharge } from "storefront-client";
import { Choices, Form } from "./form";
import { CartFields, Frame, graphql, MoneyFields, shop } from "./shop";
import { go, Link, Picture, Price, Title, useData, useHere, useNumber, usePage, useWords } from "./ui";

const warnings: Record<string, string> = {
  PRICE_CHANGED: "The price has changed",
  INSUFFICIENT_STOCK: "Less is in stock",
  MAX_ORDER_QUANTITY_EXCEEDED: "More than may be ordered at once",
  UNAVAILABLE: "Not on sale any more",
};

const CartDocument = graphql(
  `query Cart($domain: String!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
    cart(domain: $domain, cartToken: $cartToken) @include(if: $hasCart) { ...CartFields }
  }`,
  [Frame, CartFields],
);

export function CartPage() {
  const [word, number, { say }] = [useWords(), useNumber(), useHere()];
  const { waiting } = usePage(CartDocument, {});
  const cart = shop.cart.current; // as it is after each change
  if (waiting && !cart) return <div class="waiting" />;
  if (!cart || cart.items.length === 0)
    return (
      <div class="empty">
        <Title text={word("Cart")} />
        <p>{word("Your cart is empty.")}</p>
        <Link to="/" class="button">
          {word("Home")}
        </Link>
      </div>
    );
  const change = async (line: string, quantity: number) => {
    try {
      await shop.cart.set(line, quantity);
    } catch (error) {
      say((error as Error).message);
    }
  };
  return (
    <div class="cart">
      <Title text={word("Cart")} />
      <ul class="lines">
        {cart.items.map((line) => (
          <li key={line.id}>
            <Picture of={line.image} title={line.title} />
            <div>
              <Link to={`/p/${encodeURIComponent(line.productSlug)}`}>
                <strong>{line.title}</strong>
              </Link>
              <small>{line.options.map((o) => o.label).join(" · ")}</small>
              {line.warning && <small class="warning">{word(warnings[line.warning] ?? line.warning)}</small>}
              <span class="quantity" aria-label={word("Quantity")}>
                <button type="button" aria-label="−" onClick={() => change(line.id, line.quantity - 1)}>
                  −
                </button>
                <output>{number(line.quantity)}</output>
                <button
                  type="button"
                  aria-label="+"
                  disabled={line.quantity >= line.availableQuantity}
                  onClick={() => change(line.id, line.quantity + 1)}
                >
                  +
                </button>
                <button type="button" class="plain" onClick={() => change(line.id, 0)}>
                  {word("Remove")}
                </button>
              </span>
            </div>
            <Price of={line.lineTotalMoney} />
          </li>
        ))}
      </ul>
      <footer>
        <span>{word("Subtotal")}</span>
        <Price of={cart.subtotalMoney} />
        <Link to={shop.session.isSignedIn ? "/checkout" : "/sign-in?to=/checkout"} class="button wide">
          {word("Check out")}
        </Link>
      </footer>
    </div>
  );
}

const CheckoutPage = graphql(
  `query Checkout($domain: String!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
    cart(domain: $domain, cartToken: $cartToken) @include(if: $hasCart) { ...CartFields }
    me { addresses { province city address } }
  }`,
  [Frame, CartFields],
);

export function Checkout() {
  const { data } = usePage(CheckoutPage, {});
  return data ? <Ordering known={data.me?.addresses[0]} /> : <div class="waiting" />;
}

/** payAtGateway sends the customer to the page where an order is paid, and from there back to the order. */
async function payAtGateway(id: string) {
  const { payUrl } = await shop.beginPayment(id, `${location.origin}/orders/${id}`);
  if (payUrl) location.assign(payUrl);
}

const reasons: Record<string, string> = {
  OTHER_PLACE: "Not to this address",
  TOO_HEAVY: "Too heavy for it",
  OTHER_CURRENCY: "Not in this currency",
};

/** Charges shows what an order costs besides its lines. */
function Charges({ of }: { of: Pick<BillCharge, "name" | "amountMoney" | "included">[] }) {
  const word = useWords();
  return (
    <>
      {of.map((charge, i) => (
        <Fragment key={i}>
          <span>
            {charge.name}
            {charge.included && ` (${word("included")})`}
          </span>
          <Price of={charge.amountMoney} />
        </Fragment>
      ))}
    </>
  );
}

function Ordering({ known }: { known: { province: string; city: string; address: string } | undefined }) {
  const [word, number] = [useWords(), useNumber()];
  const [payment, setPayment] = useState("cash");
  const [to, setTo] = useState({ province: known?.province, city: known?.city });
  const [method, setMethod] = useState<string>();
  const [asked, again] = useReducer<number, void>((n) => n + 1, 0);
  const cart = shop.cart.current;
  const ask = async () => {
    const quote = await shop.quote({ to, deliveryMethodId: method });
    const isRefused = method && !quote.bill?.deliveryMethodId; // the chosen one, at this address
    return isRefused ? shop.quote({ to }) : quote;
  };
  const quote = useData(JSON.stringify([to, method, asked, cart]), ask, "keep").data;
  const [options, bill] = [quote?.deliveryOptions ?? [], quote?.bill];
  const total = bill?.totalMoney ?? cart?.subtotalMoney ?? null;
  return (
    <div class="narrow">
      <Title text={word("Delivery")} />
      <Form
        button={word("Place the order")}
        changed={({ province, city }) => setTo({ province, city })}
        fields={[
          {
            name: "province",
            label: word("Province"),
            value: known?.province,
            autocomplete: "address-level1",
          },
          { name: "city", label: word("City"), value: known?.city, autocomplete: "address-level2" },
          { name: "address", label: word("Address"), value: known?.address, autocomplete: "street-address" },
        ]}
        send={async ({ province = "", city = "", address = "" }) => {
          try {
            const { id } = await shop.checkout({
              shippingAddress: { province, city, address },
              deliveryMethodId: bill?.deliveryMethodId,
              expectedTotal: total!,
              payment: { type: payment },
            });
            go(`/orders/${id}`);
            if (payment === "e_payment_gate") await payAtGateway(id);
          } catch (cause) {
            again(); // what it costs may have changed
            throw cause;
          }
        }}
      >
        {options.length > 0 && (
          <Choices
            legend={word("Delivery")}
            chosen={bill?.deliveryMethodId ?? undefined}
            choose={setMethod}
            of={options.map((o) => ({
              value: o.id,
              label: o.name,
              disabled: !o.priceMoney,
              about: (
                <>
                  {o.refusal ? word(reasons[o.refusal] ?? o.refusal) : null}
                  {o.kind === "freight_collect" ? word("Paid to the carrier") : null}
                  {o.priceMoney && o.kind !== "freight_collect" ? <Price of={o.priceMoney} /> : null}
                  {o.daysTo ? (
                    <bdi>
                      {" "}
                      {number(o.daysFrom ?? o.daysTo)}–{number(o.daysTo)} {word("days")}
                    </bdi>
                  ) : null}
                </>
              ),
            }))}
          />
        )}
        <Choices
          legend={word("Pay")}
          chosen={payment}
          choose={setPayment}
          of={[
            { value: "cash", label: word("Cash on delivery") },
            { value: "e_payment_gate", label: word("Payment gateway") },
          ]}
        />
        <p class="total" role="status">
          <Charges of={bill?.charges ?? []} />
          {word("Total")} <Price of={total} />
        </p>
      </Form>
    </div>
  );
}

const OrderDocument = graphql(
  `query Order($domain: String!, $id: ID!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
    me {
      order(domain: $domain, orderId: $id) {
        orderNumber status totalMoney { ...MoneyFields } createdAt shippingAddress { city address }
        charges { name(language: requested) amountMoney { ...MoneyFields } included }
        payment { type status payUrl payUrlReason refundedAmountMoney { ...MoneyFields } }
        items { id title quantity lineTotalMoney { ...MoneyFields } imageUrl }
      }
    }
  }`,
  [Frame, MoneyFields],
);

const unsure = 3000; // milliseconds after which an order is read again that a gateway may have been paid for

/**
 * OrderPage shows an order. A customer who comes back from a gateway has a state in the address: only whether it is
 * "waiting" says more than the order does.
 */
export function OrderPage({ id, state }: { id: string; state: string | null }) {
  const [word, number, { language, say }] = [useWords(), useNumber(), useHere()];
  const [read, again] = useReducer<number, void>((n) => n + 1, 0);
  const order = usePage(OrderDocument, { id }, "keep", read).data?.me?.order;
  const payment = order?.payment;
  const isWaiting = state === "waiting" && payment?.status === "pending" && order?.status !== "cancelled";
  useEffect(() => {
    const timer = isWaiting ? setTimeout(again, unsure) : undefined;
    return () => clearTimeout(timer);
  }, [isWaiting, read]);
  if (!order || !payment) return <div class="waiting" />;
  return (
    <div class="cart">
      <Title text={word("Thank you for your order")} />
      <p class="lead">
        {word("Order")} <b dir="ltr">{order.orderNumber}</b> · {word(order.status)} ·{" "}
        {new Date(order.createdAt).toLocaleDateString(language === "fa" ? "fa-IR" : "en")}
      </p>
      <p role="status">
        {payment.status === "paid" && <b>{word("Paid")}</b>}
        {payment.status === "pending" &&
          (isWaiting
            ? word("The gateway has not confirmed the payment yet.")
            : payment.type === "e_payment_gate" &&
              (payment.payUrl ? word("Not paid yet") : payment.payUrlReason))}
        {Number(payment.refundedAmountMoney.minor) > 0 && (
          <>
            {" "}
            {word("Given back")} <Price of={payment.refundedAmountMoney} />
          </>
        )}
      </p>
      {payment.payUrl && !isWaiting && (
        <button
          type="button"
          class="button wide"
          onClick={() => payAtGateway(id).catch((cause: Error) => say(cause.message))}
        >
          {word("Pay now")}
        </button>
      )}
      <ul class="lines">
        {order.items.map((line) => (
          <li key={line.id}>
            <Picture
              of={
                line.imageUrl
                  ? { url: line.imageUrl, alt: null, width: 60, height: 80, placeholderColor: null }
                  : null
              }
              title={line.title}
            />
            <div>
              <strong>{line.title}</strong>
              <small>× {number(line.quantity)}</small>
            </div>
            <Price of={line.lineTotalMoney} />
          </li>
        ))}
      </ul>
      <footer>
        <Charges of={order.charges} />
        <span>
          {order.shippingAddress.city}, {order.shippingAddress.address}
        </span>
        <Price of={order.totalMoney} />
      </footer>
    </div>
  );
}

const OrdersDocument = graphql(
  `query Orders($domain: String!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
    me { orders(domain: $domain) { items { id orderNumber status totalMoney { ...MoneyFields } } } }
  }`,
  [Frame, MoneyFields],
);

export function Orders() {
  const word = useWords();
  const orders = usePage(OrdersDocument, {}).data?.me?.orders?.items;
  return (
    <div class="cart">
      <Title text={word("Orders")} />
      {orders?.length === 0 && <p>{word("No orders yet.")}</p>}
      <ul class="lines">
        {orders?.map((o) => (
          <li key={o.id}>
            <div>
              <Link to={`/orders/${o.id}`}>
                <b dir="ltr">{o.orderNumber}</b>
              </Link>
              <small>{word(o.status)}</small>
            </div>
            <Price of={o.totalMoney} />
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="plain"
        onClick={() => {
          void shop.session.signOut();
          go("/");
        }}
      >
        {word("Sign out")}
      </button>
    </div>
  );
}
