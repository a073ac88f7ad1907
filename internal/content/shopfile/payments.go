package shopfile

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/payment"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/record"
)

// underWay are the states in which a try to pay at a gateway holds its order.
var underWay = []record.PaymentState{
	record.StateBegun, record.StateSent, record.StateReturned, record.StateVerifying,
}

// OpenPayments returns for how many tries to pay a gateway will be asked again, and when for the last of them.
func OpenPayments(ctx context.Context, client *ent.Client, shop uuid.UUID) (open int, last time.Time, err error) {
	found, err := client.Payment.Query().Where(payment.LookAtNotNil()).
		Order(payment.ByLookAt(sql.OrderDesc())).Select(payment.FieldLookAt).All(tenancy.In(ctx, shop))
	if err != nil || len(found) == 0 {
		return 0, last, err
	}
	return len(found), *found[0].LookAt, nil
}

// EndPayments stops looking at the tries of a locked shop to pay at a gateway: its new place lacks the credentials.
// Those under way count as not paid there, so staff compare them with the gateway's panel.
func EndPayments(ctx context.Context, client *ent.Client, shop *ent.Tenant) error {
	ctx = tenancy.In(ctx, shop.ID)
	problem := language.Language(shop.DefaultLocale).Say(
		fault.Say("the shop moved while this was open; look in the gateway's panel whether it was paid"))
	return transaction.Run(ctx, client, func(tx *ent.Tx) error {
		err := tx.Payment.Update().Where(payment.LookAtNotNil(), payment.StatusIn(underWay...)).
			SetStatus(record.StateExpired).Exec(ctx)
		if err != nil {
			return err
		}
		return tx.Payment.Update().Where(payment.LookAtNotNil()).ClearLookAt().ClearHoldsUntil().ClearClaimedUntil().
			SetProblem(problem).Exec(ctx)
	})
}
