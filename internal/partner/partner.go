// Package partner lets external servers send SMS (contract 3.4): their keys, their limits, and the record
// of what was sent. The engine calls Authenticate with the X-Api-Key of a request; the resolver in graph
// then calls Owns and Send, which books the message with internal/ratelimit, hands it to internal/sms and
// records the outcome. The partner commands of cmd/storefront call the functions of keys.go.
package partner

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"time"
	"unicode/utf8"

	"storefront/ent"
	"storefront/ent/partnerkey"
	"storefront/internal/auth"
	"storefront/internal/fault"
	"storefront/internal/ratelimit"
	"storefront/internal/sms"
	"storefront/internal/transaction"
)

// Service sends partners' messages.
type Service struct {
	store    *ent.Client
	clock    func() time.Time
	sender   sms.Sender
	provider string // its name, for the record
	log      *slog.Logger
}

// New returns a service. provider is the name of the provider that sender calls.
func New(store *ent.Client, clock func() time.Time, sender sms.Sender, provider string, log *slog.Logger) *Service {
	return &Service{store: store, clock: clock, sender: sender, provider: provider, log: log}
}

// Authenticate returns the partner of a key; it fails with INVALID_CREDENTIALS for every reason alike.
func (s *Service) Authenticate(ctx context.Context, key string) (auth.Partner, error) {
	if key == "" {
		return auth.Partner{}, auth.UnknownPartner()
	}
	found, err := s.store.PartnerKey.Query().
		Where(partnerkey.Hash(hash(key)), partnerkey.RevokedAtIsNil()).WithPartner().Only(ctx)
	if ent.IsNotFound(err) {
		return auth.Partner{}, auth.UnknownPartner()
	}
	if err != nil {
		return auth.Partner{}, err
	}
	return auth.Partner{ID: found.PartnerID, Domain: found.Edges.Partner.Domain}, nil
}

// hash returns what is stored of a key. Keys are random, so a fast hash is enough.
func hash(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:]
}

// The limits of messages, in any 60 seconds (contract 3.4).
const (
	window         = time.Minute
	perPartner     = 30
	perDestination = 5 // over all partners
)

// Send hands a message to the provider, once, and returns the provider's id of it. to is in E.164 form; the
// caller has checked it and the text. It fails with RATE_LIMITED, and with SMS_UNAVAILABLE when the
// provider did not take the message.
func (s *Service) Send(ctx context.Context, partner auth.Partner, to, text string) (serverID string, err error) {
	if err := s.book(ctx, partner, to); err != nil {
		return "", err
	}
	if !s.sender.Reaches(to) {
		return "", unavailable(errors.New("no SMS provider is configured that reaches the number"))
	}
	serverID, err = s.sender.Send(ctx, sms.Message{To: to, Text: text})
	s.record(ctx, partner, to, text, serverID, err)
	if err != nil {
		return "", unavailable(err)
	}
	return serverID, nil
}

// book counts a call against the limits. It fails with RATE_LIMITED, and counts nothing then.
func (s *Service) book(ctx context.Context, partner auth.Partner, to string) error {
	return transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
		_, full, err := ratelimit.Take(ctx, tx, s.now(),
			ratelimit.Limit{Key: "sms:partner:" + partner.ID.String(), Window: window, Most: perPartner},
			ratelimit.Limit{Key: "sms:to:" + to, Window: window, Most: perDestination})
		if err != nil || full.Wait == 0 {
			return err
		}
		refused := fault.New(fault.RateLimited,
			"too many messages: %d a minute for a partner, %d a minute for a number; try again in %d seconds",
			perPartner, perDestination, fault.Seconds(full.Wait))
		refused.RetryAfter = full.Wait
		return refused
	})
}

// recordTime bounds the writing of a record, which goes on when the client has gone.
const recordTime = 5 * time.Second

// record stores the outcome of a message. The message has left already, so a failure here changes no answer.
func (s *Service) record(ctx context.Context, partner auth.Partner, to, text, serverID string, failed error) {
	outcome := "sent"
	if failed != nil {
		outcome = string(sms.Unknown)
		if known, ok := errors.AsType[*sms.Error](failed); ok {
			outcome = string(known.Kind)
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	err := s.store.PartnerMessage.Create().
		SetPartnerID(partner.ID).
		SetMaskedTo(sms.Masked(to)).
		SetLength(utf8.RuneCountInString(text)).
		SetProvider(s.provider).
		SetServerID(serverID).
		SetOutcome(outcome).
		SetCreatedAt(s.now()).
		Exec(ctx)
	if err != nil {
		s.log.ErrorContext(ctx, "a partner's message was not recorded",
			"partner", partner.Domain, "outcome", outcome, "error", err)
	}
	if failed != nil {
		s.log.WarnContext(ctx, "a partner's message was not sent", "partner", partner.Domain, "error", failed)
	}
}

func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

func unavailable(cause error) error {
	return fault.Wrap(fault.SMSUnavailable, cause,
		"the message could not be sent: SMS is off, not configured, or its provider did not take it")
}
