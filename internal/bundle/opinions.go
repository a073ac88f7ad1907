package bundle

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/expertreview"
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

// opinion reads the members of the natural key except the target.
func (o *object) opinion(of record.EntityType, on *uuid.UUID) opinion {
	said := opinion{entityType: of, at: anyTime}
	if on != nil {
		said.entityID = *on
	}
	o.require("authorName", "text")
	o.text("authorName", &said.author, personLimit)
	o.text("text", &said.text, opinionLimit)
	if m := o.given("createdAt"); m != nil {
		if at, ok := o.instant(m); ok {
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
func (im *importer) noteOpinion(o *object, s opinion) {
	if im.writing || s.entityID == uuid.Nil {
		return // it was checked already, or its target is faulty
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %s %s", s.entityType, s.entityID, len(s.author), s.author, s.text))
	for _, before := range im.opinions[key] {
		switch {
		case before.at == s.at && s.at != anyTime:
			o.faults.add(o.node, "is %s again: the same author, text and time", before.path)
			return
		case before.at == anyTime || s.at == anyTime:
			o.faults.add(o.node, "is %s again: the same author and text, and not both with createdAt", before.path)
			return
		}
	}
	im.opinions[key] = append(im.opinions[key], saidBefore{s.at, o.path()})
}

// timeSpan returns the earliest and the latest time of opinions in the file, to limit the search for existing
// ones.
func timeSpan(batch []*object) (first, last time.Time) {
	for _, text := range textsOf(batch, "createdAt") {
		at, err := parseTime(text)
		switch {
		case err != nil:
		case first.IsZero():
			first, last = at, at
		case at.Before(first):
			first = at
		case at.After(last):
			last = at
		}
	}
	return first, last
}

// textsOfAnyTime returns the texts of the elements without createdAt, in their stored form.
func textsOfAnyTime(batch []*object) []string {
	var undated []*object
	for _, o := range batch {
		if m := o.member("createdAt"); m == nil || m.kind == 'n' {
			undated = append(undated, o)
		}
	}
	return textsOf(undated, "text")
}

// saidOn narrows a query to rows that may match elements of the file: opinions on the given records within
// their time span, or with the text of an element without createdAt.
func (im *importer) saidOn(target string, ids []uuid.UUID, batch []*object) func(*sql.Selector) {
	first, last := timeSpan(batch)
	return func(s *sql.Selector) {
		s.Where(sql.And(amongList(im.dialect, s.C(target), "uuid", ids), sql.Or(
			sql.And(sql.GTE(s.C(comment.FieldCreatedAt), first), sql.LTE(s.C(comment.FieldCreatedAt), last)),
			amongList(im.dialect, s.C(comment.FieldText), "text", textsOfAnyTime(batch)))))
		s.OrderBy(sql.Desc(s.C(comment.FieldCreatedAt)), sql.Desc(s.C(comment.FieldID)))
	}
}

func (im *importer) takeComments(ctx context.Context, batch []*object) error {
	if err := im.loadTargets(ctx, batch); err != nil {
		return err
	}
	finders := map[record.EntityType]func(string) (uuid.UUID, bool){
		record.Product: im.index("products").id, record.Blog: im.index("blogs").id, record.Portfolio: im.index("portfolios").id}
	rows, err := im.findComments(ctx, batch, finders)
	if err != nil {
		return err
	}
	var changed []*ent.Comment
	for _, o := range batch {
		var of record.EntityType
		var on *uuid.UUID
		o.require("entityType", "entity")
		choose(o, "entityType", &of, of.Values())
		if find := finders[of]; find != nil {
			o.reference("entity", &on, fault.Words(string(of)), find)
		} else {
			o.find("entity")
		}
		said := o.opinion(of, on)
		im.noteOpinion(o, said)
		row, ok := rows[said]
		if !ok {
			row = &ent.Comment{
				ID:         record.NewID(),
				EntityType: of,
				EntityID:   said.entityID,
				AuthorName: said.author,
				Text:       said.text,
				CreatedAt:  said.createdAt(im.now),
				Status:     record.Approved,
			}
		}
		o.changed = false
		o.optionalText("authorEmail", &row.AuthorEmail, emailLimit, checkEmail)
		choose(o, "status", &row.Status, row.Status.Values())
		o.rejectionReason(&row.RejectionReason, row.Status == record.Rejected)
		o.reply(&row.Reply, &row.RepliedAt, im.now)
		o.refuseUnknown()
		if im.countFate(o, "comments", fateOf(!ok, o.changed)) {
			changed = append(changed, row)
		}
	}
	save(im, commentTable, changed)
	return nil
}

// reply reads the shop's reply to an opinion. A reply without a time gets the time of the import.
func (o *object) reply(text **string, at **time.Time, now time.Time) {
	before := record.TextOf(*text)
	o.optionalText("reply", text, replyLimit)
	o.optionalTime("repliedAt", at)
	switch {
	case *text == nil:
		putPointer(o, at, nil)
	case *at == nil || record.TextOf(*text) != before && o.given("repliedAt") == nil:
		putPointer(o, at, &now)
	}
}

// loadTargets looks up the records that comments are on.
func (im *importer) loadTargets(ctx context.Context, batch []*object) error {
	for of, index := range map[record.EntityType]*index{
		record.Product: im.index("products"), record.Blog: im.index("blogs"), record.Portfolio: im.index("portfolios")} {
		var on []*object
		for _, o := range batch {
			if m := o.member("entityType"); m != nil && m.text == string(of) {
				on = append(on, o)
			}
		}
		if err := index.load(ctx, slugsOf(on, "entity")); err != nil {
			return err
		}
	}
	return nil
}

// findComments returns the existing comments that may match elements of the file.
func (im *importer) findComments(ctx context.Context, batch []*object,
	finders map[record.EntityType]func(string) (uuid.UUID, bool)) (map[opinion]*ent.Comment, error) {
	var ids []uuid.UUID
	for _, o := range batch {
		of, slug := cmp.Or(o.member("entityType"), &node{}).text,
			strings.TrimSpace(cmp.Or(o.member("entity"), &node{}).text)
		if find := finders[record.EntityType(of)]; find != nil {
			if id, ok := find(slug); ok && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	found, err := stored(ctx, im, im.client.Comment.Query().
		Where(im.saidOn(comment.FieldEntityID, ids, batch)).All)
	rows := map[opinion]*ent.Comment{}
	for _, row := range found {
		said := opinion{entityType: row.EntityType, entityID: row.EntityID, author: row.AuthorName, text: row.Text}
		for _, said.at = range []int64{row.CreatedAt.UnixMicro(), anyTime} { // anyTime matches the oldest
			rows[said] = row
		}
	}
	return rows, err
}

func (im *importer) takeReviews(ctx context.Context, batch []*object) error {
	if err := im.index("products").load(ctx, slugsOf(batch, "product")); err != nil {
		return err
	}
	rows, err := im.findReviews(ctx, batch)
	if err != nil {
		return err
	}
	var changed []*ent.ExpertReview
	for _, o := range batch {
		var on *uuid.UUID
		o.require("product")
		o.reference("product", &on, fault.Say("product"), im.index("products").id)
		said := o.opinion("review", on)
		im.noteOpinion(o, said)
		row, ok := rows[said]
		if !ok {
			row = &ent.ExpertReview{
				ID:             record.NewID(),
				ProductID:      said.entityID,
				AuthorName:     said.author,
				Text:           said.text,
				CreatedAt:      said.createdAt(im.now),
				Status:         record.Approved,
				PositivePoints: []string{},
				NegativePoints: []string{},
			}
			o.require("rate", "positivePoints", "negativePoints")
		}
		o.changed = false
		o.optionalText("authorEmail", &row.AuthorEmail, emailLimit, checkEmail)
		o.integer("rate", &row.Rate, 1, 10)
		o.texts("positivePoints", &row.PositivePoints, mostPoints, titleLimit)
		o.texts("negativePoints", &row.NegativePoints, mostPoints, titleLimit)
		choose(o, "status", &row.Status, row.Status.Values())
		o.rejectionReason(&row.RejectionReason, row.Status == record.Rejected)
		o.reply(&row.Reply, &row.RepliedAt, im.now)
		o.refuseUnknown()
		if im.countFate(o, "expertReviews", fateOf(!ok, o.changed)) {
			im.unit.change.Rated = append(im.unit.change.Rated, row.ProductID)
			changed = append(changed, row)
		}
	}
	save(im, expertReviewTable, changed)
	return nil
}

// findReviews returns the existing reviews that may match elements of the file.
func (im *importer) findReviews(ctx context.Context, batch []*object) (map[opinion]*ent.ExpertReview, error) {
	var ids []uuid.UUID
	for _, slug := range slugsOf(batch, "product") {
		if id, ok := im.index("products").id(slug); ok {
			ids = append(ids, id)
		}
	}
	found, err := stored(ctx, im, im.client.ExpertReview.Query().
		Where(im.saidOn(expertreview.FieldProductID, ids, batch)).All)
	rows := map[opinion]*ent.ExpertReview{}
	for _, row := range found {
		said := opinion{entityType: "review", entityID: row.ProductID, author: row.AuthorName, text: row.Text}
		for _, said.at = range []int64{row.CreatedAt.UnixMicro(), anyTime} { // anyTime matches the oldest
			rows[said] = row
		}
	}
	return rows, err
}
