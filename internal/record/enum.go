package record

import (
	"fmt"
	"io"
	"slices"
	"strconv"
)

// EntityType is a kind of content that has categories and comments.
type EntityType string

// The kinds of content, as the API and bundles spell them.
const (
	Product   EntityType = "product"
	Blog      EntityType = "blog"
	Portfolio EntityType = "portfolio"
)

// Status is the editorial status of a product, blog or portfolio; only Published is public.
type Status string

// The statuses of content, as the API and bundles spell them.
const (
	Draft     Status = "draft"
	Published Status = "published"
	Archived  Status = "archived"
)

// Moderation is the moderation status of a visitor's text; only Approved is public.
type Moderation string

// The moderation statuses, as the API spells them.
const (
	Pending  Moderation = "pending"
	Approved Moderation = "approved"
	Rejected Moderation = "rejected"
)

// Condition is the state of an item that a customer offers.
type Condition string

// BlogType is a kind of blog.
type BlogType string

// FieldType is the type of a technical form's field.
type FieldType string

// The types of fields, as the API and bundles spell them.
const (
	Text        FieldType = "text"
	Number      FieldType = "number"
	Boolean     FieldType = "boolean"
	Select      FieldType = "select"
	Multiselect FieldType = "multiselect"
)

// LocationLevel is the depth of a node in the location tree.
type LocationLevel string

// The levels of the tree, from the top down.
const (
	Country  LocationLevel = "country"
	Province LocationLevel = "province"
	City     LocationLevel = "city"
)

// StaffRole is the role of a staff member, which decides what they may do: internal/shop/staff.
type StaffRole string

// The roles, as the API spells them.
const (
	Owner     StaffRole = "owner"
	Manager   StaffRole = "manager"
	Editor    StaffRole = "editor"
	Moderator StaffRole = "moderator"
	Support   StaffRole = "support"
	Operator  StaffRole = "operator" // of the service, in every shop
)

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
