package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// RateEvent is an event that counts against a limit for a time.
type RateEvent struct{ ent.Schema }

func (RateEvent) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id"),
		field.String("key").Comment("what is limited, and for whom"),
		field.Time("at"),
		field.Time("expires_at").Comment("when no limit looks at it any more"),
	}
}

func (RateEvent) Indexes() []ent.Index {
	return []ent.Index{index.Fields("key", "at"), index.Fields("expires_at")}
}

// RateKey is a row to lock while the events of a key are counted and added. It also holds the key's run of
// failures.
type RateKey struct{ ent.Schema }

func (RateKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").Comment("the key"),
		field.Int("failures").Default(0).Comment("in a row"),
		field.Time("locked_until").Optional().Nillable(),
		field.Time("touched_at"),
	}
}

func (RateKey) Indexes() []ent.Index { return []ent.Index{index.Fields("touched_at")} }
