package shopfile

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/payment"
	"storefront/ent/predicate"
	"storefront/ent/refund"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/record"
)

// isOpen narrows payments to those that a shop's gateway must settle: tries under way, those that it may have verified,
// and those with a pending refund.
func isOpen(shop uuid.UUID) predicate.Payment {
	return payment.And(payment.LookAtNotNil(), payment.Or(payment.StatusIn(record.StatesUnderWay...),
		payment.And(payment.VerifySent(true), payment.StatusNotIn(record.StatePaid, record.StateReview,
			record.StateRefunded)),
		payment.HasRefundsWith(refund.TenantID(shop),
			refund.StatusIn(record.RefundAsked, record.RefundSent, record.RefundUnknown))))
}

// OpenPayments returns how many payments of a shop wait for an answer of their gateway, and when it is
// asked about the last of them.
func OpenPayments(ctx context.Context, client *ent.Client, shop uuid.UUID) (open int, last time.Time, err error) {
	found, err := client.Payment.Query().Where(isOpen(shop)).
		Order(payment.ByLookAt(sql.OrderDesc())).Select(payment.FieldLookAt).All(tenancy.In(ctx, shop))
	if err != nil || len(found) == 0 {
		return 0, last, err
	}
	return len(found), *found[0].LookAt, nil
}

// EndPayments stops looking at the payments of a locked shop at gateways: its new place lacks the credentials. Open
// ones have a problem then; tries under way count as not paid there, so staff compare them with the gateway's panel.
// Refunds that are not done, contested ones too, fail there by themselves, with a problem.
func EndPayments(ctx context.Context, client *ent.Client, shop *ent.Tenant) error {
	ctx = tenancy.In(ctx, shop.ID)
	problem := language.Language(shop.DefaultLocale).Say(
		fault.Say("the shop moved while this was open; look in the gateway's panel whether it was paid"))
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		if err := tx.Payment.Update().Where(isOpen(shop.ID)).SetProblem(problem).Exec(ctx); err != nil {
			return err
		}
		err := tx.Payment.Update().Where(payment.LookAtNotNil(), payment.StatusIn(record.StatesUnderWay...)).
			SetStatus(record.StateExpired).Exec(ctx)
		if err != nil {
			return err
		}
		unsettled := payment.HasRefundsWith(refund.TenantID(shop.ID),
			refund.StatusNotIn(record.RefundDone, record.RefundFailed))
		return tx.Payment.Update().Where(payment.LookAtNotNil(), payment.Not(unsettled)).
			ClearLookAt().ClearHoldsUntil().ClearClaimedUntil().Exec(ctx)
	})
}
