package personal

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/cart"
	"storefront/ent/onetimecode"
	"storefront/ent/staffinvitation"
	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/shop/audit"
)

// Figures count what was erased or exported.
type Figures struct {
	Orders    int `json:"orders"`    // whose personal data was removed
	Opinions  int `json:"opinions"`  // comments and reviews that lost their author
	Listings  int `json:"listings"`  // deleted
	Messages  int `json:"messages"`  // messages to the business, deleted
	Favorites int `json:"favorites"` // deleted
	Uploads   int `json:"uploads"`   // images, receipts among them, deleted
}

func (r rows) figures() Figures {
	return Figures{Orders: len(r["orders"]), Opinions: len(r["comments"]) + len(r["expert_reviews"]),
		Listings: len(r["user_products"]), Messages: len(r["contact_submissions"]), Favorites: len(r["favorites"]),
		Uploads: len(r["media_files"]) + len(r["receipts"])}
}

func (e *Figures) add(more Figures) {
	e.Orders += more.Orders
	e.Opinions += more.Opinions
	e.Listings += more.Listings
	e.Messages += more.Messages
	e.Favorites += more.Favorites
	e.Uploads += more.Uploads
}

// At erases what a shop stores about one of its customers, in one transaction with its entry in the audit
// log, and also the rows that an export lists as signedOnly and the caller names by their ids. The account is
// deleted too, unless another shop uses it, which is not disclosed. It fails with NOT_FOUND if the account is
// not a customer of the shop, and with CONFLICT if it belongs to staff.
func At(ctx context.Context, store *ent.Client, shop, id uuid.UUID, also ...uuid.UUID) (erased Figures, err error) {
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		emptyLog(ctx, store, tx)
		if _, err := customerOf(ctx, tx.Client(), shop, id); err != nil {
			return err
		}
		who, err := Lock(ctx, tx, id)
		if err != nil {
			return err
		}
		works, err := tx.StaffMember.Query().Where(staffmember.UserID(id), staffmember.BusinessID(shop)).Exist(ctx)
		if err == nil && works {
			err = fault.New(fault.Conflict, "this customer works for the shop; take the role away first")
		}
		if err != nil {
			return err
		}
		_, err = tx.StaffInvitation.Delete().
			Where(staffinvitation.BusinessID(shop), staffinvitation.CellNumber(who.CellNumber)).Exec(ctx)
		if err != nil {
			return err
		}
		w := walkerOf(tx.Raw(), who, true, also...)
		if erased, err = w.forget(ctx, tx, shop); err != nil {
			return err
		}
		if err := w.mustHaveFound(); err != nil {
			return err
		}
		if err := note(ctx, tx, "eraseCustomer", id, erased); err != nil {
			return err
		}
		left, err := w.shops(ctx, false)
		if err != nil || len(left) > 0 {
			return err
		}
		employed, err := isStaff(ctx, tx, id)
		if err != nil || employed {
			return err
		}
		return remove(ctx, tx, who)
	})
	return erased, err
}

// Account erases an account with what every shop stores about it, and with the rows that an export lists as
// signedOnly and the caller names by their ids, in one transaction with an entry in the audit log of each
// shop. It fails with CONFLICT if the account belongs to staff of a shop or of the service, and with NOT_FOUND
// if it does not exist.
func Account(ctx context.Context, store *ent.Client, id uuid.UUID, also ...uuid.UUID) (erased Figures, err error) {
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		emptyLog(ctx, store, tx)
		who, err := Lock(ctx, tx, id)
		if err != nil {
			return err
		}
		w := walkerOf(tx.Raw(), who, true, also...)
		if erased, err = w.eraseAccount(ctx, tx, who, "eraseAccount"); err != nil {
			return err
		}
		return w.mustHaveFound()
	})
	return erased, err
}

// CloseIn erases an account for its customer, within a larger transaction of store: what only a typed e-mail
// address says to be the customer's stays.
func CloseIn(ctx context.Context, store *ent.Client, tx *ent.Tx, id uuid.UUID) error {
	return erase(ctx, store, tx, id, "closeAccount")
}

// Drop is CloseIn for an account that was never verified or used; it writes nothing to the audit log.
func Drop(ctx context.Context, store *ent.Client, tx *ent.Tx, id uuid.UUID) error {
	return erase(ctx, store, tx, id, "")
}

func erase(ctx context.Context, store *ent.Client, tx *ent.Tx, id uuid.UUID, action string) error {
	emptyLog(ctx, store, tx)
	who, err := Lock(ctx, tx, id)
	if err == nil {
		_, err = walkerOf(tx.Raw(), who, false).eraseAccount(ctx, tx, who, action)
	}
	return err
}

