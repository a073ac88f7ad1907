package staff

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/staffinvitation"
	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/database"
	"storefront/internal/database/sweep"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/message/notice"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

const (
	invitedFor      = 14 * 24 * time.Hour // then an invitation expires
	mostInvitations = 100                 // open invitations of a shop
)

// Inviter invites people to work for shops.
type Inviter struct {
	Store   *ent.Client // guarded by tenancy.Guard
	Clock   func() time.Time
	Notices *notice.Service
}

// Invite invites the holder of a cell to work for a shop, replacing any open invitation, and sends an SMS
// about it if the shop may send one, unless one was sent for the replaced invitation: its text does not name
// the role. It does the same whether or not the cell has an account. A person who already works for the shop
// gets the role at once, and Invite returns the member.
func (i Inviter) Invite(
	ctx context.Context, business uuid.UUID, cell string, role record.StaffRole,
) (member *ent.StaffMember, invitation *ent.StaffInvitation, err error) {
	var telling *notice.Notice
	err = change(ctx, i.Store, business, func(tx *ent.Tx) error {
		member, invitation, telling = nil, nil, nil
		works, err := tx.StaffMember.Query().
			Where(at(business), staffmember.HasUserWith(user.CellNumber(cell))).WithUser().Only(ctx)
		if err == nil {
			member, err = setRole(ctx, tx, works, role)
			return err
		}
		if !ent.IsNotFound(err) {
			return err
		}
		now := i.Clock()
		open := staffinvitation.And(staffinvitation.BusinessID(business), staffinvitation.ExpiresAtGT(now),
			staffinvitation.CellNumberNEQ(cell))
		if n, err := tx.StaffInvitation.Query().Where(open).Count(ctx); err != nil {
			return err
		} else if n >= mostInvitations {
			return fault.New(fault.Conflict, "%d invitations are open already; withdraw some first", n)
		}
		before, err := tx.StaffInvitation.Query().Where(staffinvitation.BusinessID(business),
			staffinvitation.CellNumber(cell), staffinvitation.ExpiresAtGT(now)).Only(ctx)
		if err != nil && !ent.IsNotFound(err) {
			return err
		}
		stored, err := tx.StaffInvitation.Create().SetBusinessID(business).SetCellNumber(cell).SetRole(role).
			SetExpiresAt(now.Add(invitedFor)).
			OnConflict(sql.ConflictColumns(staffinvitation.FieldBusinessID, staffinvitation.FieldCellNumber),
				sql.ResolveWith(func(u *sql.UpdateSet) {
					u.SetExcluded(staffinvitation.FieldRole).SetExcluded(staffinvitation.FieldExpiresAt).
						SetExcluded(staffinvitation.FieldUpdatedAt)
				})).Save(ctx)
		if err != nil {
			return err
		}
		if before == nil || before.Role == role || !smsWasSent(before) {
			if telling, err = i.tell(ctx, tx, business, stored.ID, cell, now); err != nil {
				return err
			}
		}
		invitation, err = tx.StaffInvitation.Query().
			Where(staffinvitation.ID(stored.ID), staffinvitation.BusinessID(business)).Only(ctx)
		if err != nil {
			return err
		}
		var was any
		if before != nil && before.Role != role {
			was = invited(before.Role)
		}
		return noteInvitation(ctx, tx, "addStaff", stored.ID, was, invited(role))
	})
	if err == nil && telling != nil {
		telling.Done = func(ctx context.Context, state record.NoticeState) error {
			return i.Store.StaffInvitation.Update().Where(staffinvitation.ID(invitation.ID),
				staffinvitation.BusinessID(business), staffinvitation.SmsAt(*invitation.SmsAt)).SetSms(state).Exec(ctx)
		}
		i.Notices.Send(ctx, *telling)
	}
	return member, invitation, err
}

// smsWasSent reports whether an SMS about an invitation was sent, or is being sent.
func smsWasSent(i *ent.StaffInvitation) bool {
	return i.Sms != nil && (*i.Sms == record.NoticeSent || *i.Sms == record.NoticeSending)
}

// tell books the SMS about an invitation. It returns nil if none is sent, because it does not reach the
// number or the shop has sent too many.
func (i Inviter) tell(
	ctx context.Context, tx *ent.Tx, business, id uuid.UUID, cell string, now time.Time,
) (*notice.Notice, error) {
	if !i.Notices.Reaches(cell) {
		return nil, nil
	}
	booked, err := i.Notices.Book(ctx, tx, business, cell)
	if fault.Is(err, fault.RateLimited) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	shop, err := tx.Tenant.Get(ctx, business)
	if err != nil {
		return nil, err
	}
	text := "برای همکاری با «%s» دعوت شده‌اید. " +
		"برای پذیرفتن، با همین شماره در %s وارد شوید."
	if notice.IsEnglish(shop) {
		text = "You are invited to work for %s. To accept, sign in with this number at %s."
	}
	return &notice.Notice{To: cell, Text: fmt.Sprintf(text, notice.NameOf(shop), shop.Domain), Booked: booked},
		tx.StaffInvitation.Update().Where(staffinvitation.ID(id), staffinvitation.BusinessID(business)).
			SetSms(record.NoticeSending).SetSmsAt(record.Moment(now)).Exec(ctx)
}

