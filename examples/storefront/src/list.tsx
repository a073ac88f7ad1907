// A list: of a category, or of what a search finds. All that a visitor chose stands in the address.
import type { ComponentChildren } from "preact";
import type { ResultOf } from "gql.tada";
import { formatMoney, type Money } from "storefront-client";
import { Card, Cards } from "./browse";
import { Frame, graphql, MoneyFields } from "./shop";
import { go, Link, Title, useHere, useNumber, usePage, useWords } from "./ui";

const ListPage = graphql(
  `query List(
    $domain: String!, $page: Int!, $size: Int!, $name: String, $categories: [String!], $brands: [String!]
    $options: [OptionFilter!], $min: Decimal, $max: Decimal, $sort: ProductSort!
    $cold: Boolean!, $cartToken: String, $hasCart: Boolean!
  ) {
    ...Frame @include(if: $cold)
    tenant(domain: $domain) {
      products(
        page: $page, pageSize: $size, name: $name, categories: $categories, brands: $brands, options: $options
        minPrice: $min, maxPrice: $max, sort: $sort
      ) {
        total
        items { ...Card }
        facets {
          categories { count category { slug name(language: requested) parentId } }
          brands { count brand { slug name(language: requested) } }
          options { key name(language: requested) values { value label(language: requested) colorHex count } }
          prices { buckets { count minMoney { ...MoneyFields } maxMoney { ...MoneyFields } } }
        }
      }
    }
  }`,
  [Frame, Card, MoneyFields],
);
type Found = NonNullable<ResultOf<typeof ListPage>["tenant"]>["products"];

/** optionsOf reads "size:m", "size:l", "colour:navy" as a filter: one of these sizes, in this colour. */
function optionsOf(chosen: string[]): { key: string; anyOf: string[] }[] {
  const byKey = new Map<string, string[]>();
  for (const [key, value] of chosen.map((text) => text.split(":", 2) as [string, string]))
    byKey.set(key, [...(byKey.get(key) ?? []), value]);
  return [...byKey].map(([key, anyOf]) => ({ key, anyOf }));
}

const sorts = { newest: "Newest", price_asc: "Cheapest", price_desc: "Dearest", rating: "Best rated" };
const size = 24;

export function List({ category, query }: { category?: string; query: URLSearchParams }) {
  const [word, number, { frame }] = [useWords(), useNumber(), useHere()];
  const here = frame?.categories.find((c) => c.slug === category);
  const searched = query.get("q") || null;
  const page = Math.min(Math.max(1, Math.floor(Number(query.get("page")))) || 1, 2 ** 31 - 1);
  const [min, max] = query.get("price")?.split("-") ?? [];
  const variables = {
    page,
    size,
    name: searched,
    categories: category ? [category] : [],
    brands: query.getAll("brand"),
    options: optionsOf(query.getAll("option")),
    min: min ? Number(min) : null,
    max: max ? Number(max) : null,
    sort: (query.get("sort") ?? (searched ? "relevance" : "newest")) as keyof typeof sorts | "relevance",
  };
  const { data, waiting } = usePage(ListPage, variables, "keep");
  const found = data?.tenant?.products;
  const path = category ? `/c/${category}` : "/search";
  const last = Math.ceil((found?.total ?? 0) / size);
  const turned = (to: number) => {
    const next = new URLSearchParams(query);
    next.set("page", String(to));
    return `${path}?${next}`;
  };
  const choose = (change: (next: URLSearchParams) => void) => {
    const next = new URLSearchParams(query);
    next.delete("page");
    change(next);
    go(`${path}?${next}`, true);
  };
  return (
    <div class="list" aria-busy={waiting}>
      <header>
        <Title text={here ? here.name : searched ? `“${searched}”` : word("All")} />
        <p class="muted" role="status">
          {found ? `${number(found.total)} ${word("results")}` : "…"}
        </p>
        <select
          class="sort"
          value={variables.sort}
          aria-label={word("Sort by")}
          onChange={(event) => {
            const to = event.currentTarget.value;
            choose((next) => next.set("sort", to));
          }}
        >
          {Object.entries(searched ? { relevance: "Best match", ...sorts } : sorts).map(([value, label]) => (
            <option value={value}>{word(label)}</option>
          ))}
        </select>
      </header>
      {found && <Facets of={found.facets} below={here?.id ?? null} query={query} choose={choose} />}
      <div>
        {!found ? (
          <div class="waiting" />
        ) : found.items.length > 0 ? (
          <Cards of={found.items} />
        ) : (
          <p>{word("Nothing was found.")}</p>
        )}
        {last > 1 && (
          <nav class="pages">
            {page > 1 && <Link to={turned(page - 1)}>{word("Previous")}</Link>}
            <span>
              {number(page)} / {number(last)}
            </span>
            {page < last && <Link to={turned(page + 1)}>{word("Next")}</Link>}
          </nav>
        )}
      </div>
    </div>
  );
}

