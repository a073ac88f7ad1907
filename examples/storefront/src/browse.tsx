// The public pages: home and a product. Lists are in list.tsx.
import { useState } from "preact/hooks";
import { ask, domain } from "./api";
import { addToCart, imageFields, type Image } from "./cart";
import { moneyFields, type Money } from "./money";
import { Link, Picture, Price, useData, useHere, useName, useNumber, useTitle, useWords } from "./ui";

export type Card = {
  slug: string;
  titleFa: string;
  titleEn: string | null;
  priceMoney: Money | null;
  inStock: boolean;
  ratingAverage: number | null;
  brandName: string | null;
  brandNameFa: string | null;
  image: Image | null;
};
export const card = `slug titleFa titleEn priceMoney { ${moneyFields} } inStock ratingAverage brandName brandNameFa
  image { ${imageFields} }`;

export function Cards({ of }: { of: Card[] }) {
  const [title, word, number, { language }] = [useTitle(), useWords(), useNumber(), useHere()];
  return (
    <ul class="cards">
      {of.map((p, i) => (
        <li key={p.slug}>
          <Link to={`/p/${encodeURIComponent(p.slug)}`} class="card">
            <Picture of={p.image} title={title(p)} eager={i < 4} />
            <strong>{title(p)}</strong>
            <small>
              {language === "en" ? p.brandName : p.brandNameFa}
              {p.ratingAverage ? <em> ★ {number(p.ratingAverage)}</em> : null}
            </small>
            {p.inStock ? (
              <Price of={p.priceMoney} />
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
  const [word, title, name, number, { shop }] = [useWords(), useTitle(), useName(), useNumber(), useHere()];
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
            priceMoney: Money | null;
            compareAtPriceMoney: Money | null;
            image: Image | null;
          }[];
        }[];
        products: { items: Card[] };
      };
    }>(
      `query($domain: String!) { tenant(domain: $domain) {
    sliders { slides { id title subtitle buttonText linkUrl image { ${imageFields} } } }
    storeSpecials { id title items { id productSlug titleFa titleEn priceMoney { ${moneyFields} }
      compareAtPriceMoney { ${moneyFields} } image { ${imageFields} } } }
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
            <small>{number(c.itemCount)}</small>
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
                  <Price of={v.priceMoney} before={v.compareAtPriceMoney} />
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

type Variant = {
  id: string;
  priceMoney: Money | null;
  compareAtPriceMoney: Money | null;
  inStock: boolean;
  stockQuantity: number | null;
  options: { key: string; name: string; nameFa: string; label: string; labelFa: string }[];
  image: Image | null;
};

export function Product({ slug }: { slug: string }) {
  const [word, title, number, { say, language }] = [useWords(), useTitle(), useNumber(), useHere()];
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
    variants { id priceMoney { ${moneyFields} } compareAtPriceMoney { ${moneyFields} } inStock stockQuantity
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
      await addToCart(variant!.id, 1);
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
          {variant && <Price of={variant.priceMoney} before={variant.compareAtPriceMoney} />}
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
            disabled={busy || !variant?.inStock || variant.priceMoney === null}
            onClick={add}
          >
            {variant?.inStock ? word("Add to cart") : word("Out of stock")}
          </button>
          <p class="muted">
            {variant?.stockQuantity ? `${number(variant.stockQuantity)} ${word("left")} · ` : ""}
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
                <b>{r.authorName}</b> <em>
                  ★ {number(r.rate)}/{number(10)}
                </em>
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
