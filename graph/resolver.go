// Package graph resolves the GraphQL API, which is the service's primary interface; REST runs through it too.
//
// schema.graphql declares the API and gqlgen generates its execution (package exec); the resolvers here are written by
// hand, one file for each domain of the schema, which says what each field is: a comment at a resolver adds what the
// schema does not say. Package engine reads requests, admits callers, checks values and limits, and calls these
// resolvers. What they take and give is in package api.
//
// A resolver reaches a shop's records from its tenant (Catalog.ShopAt) and a customer's from the customer (customerAt);
// package tenancy refuses a query that names no tenant. Public lists are read by package catalog. What changes
// something is decided by a package of its own: account, cart, order, partner.
package graph

import (
	"time"

	"storefront/ent"
	"storefront/graph/document"
	"storefront/graph/engine"
	"storefront/graph/exec"
	"storefront/internal/catalog"
	"storefront/internal/catalog/lookup"
	"storefront/internal/content/transfer"
	"storefront/internal/customer/account"
	"storefront/internal/customer/contact"
	"storefront/internal/customer/opinion"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/customer/submission"
	"storefront/internal/event/live"
	"storefront/internal/event/webhook"
	"storefront/internal/list"
	"storefront/internal/media"
	"storefront/internal/message/notice"
	"storefront/internal/message/partner"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/gatewayaccount"
	orders "storefront/internal/sale/order"
	"storefront/internal/sale/payment"
	"storefront/internal/sale/report"
	"storefront/internal/shop/staff"
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
	Payments *payment.Service
	Reports  *report.Service
	Webhooks *webhook.Service
	Notices  *notice.Service
	Links    *staff.Links
	Tokens   *staff.Tokens
	Sheets   *transfer.Service
	Media    *media.Service
	Live     *live.Service
	Gateways *gatewayaccount.Service
	Moving   func() // called when a category has moved and its records must be updated

	Rules
}

// Rules are settings that resolvers obey.
type Rules struct {
	PublicWritesInMinute int  // comments, reviews and messages of one client address; 0: any number
	OperatorsNeedFactor  bool // operators of the service need a second factor
	NoIntrospection      bool // client documents may not ask for the schema
}

// NewEngine makes the engine that runs documents with these resolvers. It sets those options that depend on
// the resolvers; the others come from o.
func NewEngine(s Services, o engine.Options) *engine.Engine {
	forms := &submission.Service{Store: s.Store, Clock: o.Clock, InMinute: s.PublicWritesInMinute}
	resolvers := &Resolver{Services: s, clock: o.Clock,
		opinions: &opinion.Service{Store: s.Store, Forms: forms},
		contacts: &contact.Service{Store: s.Store, Clock: o.Clock, Notices: s.Notices, Forms: forms}}
	schema := exec.PublicSchema()
	o.Executable = exec.NewExecutable(exec.Config{
		Schema:    schema,
		Resolvers: resolvers.root(),
		Directives: exec.DirectiveRoot{
			SignedIn: onlySignedIn, ApiKey: onlyPartners, Staff: resolvers.onlyStaff, InLanguage: inLanguage,
		},
	})
	o.Documents = document.NewReader(document.Options{
		Schema: schema, Planned: exec.PlannedFields(resolvers.root()), Log: o.Log, MaxPageSize: list.MaxSize,
		SizeArguments: []string{"pageSize", "first", "last"}, NoIntrospection: s.NoIntrospection,
	})
	o.Customer, o.Partner = s.Accounts.Authenticate, s.Partners.Authenticate
	o.Program, o.IsProgram = s.Tokens.Authenticate, s.Tokens.Is
	o.BeginRequest, o.ReadConsistently, o.Sources = catalog.WithScope, resolvers.Catalog.ReadConsistently,
		resolvers.Catalog.Sources
	o.MayStaff, o.ShopsAt = resolvers.mayStaff, resolvers.shopsAt
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
