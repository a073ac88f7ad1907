// The search field of every page, with suggestions while the visitor types.
import { useEffect, useState } from "preact/hooks";
import { graphql, shop } from "./shop";
import { go, Link, useData, useWords } from "./ui";

const Suggestions = graphql(`
  query Suggestions($domain: String!, $prefix: String!) {
    tenant(domain: $domain) {
      suggestions(prefix: $prefix, first: 5) {
        products { slug title } categories { slug name(language: requested) } brands { slug name(language: requested) }
      }
    }
  }
`);

export function Search({ query }: { query: string }) {
  const word = useWords();
  const [typed, setTyped] = useState("");
  const [prefix, setPrefix] = useState(""); // typed, once the fingers rest
  useEffect(() => {
    const timer = setTimeout(() => setPrefix(typed), 150);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useData(
    prefix,
    async () => (prefix.trim() ? shop.ask(Suggestions, { prefix }) : null),
    "keep",
  );
  const close = () => setTyped("");
  const found = typed ? data?.tenant?.suggestions : null;
  const links = found
    ? [
        ...found.categories.map((c) => ({ to: `/c/${c.slug}`, text: c.name, kind: word("Category") })),
        ...found.brands.map((b) => ({ to: `/search?brand=${b.slug}`, text: b.name, kind: word("Brand") })),
        ...found.products.map((p) => ({ to: `/p/${p.slug}`, text: p.title, kind: "" })),
      ]
    : [];
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        go(`/search?q=${encodeURIComponent(String(new FormData(event.currentTarget).get("q") ?? ""))}`);
      }}
      onKeyDown={(event) => event.key === "Escape" && close()}
      onFocusOut={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || close()}
    >
      <input
        name="q"
        type="search"
        autocomplete="off"
        placeholder={word("Search books, clothes, authors")}
        aria-label={word("Search")}
        dir="auto"
        defaultValue={query}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {links.length > 0 && (
        <ul class="suggestions">
          {links.map(({ to, text, kind }) => (
            <li key={to}>
              <Link to={to}>
                {text} <small>{kind}</small>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