// eraseAccount erases an account that is locked. Unless action is empty, it is noted for each shop that stores
// something about the account, or once for the service.
func (w *walker) eraseAccount(ctx context.Context, tx *ent.Tx, who *ent.User, action string) (
	erased Figures, err error,
) {
	if err := MustNotWork(ctx, tx, who.ID); err != nil {
		return erased, err
	}
	shops, err := w.shops(ctx, true)
	if err != nil {
		return erased, err
	}
	noted := func(ctx context.Context, erased Figures) error {
		if action == "" {
			return nil
		}
		return note(ctx, tx, action, who.ID, erased)
	}
	for _, shop := range shops {
		here := actsFor(ctx, shop)
		some, err := w.forget(here, tx, shop)
		if err != nil {
			return erased, err
		}
		if err := noted(here, some); err != nil {
			return erased, err
		}
		erased.add(some)
	}
	if len(shops) == 0 { // the entry then belongs to the service's log
		if err := noted(ctx, erased); err != nil {
			return erased, err
		}
	}
	return erased, remove(ctx, tx, who)
}

// mustHaveFound fails unless all rows that the caller has named were found.
func (w *walker) mustHaveFound() error {
	for id, found := range w.also {
		if !found {
			return fault.New(fault.NotFound, "%s is not signed with the customer's number or address alone", id)
		}
	}
	return nil
}

// emptyLogLimit is how long an erasure waits for readers of the erased rows. If that is not enough, the next
// sweep empties the log.
const emptyLogLimit = time.Second

// emptyLog empties SQLite's log after the commit, since it holds the erased rows until other changes
// overwrite them.
func emptyLog(ctx context.Context, store *ent.Client, tx *ent.Tx) {
	transaction.OnCommit(tx, func() {
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), emptyLogLimit)
		defer stop()
		_, _ = database.EmptyLog(ctx, store.Raw()) // the erasure is done even if this fails
	})
}

// MustNotWork fails with CONFLICT if the account belongs to staff of a shop or of the service.
func MustNotWork(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
	works, err := isStaff(ctx, tx, id)
	if err == nil && works {
		err = fault.New(fault.Conflict,
			"the account works for a shop, or for the service; the role has to be taken away first")
	}
	return err
}

// isStaff reports whether an account belongs to staff of any shop or of the service.
func isStaff(ctx context.Context, tx *ent.Tx, id uuid.UUID) (bool, error) {
	return tx.StaffMember.Query().Where(staffmember.UserID(id)).Exist(ctx)
}

// Lock makes all writes about an account wait until the transaction ends. It fails with NOT_FOUND if the account does
// not exist. It locks the account, then the content of its shops, and its carts last. Every writer of an account's
// data first locks its row: a request with an Idempotency-Key through that key's foreign key, a checkout and
// an edit of a customer's listing directly. So there is no deadlock, and nothing that refers to the account
// can be written until the transaction ends.
func Lock(ctx context.Context, tx *ent.Tx, id uuid.UUID) (*ent.User, error) {
	who, err := tx.User.Query().Where(user.ID(id)).Modify(database.ForUpdate).Only(ctx)
	if ent.IsNotFound(err) {
		err = gone()
	}
	if err != nil {
		return nil, err
	}
	shops, err := walkerOf(tx.Raw(), who, false).shops(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, shop := range shops {
		if err := derive.Lock(ctx, tx, shop); err != nil {
			return nil, err
		}
	}
	for _, shop := range shops {
		_, err := tx.Cart.Query().Where(cart.UserID(id)).Modify(database.ForUpdate).
			Select(cart.FieldID).All(tenancy.In(ctx, shop))
		if err != nil {
			return nil, err
		}
	}
	return who, nil
}

// note writes to a shop's audit log that a customer was erased, and how much, but not who it was.
func note(ctx context.Context, tx *ent.Tx, action string, id uuid.UUID, erased Figures) error {
	return audit.Record(ctx, tx, action, audit.Change{
		Kind: "customer", ID: id, Before: map[string]any{"erased": nil}, After: map[string]any{"erased": erased},
	})
}

// remove deletes an account about which no shop stores anything any more. Addresses, sessions with their
// tokens, stored answers and sign-in addresses are deleted with its row.
func remove(ctx context.Context, tx *ent.Tx, who *ent.User) error {
	if _, err := tx.OneTimeCode.Delete().Where(onetimecode.CellNumber(who.CellNumber)).Exec(ctx); err != nil {
		return err
	}
	if who.Vouched { // else they may belong to another person with this number
		_, err := tx.StaffInvitation.Delete().Where(staffinvitation.CellNumber(who.CellNumber)).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if err := audit.Forget(ctx, tx, uuid.Nil, who.ID); err != nil { // also for an account that was only staff
		return err
	}
	return tx.User.DeleteOneID(who.ID).Exec(ctx)
}
