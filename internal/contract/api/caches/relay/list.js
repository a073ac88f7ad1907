// Fragments as a storefront on Relay has them: each is asked for again by itself.
graphql`
  fragment list_product on Product @refetchable(queryName: "listProductRefetchQuery") {
    slug
    titleEn
    priceMoney {
      amount
      currency
    }
    inStock
  }
`
graphql`
  fragment list_shop on Tenant
  @argumentDefinitions(first: { type: "Int", defaultValue: 4 }, after: { type: "String" })
  @refetchable(queryName: "listShopRefetchQuery") {
    name
    productsConnection(first: $first, after: $after) @connection(key: "list_shop_productsConnection") {
      edges {
        node {
          nodeId
          ...list_product
        }
      }
    }
  }
`
graphql`
  query listQuery($domain: String!) {
    tenant(domain: $domain) {
      nodeId
      ...list_shop
    }
  }
`
graphql`
  query listNodesQuery($ids: [ID!]!) {
    nodes(ids: $ids) {
      nodeId
      ...list_product @alias
    }
  }
`
