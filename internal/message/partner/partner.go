// Package partner lets external servers send SMS (contract 3.4): their keys, their limits, and the record
// of what was sent. The engine calls Authenticate with the X-Api-Key of a request; the resolver in graph
// then calls Owns and Send, which books the message with internal/platform/ratelimit and records it in one
// transaction, hands it to internal/message/sms and records the result (message.go). The partner commands of
// cmd/storefront call the functions of keys.go.
package partner

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"time"

	"storefront/ent"
	"storefront/ent/partnerkey"
	"storefront/internal/fault"
	"storefront/internal/message/sms"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Service sends partners' messages.
type Service struct {
	KeysKept time.Duration // how long an Idempotency-Key is remembered

	store    *ent.Client
	clock    record.Clock
	sender   sms.Sender
	provider string // its name, for the record
	log      *slog.Logger
}

// New returns a service. provider is the name of the provider that sender calls.
func New(store *ent.Client, clock func() time.Time, sender sms.Sender, provider string, log *slog.Logger) *Service {
	return &Service{KeysKept: 24 * time.Hour, store: store, clock: clock, sender: sender, provider: provider, log: log}
}

// Authenticate returns the partner of a key. All failures are INVALID_CREDENTIALS, whatever the reason.
func (s *Service) Authenticate(ctx context.Context, key string) (request.Partner, error) {
	if key == "" {
		return request.Partner{}, request.UnknownPartner()
	}
	found, err := s.store.PartnerKey.Query().
		Where(partnerkey.Hash(hash(key)), partnerkey.RevokedAtIsNil()).WithPartner().Only(ctx)
	if ent.IsNotFound(err) {
		return request.Partner{}, request.UnknownPartner()
	}
	if err != nil {
		return request.Partner{}, err
	}
	return request.Partner{ID: found.PartnerID, Domain: found.Edges.Partner.Domain}, nil
}

// hash returns the stored form of a key. Keys are random, so a fast hash is enough.
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
// caller has checked it and the text. It fails with RATE_LIMITED, and with SMS_UNAVAILABLE if the provider
// did not accept the message.
//
// A repeated request with the same Idempotency-Key (key, may be empty) gets the id of the first, and
// repeated is true; with another number or text it fails with IDEMPOTENCY_KEY_REUSED. A message that the
// provider may have accepted is not sent again: the request fails with SMS_UNAVAILABLE.
func (s *Service) Send(
	ctx context.Context, partner request.Partner, to, text, key string,
) (serverID string, repeated bool, err error) {
	m := message{id: record.NewID(), partner: partner, to: to, text: text, key: key}
	earlier, err := s.begin(ctx, m)
	if err != nil {
		return "", false, err
	}
	if earlier != nil {
		serverID, err = s.again(ctx, m, earlier)
		return serverID, true, err
	}
	if !s.sender.Reaches(to) {
		return "", false, unavailable(errors.New("no SMS provider is configured that reaches the number"))
	}
	calling := ctx
	if key != "" { // a client that hangs up will repeat the request and must learn the outcome
		calling = context.WithoutCancel(ctx)
	}
	serverID, err = s.sender.Send(calling, sms.Message{To: to, Text: text, Ref: m.ref()})
	s.record(ctx, m, serverID, err)
	if err != nil {
		return "", false, unavailable(err)
	}
	return serverID, false, nil
}

// book counts a message against the limits. If it fails with RATE_LIMITED, it counts nothing.
func (s *Service) book(ctx context.Context, tx *ent.Tx, m message) error {
	_, full, err := ratelimit.Take(ctx, tx, s.clock.Now,
		ratelimit.Limit{Key: "sms:partner:" + m.partner.ID.String(), Window: window, Most: perPartner},
		ratelimit.Limit{Key: "sms:to:" + m.to, Window: window, Most: perDestination})
	if err != nil || full.Wait == 0 {
		return err
	}
	return fault.New(fault.RateLimited,
		"too many messages: %d a minute for a partner, %d a minute for a number; try again in %d seconds",
		perPartner, perDestination, fault.Seconds(full.Wait)).After(full.Wait)
}

func unavailable(cause error) error {
	return fault.Wrap(fault.SMSUnavailable, cause,
		"the message could not be sent: SMS is off, not configured, or its provider did not take it")
}