/**
 * Facets shows the values that a visitor can select, each with its number of products: several brands and options at
 * once, but one range of prices.
 */
function Facets({
  of,
  below,
  query,
  choose,
}: {
  of: Found["facets"];
  below: string | null;
  query: URLSearchParams;
  choose: (change: (next: URLSearchParams) => void) => void;
}) {
  const [word, number, { language }] = [useWords(), useNumber(), useHere()];
  const range = (min: Money, max: Money) => (
    <>
      <bdi>{formatMoney(min, language)}</bdi>
      {min.minor !== max.minor && " – "}
      {min.minor !== max.minor && <bdi>{formatMoney(max, language)}</bdi>}
    </>
  );
  const box = (
    key: string,
    value: string,
    label: ComponentChildren,
    count: number,
    colour?: string | null,
  ) => (
    <li key={value}>
      <label>
        <input
          type="checkbox"
          checked={query.getAll(key).includes(value)}
          onChange={() =>
            choose((next) => {
              const others = key === "price" ? [] : next.getAll(key).filter((one) => one !== value);
              const chosen = next.getAll(key).includes(value);
              next.delete(key);
              for (const one of chosen ? others : [...others, value]) next.append(key, one);
            })
          }
        />
        {colour && <i style={{ background: colour }} />}
        <span>{label}</span> <small>{number(count)}</small>
      </label>
    </li>
  );
  const categories = of.categories.filter((f) => f.category.parentId === below);
  const search = query.get("q") ? `?q=${encodeURIComponent(query.get("q")!)}` : "";
  return (
    <details class="facets" open={matchMedia("(min-width: 800px)").matches}>
      <summary>{word("Filters")}</summary>
      {["brand", "option", "price"].some((key) => query.has(key)) && (
        <button
          type="button"
          class="plain"
          onClick={() => choose((next) => ["brand", "option", "price"].forEach((key) => next.delete(key)))}
        >
          {word("Clear filters")}
        </button>
      )}
      {categories.length > 0 && <h2>{word("Categories")}</h2>}
      <ul>
        {categories.map(({ category, count }) => (
          <li key={category.slug}>
            <Link to={`/c/${category.slug}${search}`}>{category.name}</Link> <small>{number(count)}</small>
          </li>
        ))}
      </ul>
      {of.options.map((option) => (
        <fieldset key={option.key}>
          <legend>{option.name}</legend>
          <ul>
            {option.values.map((v) =>
              box("option", `${option.key}:${v.value}`, v.label, v.count, v.colorHex),
            )}
          </ul>
        </fieldset>
      ))}
      {of.prices.slice(0, 1).map(({ buckets }) => (
        <fieldset key="price">
          <legend>{word("Price")}</legend>
          <ul>
            {buckets.map(({ minMoney, maxMoney, count }) =>
              box("price", `${minMoney.amount}-${maxMoney.amount}`, range(minMoney, maxMoney), count),
            )}
          </ul>
        </fieldset>
      ))}
      {of.brands.length > 0 && (
        <fieldset>
          <legend>{word("Brands")}</legend>
          <ul>
            {of.brands
              .filter(({ brand }, i) => i < 12 || query.getAll("brand").includes(brand.slug))
              .map(({ brand, count }) => box("brand", brand.slug, brand.name, count))}
          </ul>
        </fieldset>
      )}
    </details>
  );
}
