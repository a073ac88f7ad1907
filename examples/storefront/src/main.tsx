// The frame of all pages, and which page an address shows.
import { Component, render, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, domain, Failure, session } from "./api";
import { Home, Product } from "./browse";
import { CartPage, Checkout, OrderPage, Orders } from "./buy";
import { readCart } from "./cart";
import { List } from "./list";
import type { Language } from "./money";
import { Search } from "./search";
import { SignIn } from "./signin";
import "./style.css";
import { Here, Link, useHere, useName, useNumber, useWords, type Shop } from "./ui";

function page(path: string, query: URLSearchParams) {
  const [, first, second] = path.split("/").map(decodeURIComponent);
  const signedIn = session.get() !== null;
  switch (first) {
    case "":
      return <Home />;
    case "c":
      return <List key={second} category={second} query={query} />;
    case "search":
      return <List key="search" query={query} />;
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

/** Failing says why a page cannot be shown, in the words of the service, until another address is. */
class Failing extends Component<{ at: string; children: ComponentChildren }, { failed: Error | null; at: string }> {
  override state = { failed: null as Error | null, at: "" };
  override componentDidCatch(failed: Error) {
    this.setState({ failed, at: this.props.at });
  }
  override render() {
    const { failed, at } = this.state;
    if (!failed || at !== this.props.at) return this.props.children;
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
  const [word, name, number, { shop }] = [useWords(), useName(), useNumber(), useHere()];
  const [address, setAddress] = useState(location.href);
  const [units, setUnits] = useState(0);
  useEffect(() => {
    const moved = () => setAddress(location.href);
    let latest = 0; // an older answer never replaces a newer one
    const count = async () => {
      const turn = ++latest;
      const cart = await readCart().catch(() => null);
      if (turn === latest) setUnits(cart?.totalQuantity ?? 0);
    };
    void count();
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
        <Search key={address} query={url.searchParams.get("q") ?? ""} />
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
            {word("Cart")} <output aria-label={word("Quantity")}>{number(units)}</output>
          </Link>
        </nav>
      </header>
      <main>
        <Failing at={address + language}>{page(url.pathname, url.searchParams)}</Failing>
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
  name nameFa primaryColor categories { id slug name nameFa parentId itemCount } } }`,
  { domain },
);
if (tenant.primaryColor) document.documentElement.style.setProperty("--own", tenant.primaryColor);
render(<App shop={tenant} />, document.getElementById("app")!);
