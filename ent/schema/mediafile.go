package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"storefront/internal/record"
)

// MediaFile is an image that was uploaded to a shop. internal/media keeps the file itself.
type MediaFile struct{ ent.Schema }

func (MediaFile) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (MediaFile) Fields() []ent.Field {
	return []ent.Field{
		field.String("address").Immutable().Comment("where clients find it: record.MediaAddress"),
		field.Bytes("hash").Immutable().Comment("SHA-256 of the file that is kept"),
		field.Enum("kind").GoType(record.MediaKind("")).Immutable(),
		field.Int64("size").Immutable().Comment("bytes of the file that is kept"),
		field.Int("width").Immutable().Comment("pixels"),
		field.Int("height").Immutable().Comment("pixels"),
		field.String("placeholder_color").Optional().Nillable().Immutable().Comment("#rrggbb"),
		field.String("name").Optional().Nillable().Comment("what the uploader called the file"),
		field.String("alt_fa").Optional().Nillable(),
		field.String("alt_en").Optional().Nillable(),
		field.Time("used_at").Default(now).Comment("when it was last seen in use, or uploaded"),
		field.Time("checked_at").Default(now).Comment("when its use was last looked at"),
	}
}

func (MediaFile) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "hash").Unique(),    // the same file is kept once
		index.Fields("tenant_id", "created_at", "id"), // the order of the library
		index.Fields("checked_at"),                    // by which the sweep finds shops
	}
}

func (MediaFile) Annotations() []schema.Annotation {
	return []schema.Annotation{Reads{
		"image": {"address", "width", "height", "placeholder_color", "alt_fa", "alt_en", "tenant.default_locale"},
		"uses":  {},
	}}
}
