package cart

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/customer/member"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
	"storefront/internal/request"
)

// The statements on carts are written by hand: ent would take one more round trip for each table, mostly
// while the cart is locked. Package tenancy does not check them, so each names the tenant.

// Touched is the new updated_at of a cart: $at, or the present one if that is later. $at was read before the
// statement waited for the cart, and other servers' clocks may differ.
const Touched = `updated_at = CASE WHEN carts.updated_at > $at THEN carts.updated_at ELSE $at END`

// lockCart locks a customer's cart. If there is none it makes it, with the id $mine. It returns no row if
// there is no such business.
var lockCart = database.Statement(`INSERT INTO carts (id, tenant_id, user_id, checkouts, created_at, updated_at)
	SELECT $mine, t.id, $user, 0, $at, $at FROM tenants t WHERE t.id = $tenant
	ON CONFLICT (user_id, tenant_id) DO UPDATE SET ` + Touched + `
	RETURNING id, updated_at`)

// prolonged postpones the end of a guest's cart to $ends, only once a day because two indexes hold it.
const prolonged = `ends_at = CASE WHEN carts.ends_at < $soon THEN $ends ELSE carts.ends_at END`

// A guest's cart is found by its token until it ends; each use postpones the end. Two requests that make it
// at the same time both get the same row.
var (
	makeGuests = database.Statement(`INSERT INTO carts (id, tenant_id, token_hash, ends_at, untouched_by,
		checkouts, created_at, updated_at)
		SELECT $cart, t.id, $token, $ends, $by, 0, $at, $at FROM tenants t WHERE t.id = $tenant
		ON CONFLICT (token_hash) DO UPDATE SET untouched_by = NULL, ` + prolonged + `, ` + Touched + `
			WHERE carts.tenant_id = $tenant AND carts.ends_at > $at
		RETURNING id, updated_at`)

	lockGuests = database.Statement(`UPDATE carts SET untouched_by = NULL, ` + prolonged + `, ` + Touched + `
		WHERE token_hash = $token AND tenant_id = $tenant AND ends_at > $at RETURNING id, updated_at`)

	findGuests = database.Statement(`SELECT id, updated_at, ends_at, untouched_by IS NOT NULL FROM carts
		WHERE token_hash = $token AND tenant_id = $tenant`)

	endGuests = database.Statement(`UPDATE carts SET ends_at = $ends WHERE id = $cart AND tenant_id = $tenant`)

	// prolongGuests does not change a cart that was merged meanwhile and so has ended.
	prolongGuests = database.Statement(`UPDATE carts SET ends_at = $ends, untouched_by = NULL
		WHERE id = $cart AND tenant_id = $tenant AND ends_at > $at`)
)

// giveWay deletes the guest's cart that ends first among the empty ones. An emptied cart ends within a day
// ($soon). A cart that is being edited is skipped.
var giveWay = database.Locking(`DELETE FROM carts WHERE id = (
		SELECT empty.id FROM carts AS empty
		WHERE empty.tenant_id = $tenant AND empty.ends_at > $at AND empty.ends_at <= $soon
			AND NOT EXISTS (SELECT 1 FROM cart_items AS line
				WHERE line.cart_id = empty.id AND line.tenant_id = empty.tenant_id)
		ORDER BY empty.ends_at LIMIT 1 %s)`, "FOR UPDATE OF empty SKIP LOCKED")

// giveOldestWay deletes the oldest of the guests' carts that a client network filled $since and never read or changed,
// in any shop.
var giveOldestWay = database.Locking(`DELETE FROM carts WHERE id = (SELECT oldest.id FROM carts AS oldest
		WHERE oldest.untouched_by = $by AND oldest.created_at > $since
		ORDER BY oldest.created_at LIMIT 1 %s)`, "FOR UPDATE SKIP LOCKED")

// Buyer locks the row of the customer as a foreign key does. An erasure locks the account first and its carts
// after it, and so does a request with an Idempotency-Key, whose row refers to the account.
const Buyer = `buyer AS (SELECT id FROM users WHERE id = $user FOR KEY SHARE)`

