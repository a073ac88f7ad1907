package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// WebhookEndpoint is an address of a business to which events of the shop are sent.
type WebhookEndpoint struct{ ent.Schema }

func (WebhookEndpoint) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (WebhookEndpoint) Fields() []ent.Field {
	return []ent.Field{
		field.Text("url"),
		field.String("description").Optional().Nillable(),
		field.Bytes("secret").Sensitive().Comment("what signs: the bytes behind whsec_"),
		field.Bytes("previous_secret").Optional().Nillable().Sensitive(),
		field.Time("previous_until").Optional().Nillable().Comment("until when previous_secret signs as well"),
		field.Int("events").Comment("one bit for each type of event that it wants: outbox.Type.Bit"),
		field.Bool("active").Default(true).Comment("false: nothing is sent to it"),
		field.String("disabled_reason").Optional().Nillable().
			Comment("why the service made it inactive; null: it is active, or staff did so"),

		field.Int("restarts").Default(0).
			Comment("raised by each change after which sending begins anew: of url, secret or active"),

		field.Int64("number").Default(0).
			Comment("of the event up to which the deliveries were made; internal/event/outbox makes them"),

		// Used by internal/event/webhook only.
		field.Int("failures").Default(0).Comment("attempts that failed since the last that succeeded"),
		field.Time("failing_since").Optional().Nillable().Comment("when the first of these was"),
		field.Time("paused_until").Optional().Nillable().Comment("nothing is sent before"),
		field.UUID("leased_by", uuid.UUID{}).Optional().Nillable().Comment("the server that sends"),
		field.Time("leased_until").Optional().Nillable(),
	}
}

func (WebhookEndpoint) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "id")}
}

// WebhookDelivery is an event for an endpoint (internal/event/outbox). Ids grow in the order of the events' numbers.
//
// It is pending as long as next_at is not null. After that it was delivered, or given up if delivered_at is
// null.
type WebhookDelivery struct{ ent.Schema }

func (WebhookDelivery) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (WebhookDelivery) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id"),
		field.UUID("endpoint_id", uuid.UUID{}).Immutable(),
		field.UUID("event_id", uuid.UUID{}).Immutable().Comment("webhook-id; alike for all endpoints"),
		field.Enum("type").GoType(record.WebhookEvent("")).Immutable(),
		field.UUID("subject_id", uuid.UUID{}).Immutable().
			Comment("the order, comment or variant, whose events keep their order"),
		field.Text("payload").Immutable().Comment("JSON, byte for byte"),
		field.Time("created_at").Immutable(),
		field.Int("attempts").Default(0),
		field.Time("next_at").Optional().Nillable().Comment("when it is sent next; null: never"),
		field.Time("give_up_at").Comment("an attempt that fails from then on is the last"),
		field.Time("attempted_at").Optional().Nillable(),
		field.Time("delivered_at").Optional().Nillable(),
		field.Int("status").Optional().Nillable().Comment("of HTTP, of the last attempt; null: there was no answer"),
		field.Enum("failure").GoType(record.WebhookFailure("")).Optional().Nillable().
			Comment("why the last attempt failed"),
	}
}

func (WebhookDelivery) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("endpoint", WebhookEndpoint.Type).Field("endpoint_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (WebhookDelivery) Indexes() []ent.Index {
	waiting := entsql.IndexWhere("next_at IS NOT NULL")
	return []ent.Index{
		index.Fields("endpoint_id", "event_id").Unique(),
		index.Fields("endpoint_id", "created_at", "id"), // the order of lists, read backwards
		index.Fields("created_at"),                      // old ones are deleted
		index.Fields("endpoint_id", "next_at").Annotations(waiting),
		index.Fields("endpoint_id", "subject_id", "id").Annotations(waiting),
	}
}
