package graph

import (
	"context"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/contactsubmission"
	"storefront/ent/predicate"
	"storefront/graph/model"
	"storefront/internal/audit"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/transaction"
)

const (
	bulkAtOnce = 200             // records in a transaction
	bulkTime   = 4 * time.Second // after which a request starts no more transactions; it may take 8 s
)

// bulk is a change of all records of a kind that match a filter. The records are not public before or after
// it.
type bulk struct {
	action, kind  string
	before, after any // what the audit log shows of each record; after is nil if it is deleted

	// find returns some matching records, locked, and the ids of what they are about, if that has a title.
	find  func(ctx context.Context, tx *ent.Tx) (ids, about []uuid.UUID, err error)
	write func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error
	count func(ctx context.Context) (int, error) // the records that match
}

// inBulk changes all matching records in short transactions, until none is left or bulkTime has passed.
func (m mutationResolver) inBulk(
	ctx context.Context, business uuid.UUID, countOnly bool, b bulk,
) (*model.BulkPayload, error) {
	ctx = derive.Unseen(catalog.InTenant(ctx, business))
	fit, err := b.count(ctx)
	if err != nil {
		return nil, err
	}
	done := new(model.BulkPayload)
	for begun := m.r.clock(); !countOnly && m.r.clock().Sub(begun) < bulkTime; {
		n := 0
		err := transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
			ids, about, err := b.find(ctx, tx)
			if n = len(ids); err != nil || n == 0 {
				return err
			}
			if err := b.write(ctx, tx, ids); err != nil {
				return err
			}
			subjects, err := subjectsOf(ctx, tx.Client(), about)
			if err != nil {
				return err
			}
			changes := make([]audit.Change, n)
			for i, id := range ids {
				changes[i] = audit.Change{Kind: b.kind, ID: id, Before: b.before, After: b.after}
				if about != nil {
					changes[i].Name, changes[i].NameEn = subjects[about[i]].TitleFa, subjects[about[i]].TitleEn
				}
			}
			return audit.Record(ctx, tx, b.action, changes...)
		})
		if err != nil && done.Changed > 0 {
			done.Stopped = m.r.stop(ctx, err)
			break
		}
		if err != nil {
			return nil, err
		}
		if done.Changed += n; n < bulkAtOnce || database.Joined(ctx) { // with a key all would be one transaction
			break
		}
	}
	left, err := b.count(ctx)
	if err != nil && done.Changed > 0 {
		left, err, done.Stopped = max(fit-done.Changed, 0), nil, m.r.stop(ctx, err)
	}
	done.Left = left
	return done, err
}

// condition is conditionAt for the argument filter.
func condition(f model.SubmissionFilter, name, email string, texts ...string) (func(*sql.Selector), error) {
	var bad fault.Fields
	fits := conditionAt("filter", f, &bad, name, email, texts...)
	return fits, bad.Err()
}

// conditionAt returns the predicate of a filter. name and email are the columns with the sender's name and
// address; texts are all columns that are searched for a text. It fails for a filter without a condition;
// path is where the filter stands.
func conditionAt(
	path string, f model.SubmissionFilter, bad *fault.Fields, name, email string, texts ...string,
) func(*sql.Selector) {
	var all []func(*sql.Selector)
	if has(f.Contains) {
		all = append(all, holdsText(*f.Contains, append(texts, name, email)))
	}
	if has(f.Name) {
		all = append(all, sql.FieldEQ(name, *f.Name))
	}
	if has(f.Email) {
		all = append(all, sql.FieldEQ(email, *f.Email))
	}
	if f.Since != nil {
		all = append(all, sql.FieldGTE(comment.FieldCreatedAt, f.Since.UTC()))
	}
	if f.Before != nil {
		all = append(all, sql.FieldLT(comment.FieldCreatedAt, f.Before.UTC()))
	}
	if len(all) == 0 {
		bad.Add(path, "must have at least one condition")
	}
	return sql.AndPredicates(all...)
}

func has(text *string) bool { return text != nil && *text != "" }

// holdsText returns the predicate that one of the columns contains a text exactly, on both databases.
func holdsText(text string, columns []string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		position := "instr"
		if s.Dialect() == dialect.Postgres {
			position = "strpos"
		}
		var any []*sql.Predicate
		for _, column := range columns {
			any = append(any, sql.P(func(b *sql.Builder) {
				b.WriteString(position + "(").Ident(s.C(column)).WriteString(", ").Arg(text).WriteString(") > 0")
			}))
		}
		s.Where(sql.Or(any...))
	}
}

// unseen are the statuses in which comments and reviews are not public.
var unseen = []record.Moderation{record.Pending, record.Rejected}

// RejectComments rejects the pending comments that match a filter.
func (m mutationResolver) RejectComments(
	ctx context.Context, businessID uuid.UUID, filter model.SubmissionFilter, countOnly bool,
) (*model.BulkPayload, error) {
	return m.bulkOfOpinions(ctx, businessID, m.comments(), filter, countOnly, "rejectComments", record.Pending)
}

