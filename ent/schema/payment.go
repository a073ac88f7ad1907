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

// Payment is a way in which an order was to be paid, and the result: what the customer declared at checkout, or
// a try at a payment gateway. One of an order's payments counts: the one that its order is shown with.
type Payment struct{ ent.Schema }

func (Payment) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Payment) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("order_id", uuid.UUID{}).Immutable(),
		field.Enum("type").GoType(record.PaymentType("")).Immutable(),
		field.Enum("status").GoType(record.PaymentState("")).Default(string(record.StatePending)),
		field.Bool("counts").Default(true).Comment("record.Counting chose it; written by internal/sale/order alone"),
		field.Int64("amount").Immutable().Comment("smallest unit of the order's price_currency"),
		field.Int64("refunded").Default(0).
			Comment("the sum of its refunds that did not fail; smallest unit of the order's price_currency"),
		field.String("pos_type").Optional().Nillable(),
		field.String("transfer_account").Optional().Nillable().Comment("the shop's card, Sheba or account paid to"),
		field.String("transfer_ref_number").Optional().Nillable(),
		field.String("gateway_type").Optional().Nillable(),
		field.Text("notes").Optional().Nillable(),
		field.String("reference").Optional().Nillable().
			Comment("a transfer's reference or a gateway's code, as staff noted it"),
		field.Time("received_at").Optional().Nillable().
			Comment("when the shop learned that it has the money; null: it has not, or the gateway undid it"),
		field.Time("marked_at").Optional().Nillable().Comment("when staff last said whether it was paid"),
		field.Time("due_at").Optional().Nillable().
			Comment("when the order is cancelled if it still waits for this; null: never"),

		// Of a try at a gateway only, written by internal/sale/payment.
		field.UUID("gateway_account_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("with which it began; null: the customer declared it"),
		field.String("ours").Optional().Nillable().Immutable().Comment("our reference: random"),
		field.String("theirs").Optional().Nillable().Comment("the gateway's reference; null: it is not known"),
		field.Bool("is_test").Default(false).Immutable().Comment("it is no real money"),
		field.String("card").Optional().Nillable().Comment("up to four last digits"),
		field.String("problem").Optional().Nillable().Comment("for staff: what is wrong, in the shop's language"),
		field.Time("payable_until").Optional().Nillable().Immutable().
			Comment("until when the gateway takes the money"),
		field.Time("holds_until").Optional().Nillable().
			Comment("until when its order keeps its units; null: it does not hold them"),
		field.Time("look_at").Optional().Nillable().Comment("when the gateway is asked next; null: never"),
		field.Time("claimed_until").Optional().Nillable().
			Comment("until when nobody else asks the gateway about it"),
		field.Bool("verify_sent").Default(false).
			Comment("the gateway may have been asked to verify it, so it is verified even if the order is cancelled"),
	}
}

func (Payment) Edges() []ent.Edge {
	return []ent.Edge{
		ofOrder(),
		edge.To("gateway_account", GatewayAccount.Type).Field("gateway_account_id").Unique().Immutable().
			Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.From("refunds", Refund.Type).Ref("payment"),
	}
}

func (Payment) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("order_id"),
		index.Fields("order_id").Unique().StorageKey("payment_counts").Annotations(entsql.IndexWhere("counts")),
		index.Fields("order_id").Unique().StorageKey("payment_paid").
			Annotations(entsql.IndexWhere("status = 'paid'")),
		index.Fields("order_id").Unique().StorageKey("payment_under_way").
			Annotations(entsql.IndexWhere("(status = 'begun') OR (status = 'sent') OR (status = 'returned') OR " +
				"(status = 'verifying')")), // as PostgreSQL repeats it
		index.Fields("tenant_id", "received_at", "id").StorageKey("payment_received").
			Annotations(entsql.IndexWhere("received_at IS NOT NULL")), // the shop's own list
		index.Fields("ours").Unique(),
		index.Fields("gateway_account_id", "theirs").Unique(),
		index.Fields("gateway_account_id", "reference"), // as calls of gateways name it
		index.Fields("status", "due_at"),                // those whose orders are cancelled
		index.Fields("look_at").Annotations(entsql.IndexWhere("look_at IS NOT NULL")),
	}
}

func (Payment) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "order_id", As: "payments", Withheld: []string{"created_at", "counts", "gateway_account_id", "ours",
				"holds_until", "look_at", "claimed_until", "verify_sent"},
			Amounts: map[string]string{"amount": "order_id.price_currency", "refunded": "order_id.price_currency"},
			Cleared: []string{"notes", "card"},
			Kept: []string{"pos_type", "transfer_account", "transfer_ref_number", "gateway_type", "reference",
				"ours", "theirs", "problem"},
		},
		entsql.Checks(map[string]string{"refunded_in_part": "0 <= refunded AND refunded <= amount"}),
		Reads{
			"status": {"status"}, "refundDue": {},
			"refundDueAmount": {}, "refundDueAmountMoney": {},
			"refundedAmount": {"refunded"}, "refundedAmountMoney": {"refunded"},
			"receipts": {"order_id"}, "refunds": {"order_id"},
		},
	}
}

// Refund is money of a payment that the shop gives back.
type Refund struct{ ent.Schema }

func (Refund) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Refund) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("order_id", uuid.UUID{}).Immutable(),
		field.UUID("payment_id", uuid.UUID{}).Immutable(),
		field.Int64("amount").Immutable().Comment("smallest unit of the order's price_currency"),
		field.Enum("status").GoType(record.RefundStatus("")),
		field.Text("reason").Optional().Nillable().Comment("as staff wrote it"),
		field.String("reference").Optional().Nillable().
			Comment("the gateway's, or that of a transfer as staff noted it"),
		field.String("problem").Optional().Nillable().Comment("for staff: what is wrong, in the shop's language"),
	}
}

func (Refund) Edges() []ent.Edge {
	return []ent.Edge{
		ofOrder(),
		edge.To("payment", Payment.Type).Field("payment_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (Refund) Indexes() []ent.Index {
	return []ent.Index{index.Fields("payment_id"), index.Fields("order_id")}
}

func (Refund) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "order_id", As: "refunds", Withheld: []string{"payment_id"},
			Cleared: []string{"reason"}, Kept: []string{"reference", "problem"},
			Amounts: map[string]string{"amount": "order_id.price_currency"},
		},
		entsql.Checks(map[string]string{"refund_positive": "amount > 0"}),
	}
}