// readLocked reads and locks the cart of a customer, after the customer's row, to which an order refers, and whether a
// checkout ended after the request had arrived. On SQLite no lock is needed: only one transaction writes at a time.
var readLocked = database.Texts{
	SQLite: database.Statement(`SELECT id, '', checkouts, last_order_id, last_checkout, updated_at,
		COALESCE(checked_out_at > $arrived, false), COALESCE(repriced_at > $arrived, false), ` + member.Closing + `,
		` + orderRules + `, ` + takesPayments + `
		FROM carts WHERE user_id = $user AND tenant_id = $tenant`),
	Postgres: database.Statement(`WITH ` + Buyer + `
		SELECT id, xmin, checkouts, last_order_id, last_checkout, updated_at,
			COALESCE(checked_out_at > $arrived, false), COALESCE(repriced_at > $arrived, false), ` + member.Closing + `,
		` + orderRules + `, ` + takesPayments + `
		FROM carts WHERE user_id = (SELECT id FROM buyer) AND tenant_id = $tenant FOR UPDATE`),
}

// setRepriced notes when a checkout reported changed prices, by the clock of the database.
var setRepriced = database.Texts{
	SQLite: database.Statement(`UPDATE carts SET repriced_at = $now WHERE id = $cart AND tenant_id = $tenant`),
	Postgres: database.Statement(`UPDATE carts SET repriced_at = clock_timestamp()
		WHERE id = $cart AND tenant_id = $tenant`),
}

// addedRow is a line that addItems writes, as a row of $items.
type addedRow struct {
	Line     uuid.UUID `json:"line"`
	Variant  uuid.UUID `json:"variant"`
	Quantity int       `json:"quantity"`
}

var addedOnSQLite, addedOnPostgres = database.RowsOf(`$items`, "item", `line uuid, variant uuid, quantity int`)

// addItems adds variants to a locked cart. It skips those that are not on sale or have no price, and returns
// the ids of the others.
var addItems = database.Texts{SQLite: addingOf(addedOnSQLite), Postgres: addingOf(addedOnPostgres)}

func addingOf(items string) database.Text {
	return database.Statement(`INSERT INTO cart_items
		(id, tenant_id, cart_id, variant_id, quantity, seen_price, seen_currency, created_at, updated_at)
		SELECT item.line, v.tenant_id, $cart, v.id, item.quantity, v.price, v.price_currency, $at, $at
		FROM ` + items + ` JOIN variants v ON v.id = item.variant
		WHERE v.tenant_id = $tenant AND v.listed_at <= $at AND v.price IS NOT NULL
		ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = cart_items.quantity + excluded.quantity,
			seen_price = excluded.seen_price, seen_currency = excluded.seen_currency,
			updated_at = excluded.updated_at
			WHERE cart_items.tenant_id = excluded.tenant_id
		RETURNING variant_id`)
}

// lineColumns are the columns of lineRow: a line of a cart with its variant v and product p, or with the variant that
// is gone.
const lineColumns = ` line.id, line.variant_id, line.quantity, line.seen_price, line.seen_currency, v.sku, v.options,
	v.price, v.compare_at_price, v.price_currency, v.stock, v.max_order_quantity, v.weight, v.tax_category,
	v.image_url, v.listed_at,
	v.product_id, p.slug, p.title_fa, p.title_en, p.variations, p.images, line.gone `

// readCurrency returns a row if there is such a business.
var readCurrency = database.Statement(`SELECT (SELECT v.price_currency FROM variants v
		WHERE v.tenant_id = $tenant AND v.listed_at <= $at ORDER BY v.listed_at, v.id LIMIT 1)
	FROM tenants t WHERE t.id = $tenant`)

var readLines = database.Statement(`SELECT` + lineColumns + `FROM cart_items line
	LEFT JOIN variants v ON v.id = line.variant_id AND v.tenant_id = line.tenant_id
	LEFT JOIN products p ON p.id = v.product_id AND p.tenant_id = line.tenant_id
	WHERE line.cart_id = $cart AND line.tenant_id = $tenant ORDER BY line.id`)

// On PostgreSQL most writes lock a cart for only one statement. They first read it without a lock, by glance,
// and then write it if it has not changed. To detect changes they compare xmin, which PostgreSQL keeps with
// each row: it is the transaction that last wrote the cart's row, and every writer of a cart's lines writes
// that row.

