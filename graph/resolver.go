// Package graph resolves the GraphQL API, which is the service's primary interface; REST runs through it too.
//
// schema.graphql declares the API and gqlgen generates its execution (package exec); the resolvers here are written by
// hand, one file for each domain of the schema. Package engine reads requests, admits callers, checks values and
// limits, and calls these resolvers. What they take and give is in package model.
//
// A resolver reaches a shop's records from its tenant (Catalog.ShopAt) and a customer's from the customer (customerAt);
// package tenancy refuses a query that names no tenant. Public lists are read by package catalog. What changes
// something is decided by a package of its own: account, cart, order, partner.
package graph

import (
	"time"

	"storefront/ent"
	"storefront/graph/engine"
	"storefront/graph/exec"
	"storefront/internal/account"
	"storefront/internal/cart"
	"storefront/internal/catalog"
	"storefront/internal/contact"
	"storefront/internal/live"
	"storefront/internal/lookup"
	"storefront/internal/media"
	"storefront/internal/notice"
	"storefront/internal/opinion"
	orders "storefront/internal/order"
	"storefront/internal/partner"
	"storefront/internal/report"
	"storefront/internal/secondfactor"
	"storefront/internal/staff"
	"storefront/internal/submission"
	"storefront/internal/transfer"
	"storefront/internal/webhook"
)

// Services are what the resolvers work with.
type Services struct {
	Store    *ent.Client // guarded by tenancy.Guard
	Tenants  *lookup.Tenants
	Catalog  *catalog.Catalog
	Accounts *account.Service
	Factors  *secondfactor.Factors
	Partners *partner.Service
	Carts    *cart.Service
	Orders   *orders.Service
	Reports  *report.Service
	Webhooks *webhook.Service
	Notices  *notice.Service
	Links    *staff.Links
	Tokens   *staff.Tokens
	Sheets   *transfer.Service
	Media    *media.Service
	Live     *live.Service
	Moving   func() // called when a category has moved and its records must be updated

	PublicWritesInMinute int // comments, reviews and messages of one client address; 0: any number

	OperatorsNeedFactor bool // operators of the service need a second factor
}

// NewEngine makes the engine that runs documents with these resolvers. It sets those options that depend on
// the resolvers; the others come from o.
func NewEngine(s Services, o engine.Options) *engine.Engine {
	forms := &submission.Service{Store: s.Store, Clock: o.Clock, InMinute: s.PublicWritesInMinute}
	resolvers := &Resolver{Services: s, clock: o.Clock,
		opinions: &opinion.Service{Store: s.Store, Forms: forms},
		contacts: &contact.Service{Store: s.Store, Clock: o.Clock, Notices: s.Notices, Forms: forms}}
	o.Executable = exec.NewExecutable(exec.Config{
		Schema:    exec.PublicSchema(),
		Resolvers: resolvers,
		Directives: exec.DirectiveRoot{
			SignedIn: onlySignedIn, ApiKey: onlyPartners, Staff: resolvers.onlyStaff, InLanguage: inLanguage,
		},
	})
	if !o.NoPlans {
		o.Planned = exec.PlannedFields(resolvers)
	}
	o.Customers, o.Partners = s.Accounts, s.Partners
	o.Programs = resolvers.Tokens
	o.BeginRequest, o.ReadConsistently, o.Sources = catalog.WithScope, resolvers.Catalog.ReadConsistently,
		resolvers.Catalog.Sources
	o.MayStaff, o.ShopsAt = resolvers.mayStaff, resolvers.shopsAt
	o.MaxPageSize, o.SizeArguments = catalog.MaxPageSize, []string{"pageSize", "first", "last"}
	resolvers.engine = engine.New(o)
	return resolvers.engine
}

// Resolver is the root of the resolvers.
type Resolver struct {
	Services
	opinions *opinion.Service
	contacts *contact.Service
	engine   *engine.Engine   // which runs the resolvers
	clock    func() time.Time // the time that requests see
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
	staffProductResolver  struct{ r *Resolver }
	staffListingResolver  struct{ r *Resolver }
	commentResolver       struct{ r *Resolver }
	expertReviewResolver  struct{ r *Resolver }
	accessTokenResolver   struct{ r *Resolver }
	auditEntryResolver    struct{ r *Resolver }
	userResolver          struct{ r *Resolver }
	orderResolver         struct{ r *Resolver }
	orderItemResolver     struct{ r *Resolver }
	paymentResolver       struct{ r *Resolver }
	receiptResolver       struct{ r *Resolver }
	cartItemResolver      struct{ r *Resolver }
	favoriteResolver      struct{ r *Resolver }

	webhookResolver         struct{ r *Resolver }
	webhookDeliveryResolver struct{ r *Resolver }
	subscriptionResolver    struct{ r *Resolver }
	orderUpdateResolver     struct{ r *Resolver }
	shopOrderUpdateResolver struct{ r *Resolver }
	partnerKeyResolver      struct{ r *Resolver }
	mediaFileResolver       struct{ r *Resolver }

	userProductContentResolver struct{ r *Resolver }

	staffInvitationResolver   struct{ r *Resolver }
	contactSubmissionResolver struct{ r *Resolver }
)

