package record

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// EntityType is a kind of content that has categories and comments.
type EntityType string

const (
	Product   EntityType = "product"
	Blog      EntityType = "blog"
	Portfolio EntityType = "portfolio"
)

// Values lists every EntityType.
func (EntityType) Values() []string { return []string{"product", "blog", "portfolio"} }

// Status is the editorial status of a product, blog or portfolio; only Published is public.
type Status string

const (
	Draft     Status = "draft"
	Published Status = "published"
	Archived  Status = "archived"
)

// Values lists every Status.
func (Status) Values() []string { return []string{"draft", "published", "archived"} }

// Moderation is the moderation status of a visitor's text; only Approved is public.
type Moderation string

const (
	Pending  Moderation = "pending"
	Approved Moderation = "approved"
	Rejected Moderation = "rejected"
)

// Values lists every Moderation.
func (Moderation) Values() []string { return []string{"pending", "approved", "rejected"} }

// Condition is the state of an item that a customer offers.
type Condition string

// Values lists every Condition.
func (Condition) Values() []string { return []string{"new", "stock", "needs_repair", "scrap"} }

// BlogType is a kind of blog.
type BlogType string

// Values lists every BlogType.
func (BlogType) Values() []string { return []string{"news", "article", "blog"} }

// FieldType is the type of a technical form's field.
type FieldType string

const (
	Text        FieldType = "text"
	Number      FieldType = "number"
	Boolean     FieldType = "boolean"
	Select      FieldType = "select"
	Multiselect FieldType = "multiselect"
)

// Values lists every FieldType.
func (FieldType) Values() []string {
	return []string{"text", "number", "boolean", "select", "multiselect"}
}

// LocationLevel is the depth of a node in the location tree.
type LocationLevel string

const (
	Country  LocationLevel = "country"
	Province LocationLevel = "province"
	City     LocationLevel = "city"
)

// Values lists every LocationLevel.
func (LocationLevel) Values() []string { return []string{"country", "province", "city"} }

// StaffRole is the role of a staff member, which decides what they may do: internal/staff.
type StaffRole string

const (
	Owner     StaffRole = "owner"
	Manager   StaffRole = "manager"
	Editor    StaffRole = "editor"
	Moderator StaffRole = "moderator"
	Support   StaffRole = "support"
	Operator  StaffRole = "operator" // of the service, in every shop
)

// Values lists every StaffRole.
func (StaffRole) Values() []string {
	return []string{"owner", "manager", "editor", "moderator", "support", "operator"}
}

type enum interface {
	~string
	Values() []string
}

func marshal[E enum](w io.Writer, e E) { _, _ = io.WriteString(w, strconv.Quote(string(e))) }

func unmarshal[E enum](e *E, v any) error {
	s, ok := v.(string)
	if !ok || !slices.Contains(E.Values(*e), s) {
		return fmt.Errorf("must be one of %v", E.Values(*e))
	}
	*e = E(s)
	return nil
}

// The methods below write and read the enumerations in GraphQL by the words of the API.

func (e EntityType) MarshalGQL(w io.Writer)       { marshal(w, e) }
func (e *EntityType) UnmarshalGQL(v any) error    { return unmarshal(e, v) }
func (m Moderation) MarshalGQL(w io.Writer)       { marshal(w, m) }
func (m *Moderation) UnmarshalGQL(v any) error    { return unmarshal(m, v) }
func (c Condition) MarshalGQL(w io.Writer)        { marshal(w, c) }
func (c *Condition) UnmarshalGQL(v any) error     { return unmarshal(c, v) }
func (t BlogType) MarshalGQL(w io.Writer)         { marshal(w, t) }
func (t *BlogType) UnmarshalGQL(v any) error      { return unmarshal(t, v) }
func (t FieldType) MarshalGQL(w io.Writer)        { marshal(w, t) }
func (t *FieldType) UnmarshalGQL(v any) error     { return unmarshal(t, v) }
func (l LocationLevel) MarshalGQL(w io.Writer)    { marshal(w, l) }
func (l *LocationLevel) UnmarshalGQL(v any) error { return unmarshal(l, v) }
func (r StaffRole) MarshalGQL(w io.Writer)        { marshal(w, r) }
func (r *StaffRole) UnmarshalGQL(v any) error     { return unmarshal(r, v) }
func (s Status) MarshalGQL(w io.Writer)           { marshal(w, s) }
func (s *Status) UnmarshalGQL(v any) error        { return unmarshal(s, v) }
