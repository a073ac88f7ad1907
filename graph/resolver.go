// Package graph resolves the GraphQL API, which is the service's primary interface; REST runs through it too.
//
// schema.graphql declares the API and gqlgen writes its execution (generated.go); the resolvers here are written
// by hand, one file for each domain of the schema. Package engine reads requests, admits callers, checks values
// and limits, and calls these resolvers.
//
// A resolver reaches a shop's records from its tenant (tenantOf) and a customer's from the customer (customerAt);
// package tenancy refuses a query that names no tenant. What is public begins with one of the queries of
// published.go. What changes something is decided by a package of its own: account, cart, order, partner.
//
// A public list takes these steps. Its resolver puts the arguments into one struct and makes a filter of it
// (products.go). The filter narrows a query, by the index of listings where it names a category or a tag
// (listings.go). The list knows its order and where a record stands in it (sorting.go, cursor.go), and is shown
// as a page by number (paging.go) or as a connection (connection.go). Both read only the columns that were asked
// for, and count only when asked; counts are kept until the shop's content changes (counts.go, facetcount.go).
// Fields of many records are resolved for all of them at once (batch.go, siblings.go), and what resolvers return is
// written by plans (plans.go, plans_gen.go).
package graph

import (
	"maps"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/ent"
	"storefront/graph/engine"
	"storefront/internal/account"
	"storefront/internal/cart"
	"storefront/internal/lookup"
	orders "storefront/internal/order"
	"storefront/internal/partner"
	"storefront/internal/webhook"
)

// Services are what the resolvers work with.
type Services struct {
	Store    *ent.Client // guarded by tenancy.Guard
	Tenants  *lookup.Tenants
	Accounts *account.Service
	Partners *partner.Service
	Carts    *cart.Service
	Orders   *orders.Service
	Webhooks *webhook.Service
	Moving   func() // is called when a category has got another parent and its records are to follow

	Metrics prometheus.Registerer // of the metrics of kept counts; nil: there are none

	PublicWritesInMinute int // comments, reviews and messages of one client address; 0: any number
}

// NewEngine makes the engine that runs documents with these resolvers. It fills what the engine has to know
// of them: o says the rest.
func NewEngine(s Services, o engine.Options) *engine.Engine {
	resolvers := &Resolver{
		store: s.Store, tenants: s.Tenants, catalog: NewCatalog(s.Store, s.Tenants, s.Metrics),
		accounts: s.Accounts, partners: s.Partners, carts: s.Carts, orders: s.Orders, webhooks: s.Webhooks,
		publicWrites: s.PublicWritesInMinute, moving: s.Moving,
		clock: o.Clock,
	}
	o.Executable = newExecutable(Config{
		Schema:     publicSchema(),
		Resolvers:  resolvers,
		Directives: DirectiveRoot{SignedIn: onlySignedIn, ApiKey: onlyPartners, Staff: resolvers.onlyStaff},
	})
	if !o.NoPlans {
		o.Planned = plannedFields(resolvers)
	}
	o.Customers, o.Partners = s.Accounts, s.Partners
	o.BeginRequest, o.OfOneMoment, o.Sources = withScope, resolvers.catalog.ofOneMoment, resolvers.catalog.sources
	o.MayStaff = resolvers.mayStaff
	o.MaxPageSize, o.SizeArguments = maxPageSize, []string{"pageSize", "first", "last"}
	o.FromReplicas = resolvers.catalog.fromReplicas
	return engine.New(o)
}

// publicSchema is the schema without the directives that clients must not see: those that only gqlgen reads, and
// @defer, which gqlgen declares but which needs answers in parts; this API answers a request at once.
func publicSchema() *ast.Schema {
	public := *parsedSchema
	public.Directives = maps.Clone(public.Directives)
	for _, name := range append([]string{"defer"}, storefront.PrivateDirectives...) {
		delete(public.Directives, name)
	}
	return &public
}

// Resolver holds what the resolvers work with.
type Resolver struct {
	store    *ent.Client // guarded by tenancy.Guard
	tenants  *lookup.Tenants
	catalog  *Catalog
	accounts *account.Service
	partners *partner.Service
	carts    *cart.Service
	orders   *orders.Service
	webhooks *webhook.Service

	publicWrites int              // Services.PublicWritesInMinute
	moving       func()           // Services.Moving
	clock        func() time.Time // the time that requests see
}

// The resolvers of the types that need any, spread over the files of this package.
type (
	queryResolver         struct{ r *Resolver }
	mutationResolver      struct{ r *Resolver }
	tenantResolver        struct{ r *Resolver }
	categoryResolver      struct{ r *Resolver }
	categoryGroupResolver struct{ r *Resolver }
	brandResolver         struct{ r *Resolver }
	brandGroupResolver    struct{ r *Resolver }
	storeSpecialResolver  struct{ r *Resolver }
	productResolver       struct{ r *Resolver }
	variantResolver       struct{ r *Resolver }
	userProductResolver   struct{ r *Resolver }
	blogResolver          struct{ r *Resolver }
	portfolioResolver     struct{ r *Resolver }
	staffMemberResolver   struct{ r *Resolver }
	userResolver          struct{ r *Resolver }
	orderResolver         struct{ r *Resolver }
	favoriteResolver      struct{ r *Resolver }

	webhookResolver         struct{ r *Resolver }
	webhookDeliveryResolver struct{ r *Resolver }
	partnerKeyResolver      struct{ r *Resolver }
)

func (r *Resolver) User() UserResolver                   { return userResolver{r} }
func (r *Resolver) Query() QueryResolver                 { return queryResolver{r} }
func (r *Resolver) Mutation() MutationResolver           { return mutationResolver{r} }
func (r *Resolver) Tenant() TenantResolver               { return tenantResolver{r} }
func (r *Resolver) Category() CategoryResolver           { return categoryResolver{r} }
func (r *Resolver) CategoryGroup() CategoryGroupResolver { return categoryGroupResolver{r} }
func (r *Resolver) Brand() BrandResolver                 { return brandResolver{r} }
func (r *Resolver) BrandGroup() BrandGroupResolver       { return brandGroupResolver{r} }
func (r *Resolver) StoreSpecial() StoreSpecialResolver   { return storeSpecialResolver{r} }
func (r *Resolver) Product() ProductResolver             { return productResolver{r} }
func (r *Resolver) Variant() VariantResolver             { return variantResolver{r} }
func (r *Resolver) UserProduct() UserProductResolver     { return userProductResolver{r} }
func (r *Resolver) Blog() BlogResolver                   { return blogResolver{r} }
func (r *Resolver) Order() OrderResolver                 { return orderResolver{r} }
func (r *Resolver) Favorite() FavoriteResolver           { return favoriteResolver{r} }
func (r *Resolver) Portfolio() PortfolioResolver         { return portfolioResolver{r} }
func (r *Resolver) StaffMember() StaffMemberResolver     { return staffMemberResolver{r} }

func (r *Resolver) Webhook() WebhookResolver                 { return webhookResolver{r} }
func (r *Resolver) WebhookDelivery() WebhookDeliveryResolver { return webhookDeliveryResolver{r} }
func (r *Resolver) PartnerKey() PartnerKeyResolver           { return partnerKeyResolver{r} }
