// Package plan reads elements of a shop's content, as files, sheets and staff give them, compares them with the shop's
// records, and plans the changes that make the records as the elements say. It writes nothing.
package plan

import (
	"math"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// Planner plans the changes of a shop's content. It is used by one goroutine, as long as nobody changes what Client
// reads: for the check of a file, or in one transaction.
type Planner struct {
	Client *ent.Client
	Shop   uuid.UUID
	IsNew  bool // the shop has no records but those of the file, so that nothing is looked up
	Now    time.Time
	Terms  Terms
	Memory *Memory
	Faults *document.Faults

	// Refused is the first reason, besides faults, why an edit cannot be made.
	Refused error
	// Moving reports whether categories move some of whose records will not be in their new lists yet.
	Moving bool
	// Unfinished reports whether categories have moved before, and their records are not in their new lists yet.
	Unfinished bool
	// Together reports whether elements depend on each other so that all must be written in one transaction.
	Together bool

	unit       *stored.Unit
	section    string    // of the elements
	at         time.Time // the updated_at of changed records
	uploads    *uploads
	categories *Categories
	indexes    map[string]*index // by section
	offered    []offeredProduct  // to be compared with the other variants of their products
	leftOver   []leftOver        // conflicting variants that are not in the file so far
	mixed      []leftOver        // likewise: those in another currency
}

// Terms are what elements may do, and how they are read, which depends on where they come from. The zero Terms are
// those of a file.
type Terms struct {
	// Edit is set for changes of records that their author has seen. A file may be older than the records: it may
	// name them by former slugs, move variants to other products, and hold texts that an author should correct.
	Edit    bool
	Owner   *uuid.UUID // of an edit: the customer whose own listing it is; nil: staff
	Sheet   *Sheet     // the elements are rows of a sheet; nil: others
	Audited bool       // each record has an entry in the audit log
	AtOnce  int        // how many records of moved categories are updated in the same transaction; the others later
}

// MovedAtOnce is the usual Terms.AtOnce.
const MovedAtOnce = 500

// All is the Terms.AtOnce without a limit.
const All = math.MaxInt - 1

// Memory is what is known of the elements of a file. Planners of the same file share it: one that checks the file,
// and those that write it.
type Memory struct {
	Checked bool                             // the whole file was read
	NewID   func(kind, key string) uuid.UUID // returns the id of a new record with a natural key

	keys       map[string]map[string]entry // of the elements, by section
	categories map[categorySlug]uuid.UUID  // the ids of new ones
	opinions   map[[32]byte][]saidBefore   // by the hash of record, author and text
	locations  *locations                  // nil until the first user product
}

// NewMemory returns the memory of a file, or of an edit, before its elements are read.
func NewMemory() *Memory {
	return &Memory{NewID: func(_, _ string) uuid.UUID { return record.NewID() },
		keys: map[string]map[string]entry{}, categories: map[categorySlug]uuid.UUID{},
		opinions: map[[32]byte][]saidBefore{}}
}

// At returns the updated_at that changed records of the last unit get.
func (p *Planner) At() time.Time { return p.at }

func (p *Planner) objects(elements []*document.Node) []*document.Object {
	return convert.All(elements, func(n *document.Node) *document.Object {
		return &document.Object{Node: n, Faults: p.Faults, Strict: p.Terms.Edit}
	})
}

// refuse sets the reason why an edit cannot be made.
func (p *Planner) refuse(why *fault.Error) {
	if p.Refused == nil {
		p.Refused = why
	}
}

// note notes the outcome of a record of an element, and reports whether it must be written.
func (p *Planner) note(o *document.Object, section string, f stored.Fate) bool {
	p.unit.Outcomes = append(p.unit.Outcomes, stored.Outcome{Element: o.Node, Section: section, Fate: f})
	return f != stored.Unchanged
}

// noteRecord notes a record before it is changed. It has a later updated_at afterwards, even if the clock was set back
// or stands.
func (p *Planner) noteRecord(kind string, row any, id uuid.UUID, updatedAt time.Time, isThere bool) {
	if isThere && !p.at.After(updatedAt) {
		p.at = updatedAt.UTC().Add(time.Microsecond)
	}
	if !p.Terms.Audited {
		return
	}
	one := stored.Audited{Kind: kind, ID: id, Row: row}
	if isThere {
		one.UpdatedAt = updatedAt
		one.Before, _ = audit.Snapshot(row) // rows can always be encoded
	}
	p.unit.Audited = append(p.unit.Audited, one)
}

// noteChanged notes an existing record whose derived data may have to be updated.
func (p *Planner) noteChanged(id uuid.UUID) {
	p.unit.Change.Changed = append(p.unit.Change.Changed, id)
}

// save plans to write records.
func save[R stored.Row](p *Planner, to *stored.Table, records []R) {
	if len(records) > 0 {
		p.unit.Write(to, convert.All(records, func(r R) []any { return to.Complete(r.Row(), p.Shop, p.at) }))
	}
}

// listed is a record of a kind that is in lists.
type listed struct {
	kind        listing.Kind
	id          uuid.UUID
	published   bool
	publishedAt time.Time
	category    *uuid.UUID
	tagKeys     []string
}

// addListings adds the listings of a new record.
func (p *Planner) addListings(r listed) {
	if !r.published {
		return
	}
	var categories []uuid.UUID
	for row := range p.categories.up(r.category) {
		categories = append(categories, row.ID)
	}
	p.unit.Listings = append(p.unit.Listings, derive.Listings(r.kind, r.id, r.publishedAt, categories, r.tagKeys)...)
}

// noteListed notes a record that is in lists: as new, or as one whose listings may have to be updated.
func (p *Planner) noteListed(o *document.Object, isThere bool, r listed) {
	if !isThere {
		p.addListings(r)
	} else if o.Changed {
		p.noteChanged(r.id)
	}
}
