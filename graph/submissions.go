package graph

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/ent/contactsubmission"
	"storefront/ent/expertreview"
	"storefront/ent/membership"
	"storefront/ent/user"
	"storefront/graph/model"
	"storefront/internal/auth"
	"storefront/internal/catalog"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/outbox"
	"storefront/internal/ratelimit"
	"storefront/internal/record"
	"storefront/internal/search"
	"storefront/internal/transaction"
)

// CreateComment stores a visitor's comment on a published record. Like every submission it is pending until
// the shop's staff approves it.
func (m mutationResolver) CreateComment(
	ctx context.Context, domain string, input model.CommentInput,
) (*model.CommentPayload, error) {
	t, err := m.r.Catalog.ShopAt(ctx, domain)
	if err != nil {
		return nil, err
	}
	if err := m.r.Catalog.MustBePublished(ctx, t.ID, input.EntityType, input.EntityID); err != nil {
		return nil, err
	}
	pending := func(ctx context.Context, tx *ent.Tx) (bool, error) {
		return tx.Comment.Query().Where(comment.StatusEQ(record.Pending)).Offset(mostPending - 1).Exist(ctx)
	}
	eventOf := func(c *ent.Comment) outbox.Event {
		return submitted(record.CommentSubmitted, c.ID, c.CreatedAt, map[string]any{
			"businessId": t.ID, "commentId": c.ID, "entityType": c.EntityType, "entityId": c.EntityID,
		})
	}
	store := func(ctx context.Context, tx *ent.Tx) (*ent.Comment, error) {
		by, err := author(ctx, tx, t.ID)
		if err != nil {
			return nil, err
		}
		return tx.Comment.Create().SetNillableUserID(by).
			SetEntityType(input.EntityType).
			SetEntityID(input.EntityID).
			SetAuthorName(strings.TrimSpace(input.AuthorName)).
			SetNillableAuthorEmail(trimmed(input.AuthorEmail)).
			SetText(strings.TrimSpace(input.Text)).
			Save(ctx)
	}
	stored, err := submit(ctx, m, t.ID, "comments", pending, eventOf, store)
	return &model.CommentPayload{
		Comment: stored,
		Message: "Thank you. Your comment will be shown once the shop has approved it.",
	}, err
}

// CreateExpertReview stores a visitor's review of a published product.
func (m mutationResolver) CreateExpertReview(
	ctx context.Context, domain string, input model.ExpertReviewInput,
) (*model.ExpertReviewPayload, error) {
	t, err := m.r.Catalog.ShopAt(ctx, domain)
	if err != nil {
		return nil, err
	}
	if err := m.r.Catalog.MustBePublished(ctx, t.ID, record.Product, input.ProductID); err != nil {
		return nil, err
	}
	pending := func(ctx context.Context, tx *ent.Tx) (bool, error) {
		return tx.ExpertReview.Query().Where(expertreview.StatusEQ(record.Pending)).Offset(mostPending - 1).Exist(ctx)
	}
	eventOf := func(e *ent.ExpertReview) outbox.Event {
		return submitted(record.ReviewSubmitted, e.ID, e.CreatedAt, map[string]any{
			"businessId": t.ID, "reviewId": e.ID, "productId": e.ProductID, "rate": e.Rate,
		})
	}
	store := func(ctx context.Context, tx *ent.Tx) (*ent.ExpertReview, error) {
		by, err := author(ctx, tx, t.ID)
		if err != nil {
			return nil, err
		}
		return tx.ExpertReview.Create().SetNillableUserID(by).
			SetProductID(input.ProductID).
			SetAuthorName(strings.TrimSpace(input.AuthorName)).
			SetNillableAuthorEmail(trimmed(input.AuthorEmail)).
			SetRate(input.Rate).
			SetPositivePoints(eachTrimmed(input.PositivePoints)).
			SetNegativePoints(eachTrimmed(input.NegativePoints)).
			SetText(strings.TrimSpace(input.Text)).
			Save(ctx)
	}
	stored, err := submit(ctx, m, t.ID, "reviews", pending, eventOf, store)
	return &model.ExpertReviewPayload{
		Review:  stored,
		Message: "Thank you. Your review will be shown once the shop has approved it.",
	}, err
}

// SubmitContact stores a message to the business.
func (m mutationResolver) SubmitContact(
	ctx context.Context, domain string, input model.ContactInput,
) (*model.ContactPayload, error) {
	t, err := m.r.Catalog.ShopAt(ctx, domain)
	if err != nil {
		return nil, err
	}
	pending := func(ctx context.Context, tx *ent.Tx) (bool, error) {
		return tx.ContactSubmission.Query().Where(contactsubmission.HandledAtIsNil()).Offset(mostPending - 1).Exist(ctx)
	}
	eventOf := func(c *ent.ContactSubmission) outbox.Event {
		data := map[string]any{"businessId": t.ID, "submissionId": c.ID}
		return submitted(record.ContactReceived, c.ID, c.CreatedAt, data)
	}
	stored, err := submit(ctx, m, t.ID, "messages", pending, eventOf,
		func(ctx context.Context, tx *ent.Tx) (*ent.ContactSubmission, error) {
			return tx.ContactSubmission.Create().
				SetTitle(strings.TrimSpace(input.Title)).
				SetName(strings.TrimSpace(input.Name)).
				SetNillableEmail(trimmed(input.Email)).
				SetNillableCellNumber(trimmed(input.CellNumber)).
				SetText(strings.TrimSpace(input.Text)).
				Save(ctx)
		})
	return &model.ContactPayload{Submission: stored, Message: "Thank you. Your message has reached the business."}, err
}

