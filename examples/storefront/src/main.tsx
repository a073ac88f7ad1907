// The frame of all pages, and which page an address shows.
import { Component, render, type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useState } from "preact/hooks";
import { Home, Product } from "./browse";
import { CartPage, Checkout, OrderPage, Orders } from "./buy";
import { List } from "./list";
import { Search } from "./search";
import { shop } from "./shop";
import { NewPassword, SignIn } from "./signin";
import "./style.css";
import {
  FrameOnly,
  Here,
  inShop,
  Link,
  Title,
  useHere,
  useNumber,
  usePage,
  useWords,
  type Language,
  type Shop,
} from "./ui";

/** decode returns the text of a part of an address, or the part itself where it is written wrongly. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function page(path: string, query: URLSearchParams) {
  const [, first, second] = path.split("/").map(decode);
  const { isSignedIn } = shop.session;
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
      return <SignIn to={inShop(query.get("to"), "/orders")} />;
    case "password":
      return <NewPassword to={inShop(query.get("to"), "/orders")} />;
    case "checkout":
      return isSignedIn ? <Checkout /> : <SignIn to="/checkout" />;
    case "orders":
      if (!isSignedIn) return <SignIn to={path} />;
      return second ? <OrderPage key={second} id={second} state={query.get("state")} /> : <Orders />;
  }
  return <Nowhere />;
}

/** Nowhere is the page of an address that has none. */
function Nowhere() {
  const word = useWords();
  usePage(FrameOnly, {});
  return (
    <div class="empty">
      <Title text={word("There is no page at this address.")} />
      <WayHome />
    </div>
  );
}

function WayHome() {
  const word = useWords();
  return (
    <Link to="/" class="button">
      {word("Home")}
    </Link>
  );
}

/** Shows the service's message when a page fails, until another page is opened. */
class Failing extends Component<
  { at: string; children: ComponentChildren },
  { failed: Error | null; at: string }
> {
  override state = { failed: null as Error | null, at: "" };
  override componentDidCatch(failed: Error) {
    this.setState({ failed, at: this.props.at });
  }
  override render() {
    const { failed, at } = this.state;
    if (!failed || at !== this.props.at) return this.props.children;
    return (
      <div class="empty">
        <h1>{failed.message}</h1>
        <WayHome />
      </div>
    );
  }
}

function Frame({ setLanguage, message }: { setLanguage: (to: Language) => void; message: string }) {
  const [word, number, { frame, language }] = [useWords(), useNumber(), useHere()];
  const [, again] = useReducer<number, void>((n) => n + 1, 0); // after navigation, sign-in, sign-out and changes of the cart
  useEffect(() => {
    const ends = [shop.session.subscribe(() => again()), shop.cart.subscribe(() => again())];
    const moved = () => again();
    addEventListener("popstate", moved);
    return () => {
      removeEventListener("popstate", moved);
      for (const end of ends) end();
    };
  }, []);
  const url = new URL(location.href);
  const { isSignedIn } = shop.session;
  return (
    <>
      <header class="top">
        <Link to="/" class="brand">
          {frame?.name}
        </Link>
        <Search key={url.href} query={url.searchParams.get("q") ?? ""} />
        <nav>
          <button
            type="button"
            class="plain"
            lang={language === "en" ? "fa" : "en"}
            onClick={() => setLanguage(language === "en" ? "fa" : "en")}
          >
            {language === "en" ? "فارسی" : "English"}
          </button>
          <Link to={isSignedIn ? "/orders" : "/sign-in"}>{word(isSignedIn ? "Orders" : "Sign in")}</Link>
          <Link to="/cart" class="basket">
            {word("Cart")}{" "}
            <output aria-label={word("Quantity")}>{number(shop.cart.current?.totalQuantity ?? 0)}</output>
          </Link>
        </nav>
      </header>
      <main>
        <Failing at={`${url.href} ${language} ${isSignedIn}`}>{page(url.pathname, url.searchParams)}</Failing>
      </main>
      <footer class="bottom">
        {frame?.name} · {shop.domain}
      </footer>
      {message && (
        <p class="toast" role="status">
          {message}
        </p>
      )}
    </>
  );
}

function App() {
  const [language, setLanguage] = useState<Language>(localStorage.getItem("language") === "fa" ? "fa" : "en");
  const [frame, setFrame] = useState<Shop | null>(null);
  const [message, say] = useState("");
  document.documentElement.lang = language;
  document.documentElement.dir = language === "fa" ? "rtl" : "ltr";
  if (frame?.primaryColor) document.documentElement.style.setProperty("--own", frame.primaryColor);
  useEffect(() => {
    const timer = message ? setTimeout(() => say(""), 4000) : undefined;
    return () => clearTimeout(timer);
  }, [message]);
  useLayoutEffect(() => {
    if (frame) document.title = frame.name;
  }, [frame]);
  return (
    <Here.Provider value={{ language, frame, setFrame, say }}>
      <Frame
        setLanguage={(to) => {
          localStorage.setItem("language", to);
          setLanguage(to);
          setFrame(null); // it has texts
        }}
        message={message}
      />
    </Here.Provider>
  );
}

render(<App />, document.getElementById("app")!);
