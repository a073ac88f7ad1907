// The pages that everybody sees: home, a list with facets, a product.
import { useState } from "preact/hooks";
import { ask, domain } from "./api";
import { addToCart, imageFields, type Image } from "./cart";
import { go, Link, Picture, Price, useData, useHere, useName, useTitle, useWords, type Category } from "./ui";

type Card = {
  slug: string;
  titleFa: string;
  titleEn: string | null;
  price: number | null;
  maxPrice: number | null;
  priceCurrency: string | null;
  inStock: boolean;
  ratingAverage: number | null;
  brandName: string | null;
  brandNameFa: string | null;
  image: Image | null;
};
const card = `slug titleFa titleEn price maxPrice priceCurrency inStock ratingAverage brandName brandNameFa image { ${imageFields} }`;

function Cards({ of }: { of: Card[] }) {
  const [title, word, { language }] = [useTitle(), useWords(), useHere()];
  return (
    <ul class="cards">
      {of.map((p, i) => (
        <li key={p.slug}>
          <Link to={`/p/${encodeURIComponent(p.slug)}`} class="card">
            <Picture of={p.image} title={title(p)} eager={i < 4} />
            <strong>{title(p)}</strong>
            <small>
              {language === "en" ? p.brandName : p.brandNameFa}
              {p.ratingAverage ? <em> ★ {p.ratingAverage}</em> : null}
            </small>
            {p.inStock ? (
              <Price amount={p.price} currency={p.priceCurrency} />
            ) : (
              <span class="price muted">{word("Out of stock")}</span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function Home() {
  const [word, title, name, { shop }] = [useWords(), useTitle(), useName(), useHere()];
  const { data, failed } = useData("home", () =>
    ask<{
      tenant: {
        sliders: {
          slides: {
            id: string;
            title: string | null;
            subtitle: string | null;
            buttonText: string | null;
            linkUrl: string | null;
            image: Image;
          }[];
        }[];
        storeSpecials: {
          id: string;
          title: string;
          items: {
            id: string;
            productSlug: string;
            titleFa: string;
            titleEn: string | null;
            price: number | null;
            compareAtPrice: number | null;
            priceCurrency: string;
            image: Image | null;
          }[];
        }[];
        products: { items: Card[] };
      };
    }>(
      `query($domain: String!) { tenant(domain: $domain) {
    sliders { slides { id title subtitle buttonText linkUrl image { ${imageFields} } } }
    storeSpecials { id title items { id productSlug titleFa titleEn price compareAtPrice priceCurrency image { ${imageFields} } } }
    products(pageSize: 8, inStore: true) { items { ${card} } } } }`,
      { domain },
    ),
  );
  if (failed) throw failed;
  if (!data) return <div class="hero waiting" />;
  const slide = data.tenant.sliders[0]?.slides[0];
  const roots = shop.categories.filter((c) => c.parentId === null);
  return (
    <>
      {slide && (
        <section class="hero">
          <Picture of={slide.image} title={slide.title ?? ""} eager />
          <div>
            <h1>{slide.title}</h1>
            <p>{slide.subtitle}</p>
            {slide.buttonText && (
              <Link to={slide.linkUrl?.replace("/categories/", "/c/") ?? "/"} class="button">
                {slide.buttonText}
              </Link>
            )}
          </div>
        </section>
      )}
      <nav class="tiles" aria-label={word("Categories")}>
        {roots.map((c) => (
          <Link key={c.id} to={`/c/${c.slug}`} class="tile">
            <b>{name(c)}</b>
            <small>{c.itemCount}</small>
          </Link>
        ))}
      </nav>
      {data.tenant.storeSpecials.slice(0, 1).map((special) => (
        <section key={special.id}>
          <h2>
            {word("On offer")} · {special.title}
          </h2>
          <ul class="cards strip">
            {special.items.slice(0, 8).map((v) => (
              <li key={v.id}>
                <Link to={`/p/${encodeURIComponent(v.productSlug)}`} class="card">
                  <Picture of={v.image} title={title(v)} />
                  <strong>{title(v)}</strong>
                  <Price amount={v.price} currency={v.priceCurrency} before={v.compareAtPrice} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h2>{word("New arrivals")}</h2>
        <Cards of={data.tenant.products.items} />
      </section>
    </>
  );
}

const sorts = { newest: "Newest", price_asc: "Cheapest", price_desc: "Dearest", rating: "Best rated" };

export function List({ category, query }: { category?: string; query: URLSearchParams }) {
  const [word, name, { shop }] = [useWords(), useName(), useHere()];
  const here = shop.categories.find((c) => c.slug === category);
  const page = Number(query.get("page") ?? 1);
  const variables = {
    domain,
    page,
    category: here?.id ?? null,
    name: query.get("q"),
    brand: query.get("brand"),
    sort: query.get("sort") ?? "newest",
    max: query.get("max"),
    inStore: query.get("stock") ? true : null,
  };
  const { data, failed } = useData(JSON.stringify(variables), () =>
    ask<{
      tenant: {
        products: {
          total: number;
          items: Card[];
          facets: {
            categories: { count: number; category: Category }[];
            brands: { count: number; brand: { id: string; name: string; nameFa: string } }[];
          };
        };
      };
    }>(
      `query($domain: String!, $page: Int!, $category: ID, $name: String, $brand: ID,
    $sort: ProductSort!, $max: Decimal, $inStore: Boolean) {
    tenant(domain: $domain) { products(page: $page, pageSize: 24, categoryId: $category, name: $name, brandId: $brand,
      sort: $sort, maxPrice: $max, inStore: $inStore) {
      total items { ${card} }
      facets { categories { count category { id slug name nameFa parentId } } brands { count brand { id name nameFa } } }
    } } }`,
      variables,
    ),
  );
  if (failed) throw failed;
  const path = category ? `/c/${category}` : "/search";
  const to = (change: Record<string, string | null>) => {
    const next = new URLSearchParams(query);
    next.delete("page");
    for (const [key, value] of Object.entries(change))
      value === null ? next.delete(key) : next.set(key, value);
    return `${path}?${next}`;
  };
  const found = data?.tenant.products;
  const below = found?.facets.categories.filter((f) => f.category.parentId === (here?.id ?? null)) ?? [];
  const last = found ? Math.ceil(found.total / 24) : 1;
  return (
    <div class="list">
      <header>
        <h1>{here ? name(here) : query.get("q") ? `“${query.get("q")}”` : word("All")}</h1>
        <p class="muted">{found ? `${found.total} ${word("results")}` : "…"}</p>
        <label class="sort">
          <select
            value={variables.sort}
            aria-label={word("Filters")}
            onChange={(e) => go(to({ sort: e.currentTarget.value }))}
          >
            {Object.entries(sorts).map(([value, label]) => (
              <option value={value}>{word(label)}</option>
            ))}
          </select>
        </label>
      </header>
      <details class="facets" open={matchMedia("(min-width: 800px)").matches}>
        <summary>{word("Filters")}</summary>
        {below.length > 0 && <h3>{word("Categories")}</h3>}
        <ul>
          {below.map((f) => (
            <li key={f.category.id}>
              <Link
                to={`/c/${f.category.slug}${query.get("q") ? `?q=${encodeURIComponent(query.get("q")!)}` : ""}`}
              >
                {name(f.category)}
              </Link>{" "}
              <small>{f.count}</small>
            </li>
          ))}
        </ul>
        <h3>{word("Brands")}</h3>
        <ul>
          {found?.facets.brands.slice(0, 12).map((f) => (
            <li key={f.brand.id}>
              <Link
                to={to({ brand: variables.brand === f.brand.id ? null : f.brand.id })}
                class={variables.brand === f.brand.id ? "chosen" : ""}
              >
                {name(f.brand)}
              </Link>{" "}
              <small>{f.count}</small>
            </li>
          ))}
        </ul>
      </details>
      <div>
        {found ? (
          found.items.length > 0 ? (
            <Cards of={found.items} />
          ) : (
            <p>{word("Nothing was found.")}</p>
          )
        ) : (
          <div class="cards waiting" />
        )}
        {last > 1 && (
          <nav class="pages">
            {page > 1 && <Link to={to({ page: String(page - 1) })}>{word("Previous")}</Link>}
            <span>
              {page} / {last}
            </span>
            {page < last && <Link to={to({ page: String(page + 1) })}>{word("Next")}</Link>}
          </nav>
        )}
      </div>
    </div>
  );
}

type Variant = {
  id: string;
  price: number | null;
  compareAtPrice: number | null;
  priceCurrency: string;
  inStock: boolean;
  stockQuantity: number | null;
  options: { key: string; name: string; nameFa: string; label: string; labelFa: string }[];
  image: Image | null;
};

export function Product({ slug }: { slug: string }) {
  const [word, title, { shop, say, language }] = [useWords(), useTitle(), useHere()];
  const [chosen, choose] = useState<string | null>(null);
  const [shown, show] = useState(0);
  const [busy, setBusy] = useState(false);
  const { data, failed } = useData(slug, () =>
    ask<{
      tenant: {
        product: Card & {
          summary: string | null;
          description: string | null;
          images: (Image & { mediaId: string })[];
          variants: Variant[];
          related: Card[];
          expertReviews: { id: string; authorName: string; rate: number; text: string }[];
          categorySlug: string | null;
          categoryName: string | null;
          categoryNameFa: string | null;
        };
      };
    }>(
      `query($domain: String!, $slug: String!) { tenant(domain: $domain) { product(slug: $slug) {
    ${card} summary description categorySlug categoryName categoryNameFa images { mediaId ${imageFields} }
    variants { id price compareAtPrice priceCurrency inStock stockQuantity
      options { key name nameFa label labelFa } image { ${imageFields} } }
    expertReviews { id authorName rate text } related(first: 4) { ${card} } } } }`,
      { domain, slug },
    ),
  );
  if (failed) throw failed;
  if (!data) return <div class="product waiting" />;
  const p = data.tenant.product;
  const variant =
    p.variants.find((v) => v.id === chosen) ?? p.variants.find((v) => v.inStock) ?? p.variants[0];
  const own =
    chosen && variant?.image && !p.images.some((i) => i.url === variant.image!.url) ? variant.image : null;
  const add = async () => {
    setBusy(true);
    try {
      await addToCart(shop.id, variant!.id, 1);
      say(word("In your cart now."));
    } catch (error) {
      say((error as Error).message);
    }
    setBusy(false);
  };
  return (
    <>
      <article class="product">
        <div class="gallery">
          <Picture of={own ?? p.images[shown] ?? p.image} title={title(p)} eager />
          {p.images.length > 1 && (
            <div>
              {p.images.map((image, i) => (
                <button
                  key={image.mediaId}
                  type="button"
                  class={i === shown ? "chosen" : ""}
                  aria-label={`${title(p)} ${i + 1}`}
                  onClick={() => {
                    show(i);
                    choose(null);
                  }}
                >
                  <Picture of={image} title="" eager />
                </button>
              ))}
            </div>
          )}
        </div>
        <div>
          {p.categorySlug && (
            <Link to={`/c/${p.categorySlug}`} class="muted">
              {language === "en" ? p.categoryName : p.categoryNameFa}
            </Link>
          )}
          <h1>{title(p)}</h1>
          <p class="lead">{p.summary}</p>
          {variant && (
            <Price amount={variant.price} currency={variant.priceCurrency} before={variant.compareAtPrice} />
          )}
          {p.variants.length > 1 && (
            <div
              class="options"
              role="radiogroup"
              aria-label={p.variants[0]?.options[0]?.[language === "en" ? "name" : "nameFa"]}
            >
              {p.variants.map((v) => (
                <button
                  key={v.id}
                  type="button"
                  role="radio"
                  aria-checked={v.id === variant?.id}
                  disabled={!v.inStock}
                  onClick={() => choose(v.id)}
                >
                  {v.options.map((o) => (language === "en" ? o.label : o.labelFa)).join(" · ")}
                </button>
              ))}
            </div>
          )}
          <button
            type="button"
            class="button wide"
            disabled={busy || !variant?.inStock || variant.price === null}
            onClick={add}
          >
            {variant?.inStock ? word("Add to cart") : word("Out of stock")}
          </button>
          <p class="muted">
            {variant?.stockQuantity ? `${variant.stockQuantity} ${word("left")} · ` : ""}
            {word("Ships within two days")}
          </p>
          <p class="text">{p.description}</p>
        </div>
      </article>
      {p.expertReviews.length > 0 && (
        <section>
          <h2>{word("Reviews")}</h2>
          <ul class="reviews">
            {p.expertReviews.slice(0, 4).map((r) => (
              <li key={r.id}>
                <b>{r.authorName}</b> <em>★ {r.rate}/10</em>
                <p>{r.text}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {p.related.length > 0 && (
        <section>
          <h2>{word("You may also like")}</h2>
          <Cards of={p.related} />
        </section>
      )}
    </>
  );
}