const (
	// mostPending is the number of pending records of a kind in a business from which on each client may send
	// only crowdedWrites an hour (contract 3.1).
	mostPending = 20_000
	// crowdedWrites is how many records of a kind one client address may then send in an hour.
	crowdedWrites = 10
	// untilStaffActs is the Retry-After of a refusal that lasts until staff have looked at the client's
	// records.
	untilStaffActs = time.Hour
)

// submit stores a visitor's submission to a tenant. It fails with RATE_LIMITED if the visitor's client
// address has sent too many in a minute, or in an hour while mostPending records of the kind wait; pending
// counts these.
func submit[T any](
	ctx context.Context, m mutationResolver, tenant uuid.UUID, kind string,
	pending func(context.Context, *ent.Tx) (bool, error), eventOf func(T) outbox.Event,
	store func(context.Context, *ent.Tx) (T, error),
) (stored T, err error) {
	quota := ratelimit.Quota{Key: "public@" + auth.ClientAddress(ctx), Window: time.Minute,
		Most: m.r.PublicWritesInMinute}
	if m.r.PublicWritesInMinute > 0 {
		wait, err := quota.Peek(ctx, m.r.Store, m.r.clock())
		if err != nil || wait > 0 {
			return stored, tooManyWrites(wait, err)
		}
	}
	crowded := ratelimit.Crowded(
		"pending:"+kind+":"+tenant.String(), auth.CredentialsOf(ctx).Client, time.Hour, crowdedWrites)
	err = transaction.Run(ctx, m.r.Store, func(tx *ent.Tx) error {
		if m.r.PublicWritesInMinute > 0 {
			wait, err := quota.Take(ctx, tx, m.r.clock)
			if err != nil || wait > 0 {
				return tooManyWrites(wait, err)
			}
		}
		ctx := derive.Unseen(catalog.InTenant(ctx, tenant))
		full, err := pending(ctx, tx)
		if err != nil {
			return err
		}
		for _, network := range crowded {
			if !full {
				break
			}
			if wait, err := network.Take(ctx, tx, m.r.clock); err != nil || wait > 0 {
				return tooMuchWaits(wait, err)
			}
		}
		if stored, err = store(ctx, tx); err != nil {
			return err
		}
		return outbox.Put(ctx, tx.Raw(), tenant, eventOf(stored))
	})
	return stored, err
}

// author returns the account of a signed-in customer of the shop, or nil for others. The account is locked,
// so that it is not erased before the transaction ends.
func author(ctx context.Context, tx *ent.Tx, tenant uuid.UUID) (*uuid.UUID, error) {
	caller, err := auth.CallerOf(ctx)
	if err != nil {
		return nil, nil // a visitor
	}
	held, err := tx.User.Query().Where(user.ID(caller.User), user.ClosedAtIsNil()).Modify(database.ForKeyShare).
		Select(user.FieldID).All(ctx)
	if err != nil || len(held) == 0 {
		return nil, err
	}
	is, err := tx.Membership.Query().Where(membership.UserID(caller.User), membership.BusinessID(tenant),
		membership.PendingUntilIsNil()).Exist(ctx)
	if err != nil || !is {
		return nil, err
	}
	return &caller.User, nil
}

func tooMuchWaits(wait time.Duration, err error) error {
	if err != nil {
		return err
	}
	full := fault.New(fault.RateLimited,
		"much waits for the staff of this shop, and a part of it is from here; try again in %d seconds",
		fault.Seconds(wait))
	full.RetryAfter = wait
	return full
}

// submitted returns the event of a submission. It has the id of the submitted record.
func submitted(kind record.WebhookEvent, id uuid.UUID, at time.Time, data map[string]any) outbox.Event {
	return outbox.Event{ID: id, Type: kind, Subject: id, At: at, Data: data}
}

func tooManyWrites(wait time.Duration, err error) error {
	if err != nil {
		return err
	}
	full := fault.New(fault.RateLimited,
		"too many comments, reviews and messages from one client address; try again in %d seconds", fault.Seconds(wait))
	full.RetryAfter = wait
	return full
}

// trimmed returns an optional text without surrounding space, or nil if nothing visible is left.
func trimmed(text *string) *string {
	if text == nil || search.IsBlank(*text) {
		return nil
	}
	bare := strings.TrimSpace(*text)
	return &bare
}

func eachTrimmed(texts []string) []string {
	bare := make([]string, len(texts))
	for i, text := range texts {
		bare[i] = strings.TrimSpace(text)
	}
	return bare
}
