package tenancy_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/ent/variant"
	"storefront/internal/catalog/selection"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/webhook"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
)

// shops holds two tenants, each with records of every type.
var shops = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	for _, name := range []string{"tools", "mugs"} {
		summary, err := bundle.Import(ctx, s, bundle.File("../../contract/shoptest/testdata/"+name+".bundle.json"), nil)
		if err != nil {
			return err
		}
		if _, err := bundle.Import(ctx, s, bundle.Bytes([]byte(`{"format": "storefront-bundle/1",
			"tenant": {"domain": "`+name+`.example"}, "deliveryMethods": [{"key": "post", "name": "Post",
			"nameFa": "پست",
			"kind": "pick_up", "priceCurrency": "IRT"}], "taxRates": [{"key": "vat", "category": "a",
			"name": "VAT", "nameFa": "مالیات", "rate": 1}]}`)), nil); err != nil {
			return err
		}
		own := tenancy.In(ctx, summary.Tenant)
		if err := s.Client.ContactSubmission.Create().SetTitle("A").SetName("B").SetText("C").
			Exec(own); err != nil {
			return err
		}
		if err := s.Client.MediaFile.Create().SetAddress("/media/x").SetHash([]byte("hash")).SetKind(record.PNG).
			SetSize(1).SetTotalSize(1).SetWidth(1).SetHeight(1).Exec(own); err != nil {
			return err
		}
		if err := s.Client.MovedSlug.Create().SetKind(string(record.SlugProduct)).SetSlug("a-mug").
			SetRecordID(summary.Tenant).Exec(derive.Alone(own)); err != nil {
			return err
		}
		if err := s.Client.WebhookEndpoint.Create().SetURL("https://hooks.example/").SetSecret([]byte("a secret")).
			SetEvents(record.OrderPlaced.Bit()).Exec(own); err != nil { // to which buy sends an event
			return err
		}
		if err := buy(own, s.Client, summary.Tenant); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := keepDay.Exec(own, s.Client.Raw(), database.Values{"tenant": summary.Tenant}); err != nil {
			return err
		}
	}
	return webhook.New(webhook.Options{Store: s.Client, Clock: time.Now}).Prepare(ctx)
})

// keepDay stores figures as package report does, which ent has no builder for.
var keepDay = database.Statement(`INSERT INTO order_days (tenant_id, day, figures, number)
	VALUES ($tenant, 1, '', 1)`)

// buy adds a customer of a shop with an order of a mug, another mug in the cart, and the mug as a favorite.
func buy(own context.Context, client *ent.Client, shop uuid.UUID) error {
	mug, err := client.Variant.Query().Where(variant.Sku("MUG-S")).Only(own)
	if err != nil {
		return err
	}
	customer, err := client.User.Create().SetCellNumber("+98912" + mug.ID.String()).Save(own)
	if err != nil {
		return err
	}
	of := cart.Owner{Business: shop, User: customer.ID}
	carts := cart.New(client, time.Now)
	if _, err := carts.Add(own, of, cart.Added{Variant: mug.ID, Quantity: 1}); err != nil {
		return err
	}
	ordered, err := order.New(client, carts, time.Now).
		Checkout(own, of, order.Request{Arrived: time.Now(), Payment: order.Payment{Type: record.PayInCash}})
	if err != nil {
		return err
	}
	if _, err := client.Receipt.Create().SetOrderID(ordered.ID).SetUserID(customer.ID).SetHash([]byte("hash")).
		SetSize(1).SetWidth(1).SetHeight(1).Save(own); err != nil {
		return err
	}
	if err := client.OrderCharge.Create().SetOrderID(ordered.ID).SetKind(record.ChargeDelivery).SetName("Post").
		SetAmount(0).Exec(own); err != nil {
		return err
	}
	at, err := client.GatewayAccount.Create().SetGateway("zibal").SetIsTest(true).SetLast4("ibal").Save(own)
	if err != nil {
		return err
	}
	if err := client.GatewayEvent.Create().SetGatewayAccountID(at.ID).SetEvent("1").Exec(own); err != nil {
		return err
	}
	if err := client.Refund.Create().SetOrderID(ordered.ID).SetPaymentID(ordered.Edges.Payments[0].ID).SetAmount(1).
		SetStatus(record.RefundAsked).Exec(own); err != nil {
		return err
	}
	if _, err := carts.Add(own, of, cart.Added{Variant: mug.ID, Quantity: 1}); err != nil {
		return err
	}
	return client.Favorite.Create().SetUserID(customer.ID).SetProductID(mug.ProductID).Exec(own)
}

