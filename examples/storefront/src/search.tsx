// The search field of every page, with suggestions while the visitor types.
import { useEffect, useState } from "preact/hooks";
import { ask, domain } from "./api";
import { go, Link, useData, useName, useTitle, useWords } from "./ui";

type Named = { slug: string; name: string; nameFa: string };
type Suggestions = {
  products: { slug: string; titleFa: string; titleEn: string | null }[];
  categories: Named[];
  brands: Named[];
};
const none: Suggestions = { products: [], categories: [], brands: [] };

async function suggestionsFor(prefix: string): Promise<Suggestions> {
  if (prefix.trim() === "") return none;
  const { tenant } = await ask<{ tenant: { suggestions: Suggestions } }>(
    `query($domain: String!, $prefix: String!) { tenant(domain: $domain) { suggestions(prefix: $prefix, first: 5) {
      products { slug titleFa titleEn } categories { slug name nameFa } brands { slug name nameFa } } } }`,
    { domain, prefix },
  );
  return tenant.suggestions;
}

export function Search({ query }: { query: string }) {
  const [word, title, name] = [useWords(), useTitle(), useName()];
  const [typed, setTyped] = useState("");
  const [prefix, setPrefix] = useState(""); // typed, once the fingers rest
  useEffect(() => {
    const timer = setTimeout(() => setPrefix(typed), 150);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data } = useData(prefix, () => suggestionsFor(prefix), "keep");
  const close = () => setTyped("");
  const links = typed && data
    ? [
        ...data.categories.map((c) => ({ to: `/c/${c.slug}`, text: name(c), kind: word("Category") })),
        ...data.brands.map((b) => ({ to: `/search?brand=${b.slug}`, text: name(b), kind: word("Brand") })),
        ...data.products.map((p) => ({ to: `/p/${p.slug}`, text: title(p), kind: "" })),
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
