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

// Cart is what a customer or a guest means to buy at one shop. The first write makes its row, and writers of
// the cart lock that row.
type Cart struct{ ent.Schema }

func (Cart) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Cart) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().Immutable().Comment("NULL: a guest's"),
		field.Bytes("token_hash").Optional().Nillable().Immutable().Unique().
			Comment("SHA-256 of the token of a guest's cart"),
		field.Time("ends_at").Optional().Nillable().Comment("when a guest's cart ends, if it is not used before"),
		field.String("untouched_by").Optional().Nillable().
			Comment("the client network that filled a guest's cart which nobody has read or changed since; " +
				"null: somebody has"),
		field.Int64("checkouts").Default(0).Comment("how often it became an order"),
		field.UUID("last_order_id", uuid.UUID{}).Optional().Nillable().Comment("the order of the last checkout"),
		field.Time("checked_out_at").Optional().Nillable().
			Comment("when the last checkout wrote its order, by the clock of the database"),
		field.Time("repriced_at").Optional().Nillable().
			Comment("when a checkout last reported changed prices, by the clock of the database"),
		field.Bytes("last_checkout").Optional().Nillable().Comment("SHA-256 of what the last checkout asked for"),
	}
}

func (Cart) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (Cart) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "tenant_id").Unique(), index.Fields("ends_at"),
		index.Fields("untouched_by", "created_at").Annotations(entsql.IndexWhere("untouched_by IS NOT NULL")),
		index.Fields("tenant_id", "ends_at"), // empty carts of guests, which are displaced first
		// UsedOn: unused carts are deleted
	}
}

func (Cart) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{ // only its lines
			Of: "user_id", Deleted: true,
			Travelled: []string{"id", "created_at", "updated_at", "tenant_id", "user_id", "token_hash", "ends_at",
				"checkouts", "last_order_id", "checked_out_at", "repriced_at", "last_checkout"},
		},
		entsql.Checks(map[string]string{
			"cart_of_one": "((user_id IS NULL) <> (token_hash IS NULL) AND (token_hash IS NULL) = (ends_at IS NULL))",
		})}
}

// CartItem is a quantity of one variant in a cart.
type CartItem struct{ ent.Schema }

func (CartItem) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (CartItem) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("cart_id", uuid.UUID{}).Immutable(),
		field.UUID("variant_id", uuid.UUID{}).Optional().Nillable().Comment("NULL: it was deleted; see gone"),
		field.JSON("gone", &record.GoneVariant{}).Optional().Comment("the variant as it was when it was deleted"),
		field.Int("quantity").Comment("1..9999"),
		field.Int64("seen_price").
			Comment("the price of one when the line was last written, in the smallest unit of seen_currency"),
		field.String("seen_currency").Optional().Nillable().
			Comment("the variant's currency when the line was last written; null: the one it has now"),
	}
}

func (CartItem) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("cart", Cart.Type).Field("cart_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
		// who deletes a variant writes to its lines what it was, so that they stay in their carts
		edge.To("variant", Variant.Type).Field("variant_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

func (CartItem) Indexes() []ent.Index {
	return []ent.Index{index.Fields("cart_id", "variant_id").Unique(), index.Fields("variant_id")}
}

func (CartItem) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "cart_id", As: "cart", Named: map[string]string{"variant_id": "sku", "gone": "deletedVariant"},
			Shown:   map[string]string{"variant_id": "sku"},
			Amounts: map[string]string{"seen_price": "seen_currency, variant_id.price_currency"},
		},
		entsql.Checks(map[string]string{
			"quantity_positive": "quantity >= 1",
			"item_of_something": "(variant_id IS NOT NULL OR gone IS NOT NULL)",
		})}
}
