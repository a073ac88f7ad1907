package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// Order is a purchase of a customer: a snapshot that later changes of product, price or address do not touch.
// internal/customer/personal removes the personal data when the customer is erased.
type Order struct{ ent.Schema }

func (Order) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Order) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().Comment("null: the customer was erased"),
		field.String("order_number").Immutable().Comment("for people: short, not guessable"),
		field.Enum("status").GoType(record.OrderStatus("")).Default(string(record.OrderPending)),
		field.Int("total_quantity").Immutable(),
		field.Int64("subtotal").Immutable().Comment("what the lines cost; smallest unit of price_currency"),
		field.Int64("charge_total").Immutable().Default(0).
			Comment("the sum of the charges that its prices do not include; smallest unit of price_currency"),
		field.Int64("total").Immutable().Comment("smallest unit of price_currency"),
		field.Int64("discount").Immutable().Default(0).
			Comment("what its lines cost less than at their compare_at_price; smallest unit of price_currency"),
		field.Int64("refund_due").Default(0).
			Comment("what the shop owes of its payments; smallest unit of price_currency"),
		field.String("price_currency").Immutable(),
		field.String("pay_code").Optional().Nillable().Unique().
			Comment("of the page where it is paid; null: it is older than these pages"),
		field.Text("return_url").Optional().Nillable().
			Comment("the page of the storefront to which a gateway's customer comes back; null: the usual one"),
		field.JSON("delivery", &record.Delivery{}).Optional().Immutable().
			Comment("the delivery method as it was at checkout; null: the shop had none"),
		field.JSON("shipping_address", record.ShippingAddress{}),
		field.Text("customer_notes").Optional().Nillable(),
		field.String("buyer_first_name").Optional().Nillable().Comment("as the account had it at checkout"),
		field.String("buyer_last_name").Optional().Nillable().Comment("as the account had it at checkout"),
		field.String("buyer_email").Optional().Nillable().Comment("as the account had it at checkout"),
	}
}

func (Order) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().
			Annotations(entsql.OnDelete(entsql.SetNull)),
		edge.From("items", OrderItem.Type).Ref("order"),
		edge.From("charges", OrderCharge.Type).Ref("order"),
		edge.From("payments", Payment.Type).Ref("order"),
		edge.From("events", OrderEvent.Type).Ref("order"),
		edge.From("receipts", Receipt.Type).Ref("order"),
	}
}

func (Order) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "order_number").Unique(),
		// the order of a customer's list, read backwards
		index.Fields("user_id", "tenant_id", "created_at", "id"),
		index.Fields("tenant_id", "user_id", "status", "created_at", "id"), // the same for one status
		index.Fields("tenant_id", "created_at", "id"),                      // the shop's own list
		index.Fields("tenant_id", "created_at").StorageKey("order_refund_due").
			Annotations(entsql.IndexWhere("refund_due > 0")),
	}
}

func (Order) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "user_id", As: "orders",
			Amounts: map[string]string{"subtotal": "price_currency", "total": "price_currency",
				"discount": "price_currency", "charge_total": "price_currency", "refund_due": "price_currency"},
			Cleared: []string{"user_id", "customer_notes", "buyer_first_name", "buyer_last_name", "buyer_email",
				"return_url"},
			Reduced:  map[string][]string{"shipping_address": {"province", "city"}}, // for figures
			Kept:     []string{"order_number", "price_currency", "delivery", "pay_code"},
			Withheld: []string{"delivery", "pay_code", "return_url"}, // the charges say what delivery was
		},
		entsql.Checks(map[string]string{
			"total_adds_up": "total = subtotal + charge_total AND total >= 0 AND total <= 9007199254740991"}),
		Reads{
			"businessId": {},
			"subtotal":   {"subtotal", "price_currency"}, "total": {"total", "price_currency"},
			"subtotalMoney": {"subtotal", "price_currency"}, "totalMoney": {"total", "price_currency"},
			"items": {"price_currency"}, "charges": {"price_currency"},
			"deliveryTotal":      {"delivery", "price_currency"},
			"deliveryTotalMoney": {"delivery", "price_currency"},
			"payment":            {"price_currency", "refund_due"}, "history": {},
		},
	}
}

// OrderItem is a line of an order: a variant with the values at which it was sold.
type OrderItem struct{ ent.Schema }

func (OrderItem) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (OrderItem) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("order_id", uuid.UUID{}).Immutable(),
		field.UUID("store_item_variant_id", uuid.UUID{}).Immutable().Comment("the variant, which may be gone"),
		field.UUID("product_id", uuid.UUID{}).Immutable().Comment("the product, which may be gone"),
		field.String("product_slug").Immutable(),
		field.String("title_fa").Immutable(),
		field.String("title_en").Optional().Nillable().Immutable(),
		field.JSON("options", []record.VariantOption{}).Default([]record.VariantOption{}).Immutable(),
		field.String("sku").Immutable(),
		field.String("image_url").Optional().Nillable().Immutable(),
		field.Int("quantity").Immutable(),
		field.Int64("unit_price").Immutable().Comment("smallest unit of the order's price_currency"),
		field.Int64("line_total").Immutable().Comment("smallest unit of the order's price_currency"),
	}
}

func (OrderItem) Edges() []ent.Edge { return []ent.Edge{ofOrder()} }

func (OrderItem) Indexes() []ent.Index { return []ent.Index{index.Fields("order_id")} }

func (OrderItem) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "order_id", As: "items",
			Withheld: []string{"created_at", "store_item_variant_id", "product_id"}, // sku and slug say it
			Amounts: map[string]string{"unit_price": "order_id.price_currency",
				"line_total": "order_id.price_currency"},
			Kept: []string{"product_slug", "title_fa", "title_en", "options", "sku", "image_url"},
		},
		entsql.Checks(map[string]string{"line_adds_up": "line_total = quantity * unit_price"}),
		Reads{"image": {"image_url"}, "product": {"product_id"}, "variant": {"store_item_variant_id"}}}
}

// OrderEvent is a step in an order's history.
type OrderEvent struct{ ent.Schema }

func (OrderEvent) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (OrderEvent) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("order_id", uuid.UUID{}).Immutable(),
		field.Enum("status").GoType(record.OrderStatus("")).Immutable().Comment("what the order became"),
		field.Time("at").Immutable(),
		field.Text("note").Optional().Nillable(),
	}
}

func (OrderEvent) Edges() []ent.Edge { return []ent.Edge{ofOrder()} }

func (OrderEvent) Indexes() []ent.Index { return []ent.Index{index.Fields("order_id")} }

func (OrderEvent) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{Of: "order_id", As: "history", Withheld: []string{"created_at"}, Cleared: []string{"note"}},
	}
}

// ofOrder ties a record to its order.
func ofOrder() ent.Edge {
	return edge.To("order", Order.Type).Field("order_id").Unique().Required().Immutable().
		Annotations(entsql.OnDelete(entsql.Cascade))
}