// guarded is a database with a guarded client and an unguarded one.
type guarded struct {
	client, bare *ent.Client
	mine, theirs uuid.UUID // tenants
}

func eachDatabase(t *testing.T, f func(t *testing.T, g guarded)) {
	shops.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		id := func(slug string) uuid.UUID {
			id, err := s.Client.Tenant.Query().Where(tenant.Slug(slug)).OnlyID(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		f(t, guarded{client: s.Client, bare: ent.NewClient(ent.Driver(s.Driver())), mine: id("tools"),
			theirs: id("mugs")})
	})
}

// The clients of different types have the same methods but no common type, so the functions below call them
// by name. That way a new type is tested from its first day.

// owned returns the names of all types whose records belong to a tenant, but for those that the service does not read
// by ent: their methods are not generated.
func owned() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(ent.TenantOwned)), func(name string) bool {
		client, _ := reflect.TypeFor[ent.Client]().FieldByName(name)
		query, ok := client.Type.MethodByName("Query")
		if ok {
			_, ok = query.Type.Out(0).MethodByName("All")
		}
		return !ok
	})
}

// clientOf returns the client of a type.
func clientOf(client any, name string) reflect.Value {
	return reflect.ValueOf(client).Elem().FieldByName(name)
}

// errMissing is the error of a method that is not generated, because nothing uses it; so it can do no harm.
var errMissing = errors.New("nothing uses this method")

// call calls a method and returns its first result and its error.
func call(on reflect.Value, method string, args ...any) (any, error) {
	if !on.IsValid() || !on.MethodByName(method).IsValid() {
		return nil, errMissing
	}
	values := make([]reflect.Value, len(args))
	for i, arg := range args {
		values[i] = reflect.ValueOf(arg)
	}
	results := on.MethodByName(method).Call(values)
	err, _ := results[len(results)-1].Interface().(error)
	return results[0].Interface(), err
}

// build calls a method that returns a builder.
func build(on reflect.Value, method string, args ...any) reflect.Value {
	built, _ := call(on, method, args...)
	return reflect.ValueOf(built)
}

