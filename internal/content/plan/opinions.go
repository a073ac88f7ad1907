package plan

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
	"storefront/internal/fault"
	"storefront/internal/record"
)

// opinion is the natural key of a comment or review: its author, text, record and time. An element without
// createdAt has no time in its key and matches an opinion of any time.
type opinion struct {
	entityType record.EntityType
	entityID   uuid.UUID
	author     string
	text       string
	at         int64 // microseconds since 1970, or anyTime
}

const anyTime = math.MinInt64

// readOpinion reads the members of the natural key except the target.
func readOpinion(o *document.Object, entityType record.EntityType, on *uuid.UUID) opinion {
	said := opinion{entityType: entityType, at: anyTime}
	if on != nil {
		said.entityID = *on
	}
	o.Require("authorName", "text")
	o.Text("authorName", &said.author, personLimit)
	o.Text("text", &said.text, opinionLimit)
	if m := o.Value("createdAt"); m != nil {
		if at, ok := o.Instant(m); ok {
			said.at = at.UnixMicro()
		}
	}
	return said
}

// createdAt returns the creation time for a new record of an opinion.
func (s opinion) createdAt(now time.Time) time.Time {
	if s.at == anyTime {
		return now
	}
	return time.UnixMicro(s.at).UTC()
}

// saidBefore is an earlier element of the file with the same author, text and record.
type saidBefore struct {
	at   int64
	path string
}

