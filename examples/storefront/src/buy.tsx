// The way to an order: cart, checkout, and the order itself.
import { useState } from "preact/hooks";
import { ask, domain, session } from "./api";
import { changeLine, readCart, type Cart } from "./cart";
import { Form } from "./form";
import { moneyFields, type Money } from "./money";
import { go, Link, Picture, Price, useData, useHere, useNumber, useTitle, useWords } from "./ui";

const warnings: Record<string, string> = {
  PRICE_CHANGED: "The price has risen",
  INSUFFICIENT_STOCK: "Less is in stock",
  MAX_ORDER_QUANTITY_EXCEEDED: "More than may be ordered at once",
  UNAVAILABLE: "Not on sale any more",
};

export function CartPage() {
  const [word, title, number, { say, language }] = [useWords(), useTitle(), useNumber(), useHere()];
  const [edited, setEdited] = useState<Cart | null>(null);
  const { data, failed } = useData(`cart ${session.get()?.accessToken}`, async () => ({
    cart: await readCart(),
  }));
  if (failed) throw failed;
  if (!data) return <div class="waiting" />;
  const cart = edited ?? data.cart;
  if (!cart || cart.items.length === 0)
    return (
      <div class="empty">
        <h1>{word("Cart")}</h1>
        <p>{word("Your cart is empty.")}</p>
        <Link to="/" class="button">
          {word("Home")}
        </Link>
      </div>
    );
  const change = async (line: string, quantity: number) => {
    try {
      setEdited(await changeLine(line, quantity));
    } catch (error) {
      say((error as Error).message);
    }
  };
  return (
    <div class="cart">
      <h1>{word("Cart")}</h1>
      <ul class="lines">
        {cart.items.map((line) => (
          <li key={line.id}>
            <Picture of={line.image} title={title(line)} />
            <div>
              <Link to={`/p/${encodeURIComponent(line.productSlug)}`}>
                <strong>{title(line)}</strong>
              </Link>
              <small>{line.options.map((o) => (language === "en" ? o.label : o.labelFa)).join(" · ")}</small>
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
        <Link to={session.get() ? "/checkout" : "/sign-in?to=/checkout"} class="button wide">
          {word("Check out")}
        </Link>
      </footer>
    </div>
  );
}

export function Checkout() {
  const word = useWords();
  const [payment, setPayment] = useState("cash");
  const [key] = useState(() => crypto.randomUUID()); // one order, however often it is sent
  const { data, failed } = useData("checkout", () =>
    ask<{ me: { addresses: { province: string; city: string; address: string }[] }; cart: Pick<Cart, "subtotalMoney"> }>(
      `query($domain: String!) { me { addresses { province city address } } cart(domain: $domain) { subtotalMoney { ${moneyFields} } } }`,
      { domain },
    ),
  );
  if (failed) throw failed;
  if (!data) return <div class="waiting" />;
  const known = data.me.addresses[0];
  return (
    <div class="narrow">
      <h1>{word("Delivery")}</h1>
      <p class="total">
        {word("Subtotal")} <Price of={data.cart.subtotalMoney} />
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
        send={async (shippingAddress) => {
          const { body } = await ask<{ body: { order: { id: string } } }>(
            `mutation($domain: String!, $input: CheckoutInput!) { body: checkout(domain: $domain, input: $input) { order { id } } }`,
            { domain, input: { shippingAddress, payment: { type: payment } } },
            { "Idempotency-Key": key },
          );
          dispatchEvent(new Event("kept"));
          go(`/orders/${body.order.id}`);
        }}
      />
    </div>
  );
}

export function OrderPage({ id }: { id: string }) {
  const [word, title, number, { language }] = [useWords(), useTitle(), useNumber(), useHere()];
  const { data, failed } = useData(id, () =>
    ask<{
      me: {
        order: {
          orderNumber: string;
          status: string;
          totalMoney: Money;
          createdAt: string;
          shippingAddress: { city: string; address: string };
          items: {
            id: string;
            titleFa: string;
            titleEn: string | null;
            quantity: number;
            lineTotalMoney: Money;
            imageUrl: string | null;
          }[];
        };
      };
    }>(
      `query($domain: String!, $id: ID!) { me { order(domain: $domain, orderId: $id) { orderNumber status totalMoney { ${moneyFields} } createdAt
    shippingAddress { city address } items { id titleFa titleEn quantity
    lineTotalMoney { ${moneyFields} } imageUrl } } } }`,
      { domain, id },
    ),
  );
  if (failed) throw failed;
  if (!data) return <div class="waiting" />;
  const order = data.me.order;
  return (
    <div class="cart">
      <h1>{word("Thank you for your order")}</h1>
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
              title={title(line)}
            />
            <div>
              <strong>{title(line)}</strong>
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

export function Orders() {
  const word = useWords();
  const { data, failed } = useData("orders", () =>
    ask<{
      me: {
        orders: {
          items: { id: string; orderNumber: string; status: string; totalMoney: Money }[];
        };
      };
    }>(
      `query($domain: String!) { me { orders(domain: $domain) { items { id orderNumber status totalMoney { ${moneyFields} } } } } }`,
      { domain },
    ),
  );
  if (failed) throw failed;
  return (
    <div class="cart">
      <h1>{word("Orders")}</h1>
      {data?.me.orders.items.length === 0 && <p>{word("No orders yet.")}</p>}
      <ul class="lines">
        {data?.me.orders.items.map((o) => (
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
          session.set(null);
          go("/");
        }}
      >
        {word("Sign out")}
      </button>
    </div>
  );
}
