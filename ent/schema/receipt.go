package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Receipt is a picture by which a customer shows that an order was paid by transfer. It is a JPEG file that
// internal/media keeps below record.ReceiptFolder, and is shown to the customer and to staff who manage orders.
type Receipt struct{ ent.Schema }

func (Receipt) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Receipt) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("order_id", uuid.UUID{}).Immutable(),
		field.UUID("user_id", uuid.UUID{}).Immutable().Comment("the order's customer, who uploaded it"),
		field.Bytes("hash").Immutable().Comment("SHA-256 of the file as it was sent"),
		field.Int64("size").Immutable().Comment("bytes of the file that is kept"),
		field.Int("width").Immutable().Comment("pixels"),
		field.Int("height").Immutable().Comment("pixels"),
	}
}

func (Receipt) Edges() []ent.Edge {
	return []ent.Edge{
		ofOrder(),
		// erasing a customer deletes their receipts before the account, with the files
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

func (Receipt) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("order_id", "hash").Unique(), // a file is kept once
		index.Fields("user_id", "tenant_id"),
		index.Fields("tenant_id"),  // for the bytes that a shop's receipts take
		index.Fields("created_at"), // by which the sweep finds the old ones
	}
}

func (Receipt) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "order_id", As: "receipts", Named: map[string]string{"id": "id"},
			Withheld: []string{"user_id", "hash"}, Deleted: true,
		},
		Reads{"url": {"user_id"}}}
}
