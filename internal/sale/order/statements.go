package order

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
)

// The statements of a checkout are written by hand. ent would need one for each table, and one more for each
// line's stock; on PostgreSQL each is a round trip during which the cart stays locked. Package tenancy does
// not check them: each names the tenant itself.

// soldLine is a line of a new order in the JSON array $lines, which both databases read as rows, so that the
// text of a statement does not depend on the number of lines.
type soldLine struct {
	ID        uuid.UUID `json:"id"`
	Event     uuid.UUID `json:"event"` // id of the event if the stock becomes low
	Variant   uuid.UUID `json:"variant"`
	Product   uuid.UUID `json:"product"`
	Slug      string    `json:"slug"`
	TitleFa   string    `json:"title_fa"`
	TitleEn   *string   `json:"title_en"`
	Options   string    `json:"options"` // JSON, as it is stored
	Sku       string    `json:"sku"`
	ImageURL  *string   `json:"image_url"`
	Quantity  int       `json:"quantity"`
	UnitPrice int64     `json:"unit_price"`
	LineTotal int64     `json:"line_total"`
}

// soldColumns are the members of soldLine with PostgreSQL's types.
const soldColumns = `id uuid, event uuid, variant uuid, product uuid, slug text, title_fa text, title_en text,
	options text, sku text,
	image_url text, quantity bigint, unit_price bigint, line_total bigint`

// soldCharge is a charge of a new order in the JSON array $charges.
type soldCharge struct {
	ID       uuid.UUID         `json:"id"`
	Item     *uuid.UUID        `json:"item"`
	Kind     record.ChargeKind `json:"kind"`
	Source   *uuid.UUID        `json:"source"`
	Name     string            `json:"name"`
	NameFa   *string           `json:"name_fa"`
	Amount   int64             `json:"amount"`
	Rate     *int              `json:"rate"`
	Included bool              `json:"included"`
}

// chargeColumns are the members of soldCharge with PostgreSQL's types.
const chargeColumns = `id uuid, item uuid, kind text, source uuid, name text, name_fa text, amount bigint, rate bigint,
	included boolean`

var chargesOnSQLite, chargesOnPostgres = database.RowsOf(`$charges`, "charged", chargeColumns)

var soldOnSQLite, soldOnPostgres = database.RowsOf(`$lines`, "wanted", soldColumns)

// writesOf returns the statements that write an order and its event, and empty its cart. lines and charges are the rows
// of the order; from and also restrict which rows they insert and change. now is the time of the database, which is
// taken last: checkouts that arrived before it have overlapped.
func writesOf(lines, charges, from, also, now string) []string {
	return []string{
		`INSERT INTO orders (id, tenant_id, user_id, created_at, updated_at, order_number, status,
			total_quantity, subtotal, charge_total, total, discount, price_currency, delivery, shipping_address,
			customer_notes, buyer_first_name, buyer_last_name, buyer_email, pay_code)
		SELECT $order, $tenant, id, $at, $at, $number, $status, $quantity, $subtotal, $charge_total, $total,
			$discount, $currency, $delivery, $address, $notes, first_name, last_name, email, $pay_code
		FROM users WHERE id = $user` + also,
		`INSERT INTO order_items (id, tenant_id, order_id, created_at, updated_at, store_item_variant_id, product_id,
			product_slug, title_fa, title_en, options, sku, image_url, quantity, unit_price, line_total)
		SELECT wanted.id, $tenant, $order, $at, $at, variant, product, slug, title_fa, title_en, ` + lines,
		`INSERT INTO order_charges (id, tenant_id, order_id, created_at, updated_at, item_id, kind, source_id,
			name, name_fa, amount, rate, included)
		SELECT charged.id, $tenant, $order, $at, $at, item, kind, source, name, name_fa, amount, rate,
			included ` + charges,
		`INSERT INTO payments (id, tenant_id, order_id, created_at, updated_at, type, status, counts, amount, refunded,
			pos_type, transfer_account, transfer_ref_number, gateway_type, notes, due_at, received_at)
		SELECT $payment, $tenant, $order, $at, $at, $payment_type, $payment_status, true, $total, 0, $pos_type,
			$transfer_account, $transfer_ref_number, $gateway_type, $payment_notes, $due, $received` + from,
		`INSERT INTO order_events (id, tenant_id, order_id, created_at, updated_at, status, at)
		SELECT $event, $tenant, $order, $at, $at, $status, $at` + from,
		`DELETE FROM cart_items WHERE cart_id = $cart AND tenant_id = $tenant` + also,
		placedEventSQL(from),
		`UPDATE carts SET checkouts = checkouts + 1, last_order_id = $order, checked_out_at = ` + now + `,
			last_checkout = $digest, ` + cart.Touched + `
		WHERE id = $cart AND tenant_id = $tenant` + also,
	}
}

// onSQLite are the statements one by one, in a transaction that begins with takeStock.
var onSQLite = func() (all []database.Text) {
	lines := `options, sku, image_url, quantity, unit_price, line_total FROM ` + soldOnSQLite
	for _, text := range writesOf(lines, `FROM `+chargesOnSQLite, "", "", "$now") {
		all = append(all, database.Statement(text))
	}
	return all
}()

// onPostgres is a checkout in one statement. It locks the cart, if it still has $version and no other checkout ended
// after the request had $arrived, and takes the $units out of the stock. If they are all as they were looked at, the
// stock suffices and the shop is open, it does all writes, else none. It returns whether the order was placed.
var onPostgres = func() database.Text {
	writes := writesOf(`options::jsonb, sku, image_url, quantity, unit_price, line_total FROM wanted, enough`,
		`FROM `+chargesOnPostgres+`, enough`, ` FROM enough`, ` AND EXISTS (SELECT FROM enough)`, `clock_timestamp()`)
	return database.Statement(`WITH wanted AS (SELECT * FROM ` + soldOnPostgres + `),
		` + cart.Buyer + `, cart AS (
			SELECT id, tenant_id FROM carts
			WHERE id = $cart AND tenant_id = $tenant AND user_id = (SELECT id FROM buyer) AND xmin = $version
				AND COALESCE(GREATEST(checked_out_at, repriced_at) <= $arrived, true) FOR UPDATE
		), taken AS MATERIALIZED (
			SELECT moved.variant, moved.stock, COALESCE(moved.low_stock_at, ` + fmt.Sprint(record.LowStock) + `) AS low,
				wanted.quantity, wanted.sku, wanted.event
			FROM cart CROSS JOIN LATERAL move_stock(cart.tenant_id, $units, true, $sale) AS moved
				JOIN wanted ON wanted.variant = moved.variant
		), enough AS (
			SELECT count(*) FROM taken HAVING count(*) = (SELECT count(*) FROM wanted)
		), ` + named(writes) + `, low AS (` + tellingLow + `), raised AS (` + derive.Raising +
		` AND EXISTS (SELECT FROM taken WHERE stock <= $shown))
		SELECT EXISTS (SELECT FROM enough)`)
}()

// named combines statements as parts of a larger one: write1 AS (…), write2 AS (…).
func named(statements []string) string {
	parts := make([]string, len(statements))
	for i, text := range statements {
		parts[i] = fmt.Sprintf("write%d AS (%s)", i+1, text)
	}
	return strings.Join(parts, ", ")
}