// ids returns the ids of all records of a type by tenant, read without a guard.
func (g guarded) ids(t testing.TB, name string) map[uuid.UUID][]any {
	t.Helper()
	rows, err := call(build(clientOf(g.bare, name), "Query"), "All", t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of := map[uuid.UUID][]any{}
	for i := range reflect.ValueOf(rows).Len() {
		row := reflect.ValueOf(rows).Index(i).Elem()
		owner := row.FieldByName("TenantID").Interface().(uuid.UUID)
		of[owner] = append(of[owner], row.FieldByName("ID").Interface())
	}
	if len(of[g.mine]) == 0 || len(of[g.theirs]) == 0 {
		t.Fatalf("there must be a %s of both tenants", name)
	}
	return of
}

// wrong reports whether an existing method has failed.
func wrong(err error) bool { return err != nil && err != errMissing }

// refused reports whether an error is the guard's own.
func refused(err error) bool { return err != nil && strings.HasPrefix(err.Error(), "tenancy:") }

// TestNoTenant tries to read and write without a tenant.
func TestNoTenant(t *testing.T) {
	eachDatabase(t, func(t *testing.T, g guarded) {
		for _, name := range owned() {
			id := g.ids(t, name)[g.mine][0]
			client := clientOf(g.client, name)
			refusals := 0
			for _, ctx := range []context.Context{t.Context(), tenancy.In(t.Context(), uuid.Nil)} {
				attempts := map[string]func() (any, error){
					"Get":   func() (any, error) { return call(client, "Get", ctx, id) },
					"All":   func() (any, error) { return call(build(client, "Query"), "All", ctx) },
					"First": func() (any, error) { return call(build(client, "Query"), "First", ctx) },
					"IDs":   func() (any, error) { return call(build(client, "Query"), "IDs", ctx) },
					"Count": func() (any, error) { return call(build(client, "Query"), "Count", ctx) },
					"Exist": func() (any, error) { return call(build(client, "Query"), "Exist", ctx) },
					"query of tenants": func() (any, error) {
						return call(build(build(client, "Query"), "QueryTenant"),
							"All", ctx)
					},
					"create": func() (any, error) { return call(build(client, "Create"), "Save", ctx) },
					"create with a tenant": func() (any, error) {
						return call(build(build(client, "Create"), "SetTenantID", g.mine), "Save", ctx)
					},
					"create some": func() (any, error) {
						one := build(client, "Create")
						if !one.IsValid() {
							return nil, errMissing
						}
						return call(build(client, "CreateBulk", one.Interface()), "Save", ctx)
					},
					"update":     func() (any, error) { return call(build(client, "Update"), "Save", ctx) },
					"update one": func() (any, error) { return call(build(client, "UpdateOneID", id), "Save", ctx) },
					"delete":     func() (any, error) { return call(build(client, "Delete"), "Exec", ctx) },
					"delete one": func() (any, error) { return call(build(client, "DeleteOneID", id), "Exec", ctx) },
				}
				for what, attempt := range attempts {
					switch _, err := attempt(); {
					case errors.Is(err, tenancy.ErrNoTenant):
						refusals++
					case !errors.Is(err, errMissing):
						t.Errorf("%s, %s: %v", name, what, err)
					}
				}
			}
			least := 2 // reading, with no tenant and with a nil one
			for _, write := range []string{"Create", "Update", "UpdateOneID", "Delete", "DeleteOneID"} {
				if client.MethodByName(write).IsValid() { // not where only SQL and bundles write
					least = 4
				}
			}
			if refusals < least {
				t.Errorf("%s: got %d refusals, want at least %d", name, refusals, least)
			}
		}
	})
}

// TestAnotherTenant tries to read and write another tenant's records.
func TestAnotherTenant(t *testing.T) {
	eachDatabase(t, func(t *testing.T, g guarded) {
		ctx := derive.Alone(tenancy.In(t.Context(), g.mine)) // only the guard of tenants is tested
		for _, name := range owned() {
			ids := g.ids(t, name)
			id, client := ids[g.theirs][0], clientOf(g.client, name)
			if read, err := call(build(client, "Query"), "IDs", ctx); wrong(err) ||
				err == nil && !same(read, ids[g.mine]) {
				t.Errorf("%s: read %v, %v; own are %v", name, read, err, ids[g.mine])
			}
			if count, err := call(build(client, "Query"), "Count", ctx); wrong(err) ||
				err == nil && count != len(ids[g.mine]) {
				t.Errorf("%s: got %v counted, %v; want %d, which are own", name, count, err, len(ids[g.mine]))
			}
			if got, err := call(client, "Get", ctx, id); !ent.IsNotFound(err) && err != errMissing {
				t.Errorf("%s: another's by id: got %v, %v", name, got, err)
			}
			if got, err := call(build(client, "UpdateOneID", id), "Save", ctx); !ent.IsNotFound(err) &&
				!refused(err) && err != errMissing {
				t.Errorf("%s: update of another's: got %v, %v", name, got, err)
			}
			if _, err := call(build(client, "DeleteOneID", id), "Exec", ctx); !ent.IsNotFound(err) &&
				err != errMissing {
				t.Errorf("%s: delete of another's: %v", name, err)
			}
			one := build(build(client, "Create"), "SetTenantID", g.theirs)
			if _, err := call(one, "Save", ctx); !refused(err) && err != errMissing {
				t.Errorf("%s: create for another: %v", name, err)
			}
			if after := g.ids(t, name); !reflect.DeepEqual(after, ids) {
				t.Errorf("%s: got the rows %v, want %v as before", name, after, ids)
			}
		}
	})
}

// TestWholeTables updates and deletes everything there is, in a transaction begun from a guarded client.
func TestWholeTables(t *testing.T) {
	eachDatabase(t, func(t *testing.T, g guarded) {
		ctx := derive.Alone(tenancy.In(t.Context(), g.mine)) // only the guard of tenants is tested
		for _, name := range owned() {
			ids := g.ids(t, name)
			tx, err := g.client.Tx(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := call(build(clientOf(tx, name), "Query"), "Count", t.Context()); !errors.Is(err,
				tenancy.ErrNoTenant) && err != errMissing {
				t.Errorf("%s: count without a tenant: %v", name, err)
			}
			if updated, err := call(build(clientOf(tx, name), "Update"), "Save", ctx); wrong(err) ||
				err == nil && updated.(int) > len(ids[g.mine]) {
				t.Errorf("%s: updated %v, %v; own are %d", name, updated, err, len(ids[g.mine]))
			}
			if name != ent.TypeCartItem { // what is in a cart refuses to be deleted
				if _, err := tx.CartItem.Delete().Exec(ctx); err != nil {
					t.Fatal(err)
				}
			}
			if deleted, err := call(build(clientOf(tx, name), "Delete"), "Exec", ctx); wrong(err) ||
				err == nil && deleted != len(ids[g.mine]) {
				t.Errorf("%s: got %v deleted, %v; want %d, which are own", name, deleted, err, len(ids[g.mine]))
			}
			if left, err := call(build(clientOf(tx, name), "Query"), "Count", tenancy.In(ctx, g.theirs)); wrong(err) ||
				err == nil && left != len(ids[g.theirs]) {
				t.Errorf("%s: got %v left of the other's, %v; want %d", name, left, err, len(ids[g.theirs]))
			}
			if err := tx.Rollback(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestNeighbours follows an edge to another tenant's record, which only a bug could have made.
func TestNeighbours(t *testing.T) {
	eachDatabase(t, func(t *testing.T, g guarded) {
		foreign := g.ids(t, "Category")[g.theirs][0].(uuid.UUID)
		own := g.ids(t, "Product")[g.mine][0].(uuid.UUID)
		if err := g.bare.Product.UpdateOneID(own).SetCategoryID(foreign).Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx := tenancy.In(t.Context(), g.mine)
		p, err := g.client.Product.Query().WithCategory().WithBrand().All(ctx)
		if err != nil {
			t.Fatal(err)
		}
		joined, err := g.client.Product.Query().Collect(selection.Names("categoryName", "brandName")).All(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if len(joined) != len(p) ||
			!slices.ContainsFunc(joined, func(p *ent.Product) bool { return p.Edges.Brand != nil }) {
			t.Errorf("got %d products with their neighbours, want %d", len(joined), len(p))
		}
		for _, one := range append(p, joined...) {
			if one.Edges.Category != nil && one.Edges.Category.TenantID != g.mine {
				t.Errorf("%s is loaded with another's category", one.Slug)
			}
			if one.ID == own {
				if n, err := one.QueryCategory().Count(ctx); err != nil || n != 0 {
					t.Errorf("%s leads to %d categories of another, %v", one.Slug, n, err)
				}
			}
		}
	})
}

// same reports whether a slice of ids holds the given ones, in any order.
func same(read any, ids []any) bool {
	got := reflect.ValueOf(read)
	for i := range got.Len() {
		if !slices.Contains(ids, got.Index(i).Interface()) {
			return false
		}
	}
	return got.Len() == len(ids)
}