// noteOpinion adds a fault for an opinion that occurs twice in the file. An element without createdAt is
// equal to any with the same author, text and record.
func (p *Planner) noteOpinion(o *document.Object, s opinion) {
	if p.Memory.Checked || s.entityID == uuid.Nil {
		return // it was checked already, or its target is faulty
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %s %s", s.entityType, s.entityID, len(s.author), s.author, s.text))
	for _, before := range p.Memory.opinions[key] {
		switch {
		case before.at == s.at && s.at != anyTime:
			o.Faults.Add(o.Node, "is %s again: the same author, text and time", before.path)
			return
		case before.at == anyTime || s.at == anyTime:
			o.Faults.Add(o.Node, "is %s again: the same author and text, and not both with createdAt", before.path)
			return
		}
	}
	p.Memory.opinions[key] = append(p.Memory.opinions[key], saidBefore{s.at, o.Path()})
}

// timeSpan returns the earliest and the latest time of opinions in the file, to limit the search for existing
// ones.
func timeSpan(batch []*document.Object) (first, last time.Time) {
	for _, text := range document.TextsOf(batch, "createdAt") {
		at, err := document.ParseTime(text)
		if err != nil {
			continue
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	return first, last
}

// textsOfAnyTime returns the texts of the elements without createdAt, in their stored form.
func textsOfAnyTime(batch []*document.Object) []string {
	var undated []*document.Object
	for _, o := range batch {
		if m := o.Member("createdAt"); m == nil || m.Kind == 'n' {
			undated = append(undated, o)
		}
	}
	return document.TextsOf(undated, "text")
}

// saidOn narrows a query to rows that may match elements of the file: opinions on the given records within
// their time span, or with the text of an element without createdAt.
func (p *Planner) saidOn(target string, ids []uuid.UUID, batch []*document.Object) func(*sql.Selector) {
	first, last := timeSpan(batch)
	return func(s *sql.Selector) {
		s.Where(sql.And(stored.AmongList(s.C(target), ids), sql.Or(
			sql.And(sql.GTE(s.C(comment.FieldCreatedAt), first), sql.LTE(s.C(comment.FieldCreatedAt), last)),
			stored.AmongList(s.C(comment.FieldText), textsOfAnyTime(batch)))))
		s.OrderBy(sql.Desc(s.C(comment.FieldCreatedAt)), sql.Desc(s.C(comment.FieldID)))
	}
}

func (p *Planner) takeComments(ctx context.Context, batch []*document.Object) error {
	sections := map[record.EntityType]string{
		record.Product: "products", record.Blog: "blogs", record.Portfolio: "portfolios"}
	var ids []uuid.UUID
	for of, section := range sections {
		on := slices.DeleteFunc(slices.Clone(batch), func(o *document.Object) bool {
			m := o.Member("entityType")
			return m == nil || m.Text != string(of)
		})
		some, err := p.targets(ctx, section, on, "entity")
		if err != nil {
			return err
		}
		ids = append(ids, some...)
	}
	rows, err := saidBy(ctx, p, p.Client.Comment.Query(), p.saidOn(comment.FieldEntityID, ids, batch),
		func(row *ent.Comment) opinion {
			return opinion{row.EntityType, row.EntityID, row.AuthorName, row.Text, row.CreatedAt.UnixMicro()}
		})
	if err != nil {
		return err
	}
	target := func(o *document.Object) (of record.EntityType, on *uuid.UUID) {
		o.Require("entityType", "entity")
		document.Choose(o, "entityType", &of, of.Values())
		if section, ok := sections[of]; ok {
			readReference(o, "entity", &on, fault.Words(string(of)), p.index(section).id)
		} else {
			o.Find("entity")
		}
		return of, on
	}
	create := func(o *document.Object, said opinion) *ent.Comment {
		return &ent.Comment{ID: record.NewID(), EntityType: said.entityType, EntityID: said.entityID,
			AuthorName: said.author, Text: said.text, CreatedAt: said.createdAt(p.Now), Status: record.Approved}
	}
	opinions[*ent.Comment]{"comments", stored.CommentTable, target, create, func(o *document.Object, row *ent.Comment) {
		o.OptionalText("authorEmail", &row.AuthorEmail, emailLimit, checkEmail)
		document.Choose(o, "status", &row.Status, row.Status.Values())
		readRejection(o, &row.RejectionReason, row.Status == record.Rejected)
		readReply(o, &row.Reply, &row.RepliedAt, p.Now)
	}}.take(p, batch, rows)
	return nil
}

func (p *Planner) takeReviews(ctx context.Context, batch []*document.Object) error {
	ids, err := p.targets(ctx, "products", batch, "product")
	if err != nil {
		return err
	}
	rows, err := saidBy(ctx, p, p.Client.ExpertReview.Query(), p.saidOn(expertreview.FieldProductID, ids, batch),
		func(row *ent.ExpertReview) opinion {
			return opinion{"review", row.ProductID, row.AuthorName, row.Text, row.CreatedAt.UnixMicro()}
		})
	if err != nil {
		return err
	}
	changed := opinions[*ent.ExpertReview]{"expertReviews", stored.ExpertReviewTable,
		func(o *document.Object) (of record.EntityType, on *uuid.UUID) {
			o.Require("product")
			readReference(o, "product", &on, fault.Say("product"), p.index("products").id)
			return "review", on
		}, func(o *document.Object, said opinion) *ent.ExpertReview {
			o.Require("rate", "positivePoints", "negativePoints")
			return &ent.ExpertReview{ID: record.NewID(), ProductID: said.entityID, AuthorName: said.author,
				Text: said.text, CreatedAt: said.createdAt(p.Now), Status: record.Approved,
				PositivePoints: []string{}, NegativePoints: []string{}}
		}, func(o *document.Object, row *ent.ExpertReview) {
			o.OptionalText("authorEmail", &row.AuthorEmail, emailLimit, checkEmail)
			o.Integer("rate", &row.Rate, 1, 10)
			o.Texts("positivePoints", &row.PositivePoints, mostPoints, document.TitleLimit)
			o.Texts("negativePoints", &row.NegativePoints, mostPoints, document.TitleLimit)
			document.Choose(o, "status", &row.Status, row.Status.Values())
			readRejection(o, &row.RejectionReason, row.Status == record.Rejected)
			readReply(o, &row.Reply, &row.RepliedAt, p.Now)
		}}.take(p, batch, rows)
	for _, row := range changed {
		p.unit.Change.Rated = append(p.unit.Change.Rated, row.ProductID)
	}
	return nil
}

// targets looks up the records that opinions are on, and returns their ids.
func (p *Planner) targets(ctx context.Context, section string, batch []*document.Object, member string) (
	ids []uuid.UUID, err error,
) {
	slugs := document.SlugsOf(batch, member)
	err = p.index(section).load(ctx, slugs)
	for _, slug := range slugs {
		if id, ok := p.index(section).id(slug); ok {
			ids = append(ids, id)
		}
	}
	return ids, err
}

// saidBy returns the existing opinions of a query by their keys, with their time and without.
func saidBy[Q stored.Query[Q, P, R], P ~func(*sql.Selector), R any](
	ctx context.Context, p *Planner, all Q, where func(*sql.Selector), key func(R) opinion,
) (map[opinion]R, error) {
	rows := map[opinion]R{}
	if p.IsNew {
		return rows, nil
	}
	found, err := all.Where(where).All(ctx)
	for _, row := range found {
		said := key(row)
		rows[said] = row
		said.at = anyTime // matches the oldest
		rows[said] = row
	}
	return rows, err
}

// opinions are how opinions of a section are read.
type opinions[R stored.Row] struct {
	section string
	table   *stored.Table
	target  func(o *document.Object) (record.EntityType, *uuid.UUID) // what an opinion is on
	make    func(o *document.Object, said opinion) R                 // a new record
	read    func(o *document.Object, row R)                          // all members that do not identify it
}

// take reads opinions, and saves and returns those that differ.
func (of opinions[R]) take(p *Planner, batch []*document.Object, rows map[opinion]R) (changed []R) {
	for _, o := range batch {
		entity, on := of.target(o)
		said := readOpinion(o, entity, on)
		p.noteOpinion(o, said)
		row, ok := rows[said]
		if !ok {
			row = of.make(o, said)
		}
		o.Changed = false
		of.read(o, row)
		o.RefuseUnknown()
		if p.note(o, of.section, stored.FateOf(!ok, o.Changed)) {
			changed = append(changed, row)
		}
	}
	save(p, of.table, changed)
	return changed
}

// readReply reads the shop's reply to an opinion. A reply without a time gets the time of the import.
func readReply(o *document.Object, text **string, at **time.Time, now time.Time) {
	before := record.TextOf(*text)
	o.OptionalText("reply", text, replyLimit)
	o.OptionalTime("repliedAt", at)
	switch {
	case *text == nil:
		document.PutPointer(o, at, nil)
	case *at == nil || record.TextOf(*text) != before && o.Value("repliedAt") == nil:
		document.PutPointer(o, at, &now)
	}
}