// seenCart is the cart of a customer, with its version. If the $session has ended (NULL: there was none) it
// has no row, and the request is refused once the cart is locked.
const seenCart = `seen AS (SELECT CASE WHEN CAST($session AS uuid) IS NULL
			OR EXISTS (SELECT FROM sessions WHERE sessions.id = $session AND ended_at IS NULL) THEN id END AS id,
		xmin AS version, checkouts FROM carts WHERE user_id = $user AND tenant_id = $tenant)`

// orderRules are those of the shop $tenant with the version of what delivery costs, for Kept and Seen.
const orderRules = `(SELECT order_rules FROM tenants WHERE id = $tenant),
	COALESCE((SELECT sale_version FROM tenants WHERE id = $tenant), 0)`

// takesPayments reports whether customers of the shop $tenant can pay at a gateway, for the rules of Kept and Seen.
const takesPayments = `EXISTS (SELECT 1 FROM gateway_accounts WHERE tenant_id = $tenant AND active)`

// glanceAt returns a statement that reads a cart with its lines, and the shop's rules. An empty cart is one row
// without a line; a missing cart is one row without a cart.
func glanceAt(lines, rules string) database.Text {
	return database.Statement(`WITH ` + seenCart + `
		SELECT seen.id, seen.version, COALESCE(seen.checkouts, 0), ` + member.Closing + `, ` + rules + `,
			` + lineColumns + `
		FROM (SELECT 1) AS one LEFT JOIN seen ON true LEFT JOIN (` + lines + `
			LEFT JOIN variants v ON v.id = line.variant_id AND v.tenant_id = $tenant
			LEFT JOIN products p ON p.id = v.product_id AND p.tenant_id = $tenant) ON true
		ORDER BY line.id`)
}

var (
	glance = glanceAt(`cart_items line JOIN seen s ON line.cart_id = s.id AND line.tenant_id = $tenant`,
		orderRules+`, `+takesPayments)

	// glanceToAdd also reads $variant. If it is not in the cart, it comes last, as a line without an id.
	glanceToAdd = glanceAt(`(
		SELECT i.id, i.variant_id, i.quantity, i.seen_price, i.seen_currency, i.gone
		FROM cart_items i JOIN seen s ON i.cart_id = s.id
		WHERE i.tenant_id = $tenant
		UNION ALL
		SELECT NULL, $variant, 0, 0, NULL, NULL
		WHERE NOT EXISTS (SELECT FROM cart_items i JOIN seen s ON i.cart_id = s.id
			WHERE i.tenant_id = $tenant AND i.variant_id = $variant)) AS line`, `NULL, 0, false`)

	// writeLine writes a line of a cart. It returns no row if the cart has another $version or is gone.
	writeLine = database.Statement(`WITH cart AS (
			UPDATE carts SET ` + Touched + ` WHERE id = $cart AND tenant_id = $tenant AND xmin = $version
			RETURNING id, updated_at
		), ` + lineOfCart + ` SELECT id, updated_at FROM cart`)

	// writeFirst makes a cart with its first line, and its owner's link. It returns no row if there is a cart
	// by now, or if the $session has ended (NULL: there is none). It locks the session after the account, in
	// the same order as a take-over of the account.
	writeFirst = database.Statement(`WITH ` + Buyer + `, live AS (
			SELECT id FROM sessions WHERE id = $session AND ended_at IS NULL
			AND user_id = (SELECT id FROM buyer) FOR SHARE
		), cart AS (
			INSERT INTO carts (id, tenant_id, user_id, checkouts, created_at, updated_at)
			SELECT $cart, $tenant, $user, 0, $at, $at WHERE CAST($session AS uuid) IS NULL OR EXISTS (SELECT FROM live)
			ON CONFLICT (user_id, tenant_id) DO NOTHING
			RETURNING id, updated_at
		), ` + lineOfCart + `, link AS (` + member.Linking(`FROM cart`) + `) SELECT id, updated_at FROM cart`)
)