// Invitations returns the open invitations of a shop, in the order in which they were made.
func Invitations(
	ctx context.Context, store *ent.Client, business uuid.UUID, now time.Time,
) ([]*ent.StaffInvitation, error) {
	return store.StaffInvitation.Query().
		Where(staffinvitation.BusinessID(business), staffinvitation.ExpiresAtGT(now)).
		Order(staffinvitation.ByID()).All(ctx)
}

// Withdraw deletes an invitation of a shop.
func Withdraw(ctx context.Context, store *ent.Client, business, id uuid.UUID) error {
	return transaction.Run(ctx, store, func(tx *ent.Tx) error {
		open, err := take(ctx, tx, staffinvitation.ID(id), staffinvitation.BusinessID(business))
		if err != nil {
			return err
		}
		return noteInvitation(ctx, tx, "withdrawInvitation", id, invited(open.Role), nil)
	})
}

// Received returns the open invitations of a user, with their shops. It returns none until the user has
// verified the cell, since anybody could have registered the number.
func Received(
	ctx context.Context, store *ent.Client, userID uuid.UUID, now time.Time,
) ([]*ent.StaffInvitation, error) {
	who, err := store.User.Get(ctx, userID)
	if err != nil {
		return nil, err
	}
	return store.StaffInvitation.Query().Where(receivedBy(who, now)).WithBusiness().
		Order(staffinvitation.ByID()).All(ctx)
}

// Accept makes the invited user a member of the shop's staff. It fails with NOT_FOUND if there is no such
// invitation.
func Accept(
	ctx context.Context, store *ent.Client, userID, id uuid.UUID, clock func() time.Time,
) (member *ent.StaffMember, err error) {
	open, err := store.StaffInvitation.Get(ctx, id)
	if err != nil {
		return nil, noInvitation(err)
	}
	err = change(ctx, store, open.BusinessID, func(tx *ent.Tx) error {
		who, err := tx.User.Get(ctx, userID)
		if err != nil {
			return err
		}
		open, err := take(ctx, tx, staffinvitation.ID(id), staffinvitation.BusinessID(open.BusinessID),
			receivedBy(who, clock()))
		if err != nil {
			return err
		}
		ctx := request.WithStaff(ctx, request.Staff{User: userID, Business: open.BusinessID, Role: open.Role})
		member, err = employ(ctx, tx, "acceptInvitation", who, open) // the command may just have made them one
		return err
	})
	return member, err
}

// Decline deletes an invitation of a user.
func Decline(ctx context.Context, store *ent.Client, userID, id uuid.UUID, clock func() time.Time) error {
	return transaction.Run(ctx, store, func(tx *ent.Tx) error {
		who, err := tx.User.Get(ctx, userID)
		if err == nil {
			_, err = take(ctx, tx, staffinvitation.ID(id), receivedBy(who, clock()))
		}
		return err
	})
}

// receivedBy matches the open invitations of an account.
func receivedBy(who *ent.User, now time.Time) predicate.StaffInvitation {
	if !who.Vouched || who.ClosedAt != nil {
		return staffinvitation.IDIn()
	}
	return staffinvitation.And(staffinvitation.CellNumber(who.CellNumber), staffinvitation.ExpiresAtGT(now))
}

// take deletes an invitation and returns it; only one of several concurrent requests gets it.
func take(ctx context.Context, tx *ent.Tx, matching ...predicate.StaffInvitation) (*ent.StaffInvitation, error) {
	found, err := tx.StaffInvitation.Query().Where(matching...).Modify(database.ForUpdate).Only(ctx)
	if err != nil {
		return nil, noInvitation(err)
	}
	return found, tx.StaffInvitation.DeleteOne(found).Where(staffinvitation.BusinessID(found.BusinessID)).Exec(ctx)
}

func noInvitation(err error) error {
	if ent.IsNotFound(err) {
		return fault.New(fault.NotFound, "there is no such invitation")
	}
	return err
}

// noteInvitation records a change of an invitation. It names no person, because the holder of the cell has
// not agreed yet.
func noteInvitation(ctx context.Context, tx *ent.Tx, action string, id uuid.UUID, before, after any) error {
	return audit.Record(ctx, tx, action, audit.Change{Kind: "staffInvitation", ID: id, Before: before, After: after})
}

// invited is the form of an invitation in the audit log.
func invited(role record.StaffRole) any { return map[string]any{"role": role} }

// Old returns the job that deletes expired invitations.
func Old(now time.Time) []sweep.Job {
	return []sweep.Job{sweep.Before(staffinvitation.Table, staffinvitation.FieldExpiresAt, now)}
}
