// The shop, and what all documents share.
import { initGraphQLTada } from "gql.tada";
import { Storefront } from "storefront-client";
import type { introspection } from "./schema";

const said = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)!.content;
const fromEnvironment = (import.meta as unknown as { env?: Record<string, string> }).env?.VITE_SERVICE;

export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { Time: string; Decimal: number };
}>();

export const MoneyFields = graphql(`fragment MoneyFields on Money { amount currency decimals minor }`);
export const ImageFields = graphql(`fragment ImageFields on Media { url alt(language: requested) width height placeholderColor }`);

export const CartFields = graphql(
  `fragment CartFields on Cart {
    id totalQuantity subtotalMoney { ...MoneyFields }
    items {
      id productSlug title quantity availableQuantity warning
      lineTotalMoney { ...MoneyFields } options { label(language: requested) } image { ...ImageFields }
    }
  }`,
  [MoneyFields, ImageFields],
);

/** The data of every page, in its language: the client asks for that of `<html lang>`. The first page reads it together with its own, in one request. */
export const Frame = graphql(
  `fragment Frame on Query {
    tenant(domain: $domain) {
      name(language: requested) primaryColor categories { id slug name(language: requested) parentId itemCount }
    }
    cart(domain: $domain, cartToken: $cartToken) @include(if: $hasCart) { ...CartFields }
  }`,
  [CartFields],
);

export const shop = new Storefront({
  url: fromEnvironment || said("service"),
  domain: said("shop"),
  cart: CartFields,
  order: graphql(`fragment PlacedOrder on Order { id }`),
});
