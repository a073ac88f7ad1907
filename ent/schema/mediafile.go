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

// MediaFile is an image that was uploaded to a shop, by its staff or by a customer for a listing. internal/media keeps
// the file itself.
type MediaFile struct{ ent.Schema }

func (MediaFile) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (MediaFile) Fields() []ent.Field {
	return []ent.Field{
		field.String("address").Immutable().Comment("where clients find it: record.MediaAddress"),
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("the customer who uploaded it for their listings; null: staff, or a program of the shop"),
		field.Bytes("hash").
			Comment("SHA-256 of the file that is kept; of a customer's, with the customer's id before it"),
		field.Bytes("sent_hash").Optional().Immutable().
			Comment("the same of the file that was sent; null: it is kept as it was sent"),
		field.Enum("kind").GoType(record.MediaKind("")).Immutable(),
		field.Int64("size").Comment("bytes of the file that is kept"),
		field.Int64("total_size").Comment("bytes of that and of all narrower ones that are kept"),
		field.Int("width").Immutable().Comment("pixels"),
		field.Int("height").Immutable().Comment("pixels"),
		field.String("placeholder_color").Optional().Nillable().Immutable().Comment("#rrggbb"),
		field.String("name").Optional().Nillable().Comment("what the uploader called the file"),
		field.String("alt_fa").Optional().Nillable(),
		field.String("alt_en").Optional().Nillable(),
		field.Time("used_at").Default(record.Now).Comment("when it was last seen in use, or uploaded"),
		field.Time("checked_at").Default(record.Now).Comment("when its use was last looked at"),
	}
}

func (MediaFile) Edges() []ent.Edge {
	return []ent.Edge{
		// erasing a customer deletes their images before the account, with the files
		edge.To("user", User.Type).Field("user_id").Unique().Immutable().
			Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

func (MediaFile) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "hash").Unique(), // a file is kept once
		index.Fields("tenant_id", "sent_hash").Unique(),
		index.Fields("tenant_id", "created_at", "id"), // the order of the library
		index.Fields("user_id", "tenant_id"),
		index.Fields("checked_at"), // by which the sweep finds shops
	}
}

func (MediaFile) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "user_id", As: "uploads", Deleted: true,
			Withheld: []string{"hash", "used_at", "checked_at", "total_size"}, // of the sweep and of the quota
		},
		Reads{
			"image": {"address", "width", "height", "placeholder_color", "alt_fa", "alt_en", "tenant.default_locale"},
			"uses":  {}, "version": {"name", "alt_fa", "alt_en"},
		}}
}
