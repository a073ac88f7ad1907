package payment

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/gatewayevent"
	"storefront/ent/payment"
	"storefront/ent/predicate"
	"storefront/internal/database"
	"storefront/internal/database/sweep"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/sale/gateway"
)

// eventsKept is how long an event is known. Gateways repeat one for some days.
const eventsKept = 30 * 24 * time.Hour

// Event follows a call of a gateway about one of a shop's accounts: it asks the gateway about the payment that the call
// is about. After an error the gateway calls again: NOT_FOUND if it has no such account or never calls, BAD_REQUEST if
// the call is not the gateway's, UNAVAILABLE while the credentials of the account cannot be read.
func (s *Service) Event(ctx context.Context, name string, id uuid.UUID, header http.Header, body []byte) error {
	account, err := s.findAccount(ctx, name, id)
	if err != nil {
		return err
	}
	ctx = tenancy.In(ctx, account.TenantID)
	at, opened, err := s.accounts.Open(account)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "the service cannot answer right now; try again in a moment")
	}
	notifier, ok := at.(gateway.Notifier)
	if !ok {
		return noPage()
	}
	event, err := notifier.Event(opened, header, body, s.clock.Now())
	if err != nil {
		return fault.Foreign(fault.BadRequest, err.Error()) // for whoever reads the gateway's log
	}
	p, err := s.tryAbout(ctx, id, event)
	if ent.IsNotFound(err) {
		return nil // another application of the account has begun it
	}
	if err != nil {
		return err
	}
	isRepeated, err := s.store.GatewayEvent.Query().
		Where(gatewayevent.GatewayAccountID(id), gatewayevent.Event(event.ID)).Exist(ctx)
	if isRepeated || err != nil {
		return err
	}
	if err := s.follow(ctx, p, event.About); err != nil {
		return err
	}
	now := s.clock.Now() // only now is it known, so that one whose work failed is followed when it is repeated
	err = s.store.GatewayEvent.Create().SetID(record.NewID()).SetCreatedAt(now).SetUpdatedAt(now).
		SetGatewayAccountID(id).SetEvent(event.ID).Exec(ctx)
	if ent.IsConstraintError(err) {
		return nil // the same call came twice at once
	}
	return err
}

var businessOfAccount = database.Statement(`SELECT tenant_id FROM gateway_accounts
	WHERE id = $id AND gateway = $gateway`)

// findAccount returns an account at a gateway, of whatever shop.
func (s *Service) findAccount(ctx context.Context, name string, id uuid.UUID) (*ent.GatewayAccount, error) {
	var business uuid.UUID
	found, err := businessOfAccount.Row(ctx, s.store.Raw(), database.Values{"id": id, "gateway": name}, &business)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, noPage()
	}
	return s.store.GatewayAccount.Get(tenancy.In(ctx, business), id)
}

// tryAbout returns the try with an account that an event is about. It fails with ent's NotFound if there is none.
func (s *Service) tryAbout(ctx context.Context, account uuid.UUID, e gateway.Event) (*ent.Payment, error) {
	named := payment.Reference(e.Settled)
	switch {
	case e.About == gateway.AboutNothing || e.Reference+e.Theirs+e.Settled == "":
		return nil, &ent.NotFoundError{}
	case e.Reference != "":
		named = payment.Ours(e.Reference)
	case e.Theirs != "":
		named = payment.Theirs(e.Theirs)
	}
	return s.store.Payment.Query().Where(payment.GatewayAccountID(account), named).First(ctx)
}

// follow asks the gateway how a try stands, and what went back of it, or has Watch do so if it cannot be asked now.
func (s *Service) follow(ctx context.Context, p *ent.Payment, about gateway.Subject) error {
	isSettled, isWatched := slices.Contains(settled, p.Status), payment.LookAtNotNil()
	switch {
	case about == gateway.AboutRefund:
		isWatched = payment.Or(isWatched, payment.StatusIn(settled...))
		if err := s.lookNow(ctx, p, isWatched); err != nil {
			return err
		}
	case isSettled:
		return nil
	}
	looking, stop := context.WithTimeout(ctx, callbackMax)
	defer stop()
	err := s.look(looking, p.ID)
	if isAsked := err == nil && (isSettled || about != gateway.AboutRefund); isAsked ||
		err != nil && !errors.Is(err, errClaimed) {
		return err
	}
	return s.lookNow(ctx, p, isWatched) // the other look, or this one, may not have read what went back
}

// lookNow has Watch look at a payment immediately, if it is in a state.
func (s *Service) lookNow(ctx context.Context, p *ent.Payment, state predicate.Payment) error {
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		if _, _, err := s.orders.Hold(ctx, tx, p.OrderID); err != nil {
			return err
		}
		return tx.Payment.Update().Where(payment.ID(p.ID), state).SetLookAt(s.clock.Now()).Exec(ctx)
	})
}

// Old returns the job that deletes events that no gateway repeats any more.
func (s *Service) Old() []sweep.Job {
	return []sweep.Job{sweep.Before(gatewayevent.Table, gatewayevent.FieldCreatedAt, s.clock.Now().Add(-eventsKept))}
}
