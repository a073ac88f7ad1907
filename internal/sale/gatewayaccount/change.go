package gatewayaccount

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	account "storefront/ent/gatewayaccount"
	"storefront/ent/payment"
	"storefront/ent/refund"
	"storefront/ent/staffmember"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/message/notice"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
	"storefront/internal/shop/audit"
)

const (
	mostAccounts = 50 // of a shop, without those that are forgotten
	shownOfIt    = 4  // characters of the first credential, and half of it at most
)

// Draft is an account to add.
type Draft struct {
	Gateway string
	Secrets map[string]string // by the names of the gateway's fields
	Base    string            // Checked has seen it; empty: PUBLIC_URL
}

// Checked returns a draft whose values may be stored. It fails with VALIDATION_FAILED. It calls the draft's address for
// callbacks, so it runs outside of transactions.
func (s *Service) Checked(ctx context.Context, business uuid.UUID, d Draft) (Draft, error) {
	var bad fault.Fields
	g := s.named(d.Gateway)
	if g == nil {
		bad.Add("input.gateway", "must be one of %s", strings.Join(s.names(), ", "))
		return d, bad.Err()
	}
	left, fields := maps.Clone(d.Secrets), g.About().Fields
	for _, field := range fields {
		value := d.Secrets[field.Name]
		delete(left, field.Name)
		switch {
		case field.Takes(value):
		case field.Choices != nil:
			bad.Add("input.secrets."+field.Name, "must be one of %s", strings.Join(field.Choices, ", "))
		default:
			bad.Add("input.secrets."+field.Name, "does not have the form of this value: %s", field.Title)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		bad.Add("input.secrets."+name, "is unknown")
	}
	if err := bad.Err(); err != nil {
		return d, err
	}
	var err error
	if d.Base != "" {
		d.Base, err = s.checkBase(ctx, business, d.Base)
	} else if s.PublicURL == "" {
		err = fault.Invalid("input.callbackBase", "must be given, as this service has no PUBLIC_URL")
	}
	return d, err
}

func (s *Service) names() (names []string) {
	for _, g := range s.Gateways {
		names = append(names, g.About().Name)
	}
	return names
}

// Add stores a draft of Checked, with which nobody can pay before Switch. It fails with CONFLICT if the shop has too
// many accounts.
func (s *Service) Add(ctx context.Context, business uuid.UUID, d Draft) (added *ent.GatewayAccount, err error) {
	err = s.change(ctx, business, "addGatewayAccount", func(ctx context.Context, tx *ent.Tx, note noting) error {
		n, err := tx.GatewayAccount.Query().Where(account.SecretsNotNil()).Count(ctx)
		if err == nil && n >= mostAccounts {
			err = fault.New(fault.Conflict, "the shop has %d gateway accounts already", mostAccounts)
		}
		if err != nil {
			return err
		}
		text, err := json.Marshal(d.Secrets)
		if err != nil {
			return err
		}
		g, id := s.named(d.Gateway), uuid.Must(uuid.NewV7())
		create := tx.GatewayAccount.Create().SetID(id).SetGateway(d.Gateway).SetTenantID(business).
			SetIsTest(!g.Live(gateway.Account{Secrets: d.Secrets})).
			SetLast4(lastOf(d.Secrets[g.About().Fields[0].Name])).
			SetSecrets(s.sealer.Seal(text, about(business, id))).SetCreatedAt(s.Clock.Now())
		if d.Base != "" {
			create.SetCallbackBase(d.Base)
		}
		if added, err = create.Save(ctx); err != nil {
			return err
		}
		return note(nil, added)
	})
	return added, err
}

func lastOf(credential string) string {
	return credential[len(credential)-min(shownOfIt, len(credential)/2):]
}

// Switch sets whether customers can begin to pay with an account. Another one of the same gateway is switched off when
// it is switched on. It fails with CONFLICT if customers could not pay with it.
func (s *Service) Switch(
	ctx context.Context, business, id uuid.UUID, on bool,
) (switched *ent.GatewayAccount, err error) {
	err = s.change(ctx, business, "switchGatewayAccount", func(ctx context.Context, tx *ent.Tx, note noting) error {
		row, err := tx.GatewayAccount.Get(ctx, id)
		if err != nil || row.Active == on {
			switched = row
			return err
		}
		if on {
			if err := s.mayActivate(ctx, tx, row); err != nil {
				return err
			}
			former, err := tx.GatewayAccount.Query().
				Where(account.Gateway(row.Gateway), account.Active(true)).Only(ctx)
			if err == nil {
				_, err = s.set(ctx, tx, former, note, func(u *ent.GatewayAccountUpdateOne) { u.SetActive(false) })
			}
			if err != nil && !ent.IsNotFound(err) {
				return err
			}
		}
		switched, err = s.set(ctx, tx, row, note, func(u *ent.GatewayAccountUpdateOne) { u.SetActive(on) })
		return err
	})
	return switched, err
}

// mayActivate fails with CONFLICT if customers could not pay with an account.
func (s *Service) mayActivate(ctx context.Context, tx *ent.Tx, row *ent.GatewayAccount) error {
	if err := s.Problem(row); err != nil {
		return err
	}
	currencies, err := currenciesOf(ctx, tx.Client(), row.TenantID)
	if err != nil {
		return err
	}
	if taken, refused := takes(s.named(row.Gateway), currencies); len(taken) == 0 && len(currencies) > 0 {
		return fault.New(fault.Conflict, "it takes none of the currencies of the shop's prices: %s", refused)
	}
	return nil
}

// Forget deletes the credentials of an account and switches it off. Unless forced it fails with CONFLICT if a
// payment may still need them.
func (s *Service) Forget(
	ctx context.Context, business, id uuid.UUID, force bool,
) (forgotten *ent.GatewayAccount, err error) {
	err = s.change(ctx, business, "forgetGatewayAccount", func(ctx context.Context, tx *ent.Tx, note noting) error {
		// a try that is being begun refers to the row, so that it is counted below
		row, err := tx.GatewayAccount.Query().Where(account.ID(id)).Modify(database.ForUpdate).Only(ctx)
		if err != nil || row.Secrets == nil {
			forgotten = row
			return err
		}
		if !force {
			if err := s.mayForget(ctx, tx, row); err != nil {
				return err
			}
		}
		forgotten, err = s.set(ctx, tx, row, note, func(u *ent.GatewayAccountUpdateOne) {
			u.ClearSecrets().SetActive(false)
		})
		return err
	})
	return forgotten, err
}

// mayForget fails with CONFLICT if a payment that began with an account may need it: one that the gateway is
// asked about, one whose refund is on its way, and, where the gateway gives money back, one that is paid.
func (s *Service) mayForget(ctx context.Context, tx *ent.Tx, row *ent.GatewayAccount) error {
	its := payment.GatewayAccountID(row.ID)
	open, err := tx.Payment.Query().Where(its, payment.Or(payment.LookAtNotNil(), payment.HasRefundsWith(
		refund.TenantID(row.TenantID), refund.StatusIn(record.RefundAsked, record.RefundSent, record.RefundUnknown),
	))).Count(ctx)
	if err != nil {
		return err
	}
	paid := 0
	if _, refunds := s.named(row.Gateway).(gateway.Refunder); refunds {
		paid, err = tx.Payment.Query().Where(its, payment.StatusIn(record.StatePaid, record.StateReview)).Count(ctx)
		if err != nil {
			return err
		}
	}
	if open+paid == 0 {
		return nil
	}
	return fault.New(fault.Conflict, "payments that began with this account need it: %d are under way or watched, and "+
		"%d could be given back by it", open, paid)
}

// noting notes that an account has changed; before is nil for a new one.
type noting func(before, after *ent.GatewayAccount) error

// set changes a row that the transaction has read.
func (s *Service) set(ctx context.Context, tx *ent.Tx, row *ent.GatewayAccount, note noting,
	to func(*ent.GatewayAccountUpdateOne)) (*ent.GatewayAccount, error) {
	update := tx.GatewayAccount.UpdateOne(row).SetUpdatedAt(s.Clock.Now())
	to(update)
	after, err := update.Save(ctx)
	if err != nil {
		return nil, err
	}
	return after, note(row, after)
}

// change makes a change under the lock of the shop's content, whose version it raises if customers see it, records it,
// and sends an SMS about it to all owners after the commit.
func (s *Service) change(ctx context.Context, business uuid.UUID, action string,
	do func(ctx context.Context, tx *ent.Tx, note noting) error) error {
	var notices []notice.Notice
	err := derive.InShop(ctx, s.Store, business, func(ctx context.Context, tx *ent.Tx) error {
		notices = nil
		var last *ent.GatewayAccount
		visible := false
		err := do(ctx, tx, func(before, after *ent.GatewayAccount) error {
			entry := audit.Change{Kind: "gatewayAccount", ID: after.ID, Name: Name(after), After: seen(after)}
			if before != nil {
				entry.Before = seen(before)
				visible = visible || before.Active != after.Active
			}
			last = after
			return audit.Record(ctx, tx, action, entry)
		})
		if err != nil || last == nil {
			return err
		}
		if notices, err = s.noticesAbout(ctx, tx, action, last); err == nil {
			err = sells(ctx, tx, business)
		}
		if err != nil || !visible {
			return err
		}
		return derive.Raise(ctx, tx, business)
	})
	if err == nil {
		for _, n := range notices {
			s.Notices.Send(ctx, n)
		}
	}
	return err
}

// sells notes that a shop has set up how orders are paid, unless it is noted.
func sells(ctx context.Context, tx *ent.Tx, business uuid.UUID) error {
	return derive.RaiseSale(ctx, tx, tenant.ID(business), tenant.SaleVersion(0))
}

// Name returns what the audit log, SMS and commands call an account.
func Name(row *ent.GatewayAccount) string { return row.Gateway + " …" + row.Last4 }

// seen returns what the audit log shows of an account.
func seen(row *ent.GatewayAccount) any {
	return map[string]any{"gateway": row.Gateway, "isTest": row.IsTest, "last4": row.Last4,
		"callbackBase": row.CallbackBase, "active": row.Active, "forgotten": row.Secrets == nil}
}

// words are what SMS say of a change, with the shop's name and the account's: in English and in Farsi.
var words = map[string][2]string{
	"addGatewayAccount": {"%s: the payment gateway account %s was added.",
		"%s: حساب درگاه پرداخت %s افزوده شد."},
	"on": {"%s: customers pay by the payment gateway account %s from now on.",
		"%s: از این پس مشتریان با حساب درگاه پرداخت %s می‌پردازند."},
	"switchGatewayAccount": {"%s: the payment gateway account %s was switched off.",
		"%s: حساب درگاه پرداخت %s خاموش شد."},
	"forgetGatewayAccount": {"%s: the credentials of the payment gateway account %s were forgotten.",
		"%s: مشخصات حساب درگاه پرداخت %s فراموش شد."},
	"": {" If none of you did it, change your passwords at once.",
		" اگر کار شما نبود، بی‌درنگ گذرواژه‌ها را عوض کنید."},
}

// noticesAbout books the SMS to the owners of a shop about a change of an account, but for those that limits refuse.
func (s *Service) noticesAbout(
	ctx context.Context, tx *ent.Tx, action string, row *ent.GatewayAccount,
) (all []notice.Notice, err error) {
	owners, err := tx.StaffMember.Query().Where(staffmember.BusinessID(row.TenantID),
		staffmember.RoleEQ(record.Owner)).WithUser().Order(staffmember.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	shop, err := tx.Tenant.Get(ctx, row.TenantID)
	if err != nil {
		return nil, err
	}
	if row.Active {
		action = "on"
	}
	in := 1
	if notice.IsEnglish(shop) {
		in = 0
	}
	text := fmt.Sprintf(words[action][in], notice.NameOf(shop), Name(row)) + words[""][in]
	for _, owner := range owners {
		to := owner.Edges.User.CellNumber
		if !s.Notices.Reaches(to) {
			continue
		}
		booked, err := s.Notices.Book(ctx, tx, row.TenantID, to)
		if fault.Is(err, fault.RateLimited) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, notice.Notice{To: to, Text: text, Booked: booked,
			Done: func(context.Context, record.NoticeState) error { return nil }})
	}
	return all, nil
}

// OpenDemo gives a shop of a demo an account at its gateway, unless it has or had one. Several servers may call it at
// the same time.
func (s *Service) OpenDemo(ctx context.Context, business uuid.UUID) error {
	ctx = tenancy.In(ctx, business)
	return derive.InShop(ctx, s.Store, business, func(ctx context.Context, tx *ent.Tx) error {
		before, err := tx.GatewayAccount.Query().Where(account.Gateway("demo")).All(ctx)
		if err != nil || len(before) > 0 {
			return err
		}
		id := record.NewID()
		err = tx.GatewayAccount.Create().SetID(id).SetGateway("demo").SetIsTest(true).SetLast4("demo").
			SetActive(true).SetSecrets(s.sealer.Seal([]byte(`{"name":"demo"}`), about(business, id))).Exec(ctx)
		return cmp.Or(err, sells(ctx, tx, business))
	})
}