// DeleteComments deletes the comments that are not approved and match a filter.
func (m mutationResolver) DeleteComments(
	ctx context.Context, businessID uuid.UUID, filter model.SubmissionFilter, countOnly bool,
) (*model.BulkPayload, error) {
	return m.bulkOfOpinions(ctx, businessID, m.comments(), filter, countOnly, "deleteComments", unseen...)
}

// RejectReviews rejects the pending reviews that match a filter.
func (m mutationResolver) RejectReviews(
	ctx context.Context, businessID uuid.UUID, filter model.SubmissionFilter, countOnly bool,
) (*model.BulkPayload, error) {
	return m.bulkOfOpinions(ctx, businessID, m.reviews(), filter, countOnly, "rejectReviews", record.Pending)
}

// DeleteReviews deletes the reviews that are not approved and match a filter.
func (m mutationResolver) DeleteReviews(
	ctx context.Context, businessID uuid.UUID, filter model.SubmissionFilter, countOnly bool,
) (*model.BulkPayload, error) {
	return m.bulkOfOpinions(ctx, businessID, m.reviews(), filter, countOnly, "deleteReviews", unseen...)
}

// bulkOfOpinions rejects the pending comments or reviews that match a filter, or deletes those of some statuses.
func (m mutationResolver) bulkOfOpinions(
	ctx context.Context, business uuid.UUID, of opinions, filter model.SubmissionFilter, countOnly bool, action string,
	statuses ...record.Moderation,
) (*model.BulkPayload, error) {
	// Comments and reviews have these columns by the same names.
	fits, err := condition(filter, comment.FieldAuthorName, comment.FieldAuthorEmail, comment.FieldText)
	if err != nil {
		return nil, err
	}
	where := sql.AndPredicates(sql.FieldIn(comment.FieldStatus, statuses...), fits)
	b := bulk{
		action: action, kind: of.kind, before: map[string]any{}, write: of.delete,
		find: func(ctx context.Context, tx *ent.Tx) (ids, about []uuid.UUID, err error) {
			found, err := of.read(ctx, tx, where, bulkAtOnce)
			for _, o := range found {
				ids, about = append(ids, o.id), append(about, o.about)
			}
			return ids, about, err
		},
		count: func(ctx context.Context) (int, error) { return of.count(ctx, where) },
	}
	if len(statuses) == 1 {
		b.before, b.after = moderated(record.Pending, nil), moderated(record.Rejected, nil)
		b.write = func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
			return of.set(ctx, tx, ids, verdict{status: record.Rejected})
		}
	}
	return m.inBulk(ctx, business, countOnly, b)
}

// HandleContacts marks the waiting messages that match a filter as done.
func (m mutationResolver) HandleContacts(
	ctx context.Context, businessID uuid.UUID, filter model.SubmissionFilter, countOnly bool,
) (*model.BulkPayload, error) {
	b, err := m.bulkOfContacts(filter, "handleContacts", contactsubmission.HandledAtIsNil())
	if err != nil {
		return nil, err
	}
	at := arrivalOf(ctx)
	b.before, b.after = map[string]any{"handled": false}, map[string]any{"handled": true}
	b.write = func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
		return tx.ContactSubmission.Update().Where(contactsubmission.IDIn(ids...)).SetHandledAt(at).Exec(ctx)
	}
	return m.inBulk(ctx, businessID, countOnly, b)
}

// DeleteContacts deletes the messages that match a filter.
func (m mutationResolver) DeleteContacts(
	ctx context.Context, businessID uuid.UUID, filter model.SubmissionFilter, countOnly bool,
) (*model.BulkPayload, error) {
	b, err := m.bulkOfContacts(filter, "deleteContacts")
	if err != nil {
		return nil, err
	}
	b.before = map[string]any{}
	b.write = func(ctx context.Context, tx *ent.Tx, ids []uuid.UUID) error {
		_, err := tx.ContactSubmission.Delete().Where(contactsubmission.IDIn(ids...)).Exec(ctx)
		return err
	}
	return m.inBulk(ctx, businessID, countOnly, b)
}

// bulkOfContacts returns the bulk that marks or deletes messages to the business.
func (m mutationResolver) bulkOfContacts(
	filter model.SubmissionFilter, action string, where ...predicate.ContactSubmission,
) (b bulk, err error) {
	fits, err := condition(filter, contactsubmission.FieldName, contactsubmission.FieldEmail,
		contactsubmission.FieldTitle,
		contactsubmission.FieldCellNumber, contactsubmission.FieldText)
	if err != nil {
		return b, err
	}
	where = append(where, fits)
	return bulk{
		action: action, kind: "contactSubmission",
		find: func(ctx context.Context, tx *ent.Tx) (ids, about []uuid.UUID, err error) {
			found, err := tx.ContactSubmission.Query().Where(where...).Order(contactsubmission.ByID()).
				Limit(bulkAtOnce).
				Modify(database.ForNoKeyUpdate).All(ctx)
			return catalog.IDsOf(found, func(c *ent.ContactSubmission) uuid.UUID { return c.ID }), nil, err
		},
		count: func(ctx context.Context) (int, error) {
			return m.r.Store.ContactSubmission.Query().Where(where...).Count(ctx)
		},
	}, nil
}
