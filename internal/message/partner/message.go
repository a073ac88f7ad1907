package partner

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/partnermessage"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/message/sms"
	"storefront/internal/request"
)

// The record of a message is written before the provider is called, together with its entry in the limits
// and its Idempotency-Key, and gets the outcome afterwards. So a key stands for one message, whichever
// server receives the request and however a server ends: a message that may have been sent is not sent
// again.

// The outcomes of a message, beside the kinds of failure.
const (
	sending = "sending" // the provider is being called, or the server died during the call
	sent    = "sent"
)

// sendingTime is how long a message may be in state sending; a call to the provider takes 8 s at most.
const sendingTime = time.Minute

// message is a message of a partner.
type message struct {
	id       uuid.UUID
	partner  request.Partner
	to, text string
	key      string // Idempotency-Key; empty: none
}

// ref returns the number by which the provider identifies the message.
func (m message) ref() int64 {
	return int64(binary.BigEndian.Uint64(m.id[8:])&(1<<62-1)) | 1
}

// keyHash is stored of the key, and fingerprint of the request. Without the key, which is not stored, the
// fingerprint reveals nothing about number and text.
func (m message) keyHash() []byte { return hash(m.key) }

func (m message) fingerprint() []byte {
	sum := sha256.Sum256([]byte(m.key + "\x00" + m.to + "\x00" + m.text))
	return sum[:]
}

const tries = 3 // of a transaction that conflicts with another message

// errKeyTaken is the error of a transaction if another message has the key.
var errKeyTaken = errors.New("partner: the key is another message's")

// begin counts a message against the limits and records it, or returns the record of an earlier one with the
// same key. If it fails with RATE_LIMITED, it counts nothing.
func (s *Service) begin(ctx context.Context, m message) (earlier *ent.PartnerMessage, err error) {
	for try := 1; ; try++ {
		if earlier, err = s.earlier(ctx, m); earlier != nil || err != nil {
			return earlier, err
		}
		err = transaction.Run(ctx, s.store, func(tx *ent.Tx) error {
			if err := s.book(ctx, tx, m); err != nil || !s.sender.Reaches(m.to) {
				return err
			}
			return s.write(ctx, tx, m)
		})
		if !errors.Is(err, errKeyTaken) || try == tries {
			return nil, err
		}
	}
}

// earlier returns the message of a key that has not expired.
func (s *Service) earlier(ctx context.Context, m message) (*ent.PartnerMessage, error) {
	if m.key == "" {
		return nil, nil
	}
	found, err := s.store.PartnerMessage.Query().Where(
		partnermessage.PartnerID(m.partner.ID), partnermessage.KeyHash(m.keyHash()),
		partnermessage.CreatedAtGT(s.clock.Now().Add(-s.KeysKept)),
	).Only(ctx)
	return found, ent.MaskNotFound(err)
}

// write records a message that is about to be sent. It fails with errKeyTaken if another message has the
// key.
func (s *Service) write(ctx context.Context, tx *ent.Tx, m message) error {
	create := tx.PartnerMessage.Create().SetID(m.id).SetPartnerID(m.partner.ID).SetMaskedTo(sms.Masked(m.to)).
		SetLength(utf8.RuneCountInString(m.text)).SetProvider(s.provider).SetServerID("").SetOutcome(sending).
		SetCreatedAt(s.clock.Now())
	if m.key == "" {
		return create.Exec(ctx)
	}
	err := tx.PartnerMessage.Update().Where( // keys that have expired
		partnermessage.PartnerID(m.partner.ID), partnermessage.KeyHash(m.keyHash()),
		partnermessage.CreatedAtLTE(s.clock.Now().Add(-s.KeysKept)),
	).ClearKeyHash().ClearFingerprint().Exec(ctx)
	if err != nil {
		return err
	}
	err = create.SetKeyHash(m.keyHash()).SetFingerprint(m.fingerprint()).Exec(ctx)
	if database.IsUnique(err) {
		return errKeyTaken
	}
	return err
}

const (
	pollEvery = 50 * time.Millisecond // how often a repeated request checks whether the first one has ended
	waitTime  = 7 * time.Second       // for how long it does
)

// again answers a request whose key stands for an earlier message. If that is being sent, it waits for it,
// as long as the request has time.
func (s *Service) again(ctx context.Context, m message, earlier *ent.PartnerMessage) (serverID string, err error) {
	waiting, stop := context.WithTimeout(ctx, waitTime)
	defer stop()
	for {
		switch {
		case string(m.fingerprint()) != string(*earlier.Fingerprint):
			return "", fault.New(fault.KeyReused,
				"this Idempotency-Key was used for another request")
		case earlier.Outcome == sent:
			return earlier.ServerID, nil
		case earlier.Outcome != sending, !earlier.CreatedAt.After(s.clock.Now().Add(-sendingTime)):
			return "", unavailable(errors.New("an earlier request with the same key has perhaps sent the message"))
		}
		select {
		case <-waiting.Done():
			return "", fault.New(fault.Conflict,
				"a request with this Idempotency-Key is still being worked on; send it again in a moment")
		case <-time.After(pollEvery):
		}
		now, err := s.earlier(ctx, m)
		if err != nil {
			return "", err
		}
		if now == nil { // the provider refused it, so the key is free
			return "", unavailable(errors.New("an earlier request with the same key was refused"))
		}
		earlier = now
	}
}

// recordTime bounds the writing of a record, which does not end with the request.
const recordTime = 5 * time.Second

// record stores the outcome of a message. The message has been sent by then, so a failure here does not
// change the answer. If the provider has certainly not accepted the message, the key is freed.
func (s *Service) record(ctx context.Context, m message, serverID string, failed error) {
	outcome := sent
	if failed != nil {
		outcome = string(sms.Unknown)
		if known, ok := errors.AsType[*sms.Error](failed); ok {
			outcome = string(known.Kind)
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	update := s.store.PartnerMessage.UpdateOneID(m.id).SetServerID(serverID).SetOutcome(outcome)
	if outcome != sent && outcome != string(sms.Unknown) {
		update.ClearKeyHash().ClearFingerprint()
	}
	if err := update.Exec(ctx); err != nil {
		s.log.ErrorContext(ctx, "what became of a partner's message was not recorded",
			"partner", m.partner.Domain, "outcome", outcome, "error", err)
	}
	if failed != nil {
		s.log.WarnContext(ctx, "a partner's message was not sent", "partner", m.partner.Domain, "error", failed)
	}
}
