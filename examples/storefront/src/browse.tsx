// The public pages: home and a product. Lists are in list.tsx.
import type { ResultOf } from "gql.tada";
import { useState } from "preact/hooks";
import { Frame, graphql, ImageFields, MoneyFields, shop } from "./shop";
import { Link, Picture, Price, Title, useHere, useNumber, usePage, useWords } from "./ui";

export const Card = graphql(
  `fragment Card on Product {
    slug title inStock ratingAverage brandName(language: requested)
    priceMoney { ...MoneyFields } image { ...ImageFields }
  }`,
  [MoneyFields, ImageFields],
);

export function Cards({ of }: { of: ResultOf<typeof Card>[] }) {
  const [word, number] = [useWords(), useNumber()];
  return (
    <ul class="cards">
      {of.map((p, i) => (
        <li key={p.slug}>
          <Link to={`/p/${encodeURIComponent(p.slug)}`} class="card">
            <Picture of={p.image} title={p.title} eager={i < 4} />
            <strong>{p.title}</strong>
            <small>
              {p.brandName}
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

const HomePage = graphql(
  `query Home($domain: String!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
    tenant(domain: $domain) {
      sliders {
        slides {
          id title(language: requested) subtitle(language: requested) buttonText(language: requested) linkUrl
          image { ...ImageFields }
        }
      }
      storeSpecials {
        id title(language: requested)
        items {
          id productSlug title image { ...ImageFields }
          priceMoney { ...MoneyFields } compareAtPriceMoney { ...MoneyFields }
        }
      }
      products(pageSize: 8, inStore: true) { items { ...Card } }
    }
  }`,
  [Frame, Card, ImageFields, MoneyFields],
);

export function Home() {
  const [word, number, { frame }] = [useWords(), useNumber(), useHere()];
  const tenant = usePage(HomePage, {}).data?.tenant;
  if (!tenant || !frame) return <div class="hero waiting" />;
  const slide = tenant.sliders[0]?.slides[0];
  const roots = frame.categories.filter((c) => c.parentId === null);
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
            <b>{c.name}</b>
            <small>{number(c.itemCount)}</small>
          </Link>
        ))}
      </nav>
      {tenant.storeSpecials.slice(0, 1).map((special) => (
        <section key={special.id}>
          <h2>
            {word("On offer")} · {special.title}
          </h2>
          <ul class="cards strip">
            {special.items.slice(0, 8).map((v) => (
              <li key={v.id}>
                <Link to={`/p/${encodeURIComponent(v.productSlug)}`} class="card">
                  <Picture of={v.image} title={v.title} />
                  <strong>{v.title}</strong>
                  <Price of={v.priceMoney} before={v.compareAtPriceMoney} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h2>{word("New arrivals")}</h2>
        <Cards of={tenant.products.items} />
      </section>
    </>
  );
}

const ProductPage = graphql(
  `query Product($domain: String!, $slug: String!, $cold: Boolean!, $cartToken: String, $hasCart: Boolean!) {
    ...Frame @include(if: $cold)
    tenant(domain: $domain) {
      product(slug: $slug) {
        ...Card
        summary(language: requested) description(language: requested) categorySlug categoryName(language: requested)
        images { mediaId ...ImageFields }
        variants {
          id priceMoney { ...MoneyFields } compareAtPriceMoney { ...MoneyFields } inStock stockQuantity
          options { key name(language: requested) label(language: requested) } image { ...ImageFields }
        }
        expertReviews { id authorName rate text }
        related(first: 4) { ...Card }
      }
    }
  }`,
  [Frame, Card, ImageFields, MoneyFields],
);

export function Product({ slug }: { slug: string }) {
  const [word, number, { say }] = [useWords(), useNumber(), useHere()];
  const [chosen, choose] = useState<string | null>(null);
  const [shown, show] = useState(0);
  const [busy, setBusy] = useState(false);
  const p = usePage(ProductPage, { slug }).data?.tenant?.product;
  if (!p) return <div class="product waiting" />;
  const variant =
    p.variants.find((v) => v.id === chosen) ?? p.variants.find((v) => v.inStock) ?? p.variants[0];
  const own =
    chosen && variant?.image && !p.images.some((i) => i.url === variant.image!.url) ? variant.image : null;
  const add = async () => {
    setBusy(true);
    try {
      await shop.cart.add({ storeItemVariantId: variant!.id });
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
          <Picture of={own ?? p.images[shown] ?? p.image} title={p.title} eager />
          {p.images.length > 1 && (
            <div>
              {p.images.map((image, i) => (
                <button
                  key={image.mediaId}
                  type="button"
                  class={i === shown ? "chosen" : ""}
                  aria-label={`${p.title} ${i + 1}`}
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
              {p.categoryName}
            </Link>
          )}
          <Title text={p.title} />
          <p class="lead" dir="auto">
            {p.summary}
          </p>
          {variant && <Price of={variant.priceMoney} before={variant.compareAtPriceMoney} />}
          {p.variants.length > 1 && (
            <div
              class="options"
              role="radiogroup"
              aria-label={p.variants[0]?.options[0]?.name}
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
                  {v.options.map((o) => o.label).join(" · ")}
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
          <p class="text" dir="auto">
            {p.description}
          </p>
        </div>
      </article>
      {p.expertReviews.length > 0 && (
        <section>
          <h2>{word("Reviews")}</h2>
          <ul class="reviews">
            {p.expertReviews.slice(0, 4).map((r) => (
              <li key={r.id}>
                <b>{r.authorName}</b>{" "}
                <em>
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