// lineOfCart writes a line of the cart in the row cart.
const lineOfCart = `line AS (
			INSERT INTO cart_items
				(id, tenant_id, cart_id, variant_id, quantity, seen_price, seen_currency, created_at, updated_at)
			SELECT $line, $tenant, cart.id, $variant, $quantity, $price, $currency, $at, $at FROM cart
			ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = excluded.quantity,
				seen_price = excluded.seen_price, seen_currency = excluded.seen_currency,
				updated_at = excluded.updated_at
			WHERE cart_items.tenant_id = excluded.tenant_id
		)`

// Seen is a cart as it was read without a lock, on PostgreSQL. A later statement compares Version to find
// changes.
type Seen struct {
	ID        *uuid.UUID // nil: there is no cart
	Version   *string    // of its row; every transaction that writes the row changes it
	Checkouts int64      // how often it became an order
	Closing   int        // of the shop: member.CheckOpen
	Rules     record.OrderRules
	Sale      int64 // the shop's sale_version
	Lines     []*Line
}

// look runs glance or glanceToAdd. A line for a variant that is not in the cart has no id.
func (s *Service) look(ctx context.Context, text database.Text, owner Owner,
	values database.Values) (seen Seen, err error) {
	values["user"], values["tenant"], values["session"] = owner.User, owner.Business, sessionOf(ctx)
	err = text.Each(ctx, s.store.Raw(), values, func(row *sql.Rows) error {
		var columns lineRow
		into := append([]any{&seen.ID, &seen.Version, &seen.Checkouts, &seen.Closing, &seen.Rules, &seen.Sale,
			&seen.Rules.TakesPayments}, columns.all()...)
		if err := row.Scan(into...); err != nil || columns.sku == nil && columns.gone == nil {
			return err // no line, or no such variant to add
		}
		line, err := s.line(&columns)
		seen.Lines = append(seen.Lines, line)
		return err
	})
	if err != nil {
		return Seen{}, fmt.Errorf("the lines of a cart: %w", err)
	}
	return seen, nil
}

// sessionOf returns the session of the caller, or nil if there is none.
func sessionOf(ctx context.Context) any {
	if caller, err := request.CallerOf(ctx); err == nil {
		return caller.Session
	}
	return nil
}

// Look reads a cart without a lock, on PostgreSQL.
func (s *Service) Look(ctx context.Context, owner Owner) (Seen, error) {
	seen, err := s.look(ctx, glance, owner, database.Values{})
	inOneCurrency(seen.Lines)
	return seen, err
}

// addQuickly is Add in two statements. If done is false nothing was written, and the caller must lock the
// cart: another writer changed it in between, or the variant cannot be added and the error must be found.
func (s *Service) addQuickly(ctx context.Context, owner Owner, item Added) (edited *Cart, done bool, err error) {
	seen, err := s.look(ctx, glanceToAdd, owner, database.Values{"variant": item.Variant})
	if err != nil {
		return nil, false, err
	}
	var line *Line
	for _, l := range seen.Lines {
		if l.Variant == item.Variant {
			line = l
		}
	}
	if line == nil || !line.OnSale {
		return nil, false, nil
	}
	if line.ID == uuid.Nil {
		line.ID = record.NewID()
	}
	line.Quantity, line.SeenPrice, line.SeenCurrency = line.Quantity+item.Quantity, *line.Price, line.Currency
	inOneCurrency(seen.Lines)
	if err := checkGrown(item)(seen.Lines); err != nil {
		return nil, true, err // the cart as the first statement read it
	}
	at, cart := s.clock.Now(), uuid.Nil
	values := database.Values{
		"tenant": owner.Business, "at": at, "line": line.ID, "variant": item.Variant, "quantity": line.Quantity,
		"price": line.SeenPrice, "currency": line.SeenCurrency,
	}
	write := writeLine
	if seen.ID != nil {
		values["cart"], values["version"] = *seen.ID, seen.Version
	} else {
		write = writeFirst
		values["cart"], values["membership"] = record.NewID(), record.NewID()
		values["user"], values["session"] = owner.User, sessionOf(ctx)
	}
	err = transaction.Single(func() (err error) {
		done, err = write.Row(ctx, s.store.Raw(), values, &cart, &at)
		return err
	})
	if database.IsReference(err) { // the variant was deleted meanwhile
		return nil, false, nil
	}
	if err != nil || !done {
		return nil, false, err
	}
	return s.show(owner, at, seen.Lines, nil), true, nil
}
