// From the cart to an order: cart, checkout, and the order itself.
import { useState } from "preact/hooks";
import { Form } from "./form";
import { CartFields, Frame, graphql, MoneyFields, shop } from "./shop";
import { go, Link, Picture, Price, Title, useHere, useNumber, usePage, useWords } from "./ui";

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
  const word = useWords();
  const [payment, setPayment] = useState("cash");
  const { data } = usePage(CheckoutPage, {});
  if (!data) return <div class="waiting" />;
  const known = data.me?.addresses[0];
  return (
    <div class="narrow">
      <Title text={word("Delivery")} />
      <p class="total">
        {word("Subtotal")} <Price of={shop.cart.current?.subtotalMoney ?? null} />
      </p>
      <div class="options" role="radiogroup" aria-label={word("Pay")}>
        {[
          ["cash", "Cash on delivery"],
          ["e_payment_gate", "Payment gateway"],
        ].map(([value, label]) => (
          <button
            key={value}
            type="button"
            role="radio"
            aria-checked={payment === value}
            onClick={() => setPayment(value!)}
          >
            {word(label!)}
          </button>
        ))}
      </div>
      <Form
        button={word("Place the order")}
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
          const shippingAddress = { province, city, address };
          const expectedTotal = shop.cart.current!.subtotalMoney!; // the demo shops have no delivery methods
          const order = await shop.checkout({ shippingAddress, expectedTotal, payment: { type: payment } });
          go(`/orders/${order.id}`);
        }}
      />
    </div>
  );
}

const OrderDocument = graphql(
  `query Order($domain: String!, $id: ID!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
    me {
      order(domain: $domain, orderId: $id) {
        orderNumber status totalMoney { ...MoneyFields } createdAt shippingAddress { city address }
        items { id title quantity lineTotalMoney { ...MoneyFields } imageUrl }
      }
    }
  }`,
  [Frame, MoneyFields],
);

export function OrderPage({ id }: { id: string }) {
  const [word, number, { language }] = [useWords(), useNumber(), useHere()];
  const order = usePage(OrderDocument, { id }).data?.me?.order;
  if (!order) return <div class="waiting" />;
  return (
    <div class="cart">
      <Title text={word("Thank you for your order")} />
      <p class="lead">
        {word("Order")} <b dir="ltr">{order.orderNumber}</b> · {word(order.status)} ·{" "}
        {new Date(order.createdAt).toLocaleDateString(language === "fa" ? "fa-IR" : "en")}
      </p>
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
