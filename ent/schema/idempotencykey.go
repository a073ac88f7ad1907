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

// IdempotencyKey is the key of an answered request of a customer or a program, with the answer. It is written
// in the transaction of the request's changes, so that other transactions never see a key without its answer.
type IdempotencyKey struct{ ent.Schema }

func (IdempotencyKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").Comment("SHA-256 of customer or access token, path and key, in base64"),
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().Comment("null: a program's"),
		field.UUID("token_id", uuid.UUID{}).Optional().Nillable().Comment("the program's access token"),
		field.Bytes("fingerprint").Comment("SHA-256 of what was sent"),
		field.Text("answer").Optional().Nillable().Comment("JSON, byte for byte; null: it is not kept"),
		field.Int("size").Default(0).Comment("bytes of a long answer; 0: a short one, which does not count"),
		field.Time("expires_at"),
	}
}

func (IdempotencyKey) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (IdempotencyKey) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "size"), index.Fields("expires_at")}
}

func (IdempotencyKey) Annotations() []schema.Annotation {
	return []schema.Annotation{
		// copies of answers, for a day; the request still counts as done
		Personal{Of: "user_id", Cleared: []string{"answer", "size"}},
	}
}