func (r *Resolver) StaffInvitation() exec.StaffInvitationResolver { return staffInvitationResolver{r} }

func (r *Resolver) ContactSubmission() exec.ContactSubmissionResolver {
	return contactSubmissionResolver{r}
}

func (r *Resolver) User() exec.UserResolver { return userResolver{r} }

func (r *Resolver) StaffProduct() exec.StaffProductResolver { return staffProductResolver{r} }

func (r *Resolver) StaffListing() exec.StaffListingResolver { return staffListingResolver{r} }

func (r *Resolver) UserProductContent() exec.UserProductContentResolver {
	return userProductContentResolver{r}
}

func (r *Resolver) Comment() exec.CommentResolver { return commentResolver{r} }

func (r *Resolver) ExpertReview() exec.ExpertReviewResolver { return expertReviewResolver{r} }

func (r *Resolver) Query() exec.QueryResolver { return queryResolver{r} }

func (r *Resolver) Mutation() exec.MutationResolver { return mutationResolver{r} }

func (r *Resolver) Subscription() exec.SubscriptionResolver { return subscriptionResolver{r} }

func (r *Resolver) OrderUpdate() exec.OrderUpdateResolver { return orderUpdateResolver{r} }

func (r *Resolver) ShopOrderUpdate() exec.ShopOrderUpdateResolver { return shopOrderUpdateResolver{r} }

func (r *Resolver) Tenant() exec.TenantResolver { return tenantResolver{r} }

func (r *Resolver) Category() exec.CategoryResolver { return categoryResolver{r} }

func (r *Resolver) CategoryGroup() exec.CategoryGroupResolver { return categoryGroupResolver{r} }

func (r *Resolver) Brand() exec.BrandResolver { return brandResolver{r} }

func (r *Resolver) BrandGroup() exec.BrandGroupResolver { return brandGroupResolver{r} }

func (r *Resolver) StoreSpecial() exec.StoreSpecialResolver { return storeSpecialResolver{r} }

func (r *Resolver) Product() exec.ProductResolver { return productResolver{r} }

func (r *Resolver) Variant() exec.VariantResolver { return variantResolver{r} }

func (r *Resolver) UserProduct() exec.UserProductResolver { return userProductResolver{r} }

func (r *Resolver) Blog() exec.BlogResolver { return blogResolver{r} }

func (r *Resolver) Order() exec.OrderResolver { return orderResolver{r} }

func (r *Resolver) OrderItem() exec.OrderItemResolver { return orderItemResolver{r} }

func (r *Resolver) Payment() exec.PaymentResolver { return paymentResolver{r} }

func (r *Resolver) Receipt() exec.ReceiptResolver { return receiptResolver{r} }

func (r *Resolver) CartItem() exec.CartItemResolver { return cartItemResolver{r} }

func (r *Resolver) Favorite() exec.FavoriteResolver { return favoriteResolver{r} }

func (r *Resolver) Portfolio() exec.PortfolioResolver { return portfolioResolver{r} }

func (r *Resolver) StaffMember() exec.StaffMemberResolver { return staffMemberResolver{r} }

func (r *Resolver) AccessToken() exec.AccessTokenResolver { return accessTokenResolver{r} }

func (r *Resolver) AuditEntry() exec.AuditEntryResolver { return auditEntryResolver{r} }

func (r *Resolver) Webhook() exec.WebhookResolver { return webhookResolver{r} }

func (r *Resolver) WebhookDelivery() exec.WebhookDeliveryResolver { return webhookDeliveryResolver{r} }

func (r *Resolver) PartnerKey() exec.PartnerKeyResolver { return partnerKeyResolver{r} }

func (r *Resolver) MediaFile() exec.MediaFileResolver { return mediaFileResolver{r} }
