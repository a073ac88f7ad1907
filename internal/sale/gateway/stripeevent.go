package gateway

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// stripeSkew is how old, or how far ahead, the signature of an event may be.
const stripeSkew = 300 // seconds

// Event compares the signature with both secrets of the account. An event of another version of the API is accepted,
// as only ids are read.
func (s stripe) Event(account Account, header http.Header, body []byte, now time.Time) (Event, error) {
	if len(body) > MaxEvent {
		return Event{}, errors.New("the event is too long")
	}
	if !isSigned(account, header.Get("Stripe-Signature"), body, now) {
		return Event{}, errors.New("the event has no signature of this account, or an old one")
	}
	var got struct {
		ID, Type text
		Livemode bool
		Data     struct{ Object json.RawMessage }
	}
	if json.Unmarshal(body, &got) != nil || matching(stripeID, got.ID) == "" {
		return Event{}, errNoState
	}
	if got.Livemode != s.Live(account) {
		return Event{}, errors.New("the event is of test money and the account is not, or the reverse")
	}
	event := Event{ID: string(got.ID)}
	switch kind := string(got.Type); {
	case strings.HasPrefix(kind, "checkout.session."):
		event.About = AboutPayment
	case strings.HasPrefix(kind, "refund."), strings.HasPrefix(kind, "charge.refund"),
		strings.HasPrefix(kind, "charge.dispute."):
		event.About = AboutRefund
	default:
		return event, nil
	}
	var object stripeObject
	if err := json.Unmarshal(got.Data.Object, &object); err != nil {
		return Event{}, errNoState
	}
	event.Reference = cmp.Or(object.ClientReferenceID.code(), object.Metadata.Reference.code())
	if event.Settled = object.PaymentIntent.id(); event.About == AboutPayment {
		event.Theirs = object.id()
	}
	return event, nil
}

// isSigned reports whether a header of the form t=1495999758,v1=HEX,v1=HEX is the signature of a body. There are two
// of v1 while a secret is replaced at Stripe, and other members to skip.
func isSigned(account Account, header string, body []byte, now time.Time) bool {
	var at string
	var signatures [][]byte
	for part := range strings.SplitSeq(header, ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			at = value
		case "v1":
			if signature, err := hex.DecodeString(value); err == nil {
				signatures = append(signatures, signature)
			}
		}
	}
	signed, err := strconv.ParseInt(at, 10, 64)
	if age := now.Unix() - signed; err != nil || age > stripeSkew || age < -stripeSkew {
		return false
	}
	for _, name := range []string{"webhook_secret", "webhook_secret_2"} {
		secret := account.Secrets[name]
		if secret == "" {
			continue
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(at + "."))
		mac.Write(body)
		want := mac.Sum(nil)
		for _, signature := range signatures {
			if hmac.Equal(signature, want) {
				return true
			}
		}
	}
	return false
}
