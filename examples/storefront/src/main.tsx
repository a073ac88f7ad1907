// The frame of all pages, and which page an address shows.
import { Component, render, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, domain, Failure, session } from "./api";
import { Home, List, Product } from "./browse";
import { CartPage, Checkout, OrderPage, Orders, SignIn } from "./buy";
import { readCart } from "./cart";
import "./style.css";
import { go, Here, Link, useHere, useName, useWords, type Language, type Shop } from "./ui";

function page(path: string, query: URLSearchParams) {
  const [, first, second] = path.split("/").map(decodeURIComponent);
  const signedIn = session.get() !== null;
  switch (first) {
    case "":
      return <Home />;
    case "c":
      return <List category={second} query={query} />;
    case "search":
      return <List query={query} />;
    case "p":
      return <Product key={second} slug={second ?? ""} />;
    case "cart":
      return <CartPage />;
    case "sign-in":
      return <SignIn to={query.get("to") ?? "/orders"} />;
    case "checkout":
      return signedIn ? <Checkout /> : <SignIn to="/checkout" />;
    case "orders":
      return !signedIn ? <SignIn to={path} /> : second ? <OrderPage id={second} /> : <Orders />;
  }
  return <p>404</p>;
}

/** What a page could not be shown for, in the words of the service. */
class Failing extends Component<{ children: ComponentChildren }, { failed: Error | null }> {
  override state = { failed: null as Error | null };
  static override getDerivedStateFromError(failed: Error) {
    return { failed };
  }
  override render() {
    const { failed } = this.state;
    if (!failed) return this.props.children;
    if (failed instanceof Failure && failed.code === "UNAUTHENTICATED") {
      session.set(null);
      return <SignIn to={location.pathname} />;
    }
    return (
      <div class="empty">
        <h1>{failed.message}</h1>
        <Link to="/" class="button">
          ⟵
        </Link>
      </div>
    );
  }
}

function Frame({
  language,
  setLanguage,
  message,
}: {
  language: Language;
  setLanguage: (to: Language) => void;
  message: string;
}) {
  const [word, name, { shop }] = [useWords(), useName(), useHere()];
  const [address, setAddress] = useState(location.href);
  const [units, setUnits] = useState(0);
  useEffect(() => {
    const moved = () => setAddress(location.href);
    const count = () =>
      void readCart(shop.id).then(
        (cart) => setUnits(cart?.totalQuantity ?? 0),
        () => setUnits(0),
      );
    count();
    addEventListener("popstate", moved);
    addEventListener("popstate", count);
    addEventListener("kept", count);
    addEventListener("storage", count);
    return () => {
      removeEventListener("popstate", moved);
      for (const event of ["popstate", "kept", "storage"]) removeEventListener(event, count);
    };
  }, []);
  const url = new URL(address);
  return (
    <>
      <header class="top">
        <Link to="/" class="brand">
          {name(shop)}
        </Link>
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault();
            go(`/search?q=${encodeURIComponent(String(new FormData(event.currentTarget).get("q") ?? ""))}`);
          }}
        >
          <input
            name="q"
            type="search"
            placeholder={word("Search books, clothes, authors")}
            aria-label={word("Search")}
            dir="auto"
            defaultValue={url.searchParams.get("q") ?? ""}
          />
        </form>
        <nav>
          <button
            type="button"
            class="plain"
            lang={language === "en" ? "fa" : "en"}
            onClick={() => setLanguage(language === "en" ? "fa" : "en")}
          >
            {language === "en" ? "فارسی" : "English"}
          </button>
          {session.get() ? (
            <Link to="/orders">{word("Orders")}</Link>
          ) : (
            <Link to="/sign-in">{word("Sign in")}</Link>
          )}
          <Link to="/cart" class="basket">
            {word("Cart")} <output aria-label={word("Quantity")}>{units}</output>
          </Link>
        </nav>
      </header>
      <main>
        <Failing key={address + language}>{page(url.pathname, url.searchParams)}</Failing>
      </main>
      <footer class="bottom">
        {name(shop)} · {domain}
      </footer>
      {message && (
        <p class="toast" role="status">
          {message}
        </p>
      )}
    </>
  );
}

function App({ shop }: { shop: Shop }) {
  const [language, setLanguage] = useState<Language>(localStorage.getItem("language") === "fa" ? "fa" : "en");
  const [message, setMessage] = useState("");
  document.documentElement.lang = language;
  document.documentElement.dir = language === "fa" ? "rtl" : "ltr";
  document.title = language === "fa" ? shop.nameFa : shop.name;
  useEffect(() => {
    const timer = message ? setTimeout(() => setMessage(""), 4000) : undefined;
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <Here.Provider value={{ language, shop, say: setMessage }}>
      <Frame
        language={language}
        setLanguage={(to) => {
          localStorage.setItem("language", to);
          setLanguage(to);
        }}
        message={message}
      />
    </Here.Provider>
  );
}

const { tenant } = await ask<{ tenant: Shop }>(
  `query($domain: String!) { tenant(domain: $domain) {
  id name nameFa primaryColor categories { id slug name nameFa parentId itemCount } } }`,
  { domain },
);
if (tenant.primaryColor) document.documentElement.style.setProperty("--own", tenant.primaryColor);
render(<App shop={tenant} />, document.getElementById("app")!);
