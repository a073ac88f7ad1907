package account

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/onetimecode"
	"storefront/ent/predicate"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/locale/language"
	"storefront/internal/locale/phone"
	"storefront/internal/message/sms"
	"storefront/internal/platform/hostname"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/request"
	shops "storefront/internal/shop"
)

// SendCode sends a new code to a cell; older codes of the same party are void from then on. The message names the shop
// with the given domain, if there is one. enabled is false if no code can reach the cell, and while the provider is
// known to be out of order. A message that the provider refuses counts against the limits of the client only. The
// result does not depend on whether the cell has an account. SendCode fails with RATE_LIMITED.
func (s *Service) SendCode(ctx context.Context, cell, domain string) (enabled bool, life time.Duration, err error) {
	network := clientNetwork(ctx)
	if !s.Sender.Reaches(cell) || s.outbox.outages.holds(cell, network) {
		return false, 0, nil
	}
	leave, err := s.enterCodes(ctx)
	if err != nil {
		return false, 0, err
	}
	defer leave()
	by, err := s.standingOf(ctx, s.Store, cell)
	if err != nil {
		return false, 0, err
	}
	limits := s.sendLimits(ctx, cell, by)
	if err := s.peek(ctx, limits.narrow()); err != nil { // cheap: most requests of a flood end here
		return false, 0, err
	}
	if !by.trusted() {
		ofCrowd, err := s.crowdLimits(ctx)
		if err != nil {
			return false, 0, err
		}
		limits = append(limits, ofCrowd...)
	}
	if err := s.peek(ctx, limits); err != nil {
		return false, 0, err
	}
	shop, err := s.findShop(ctx, domain)
	if err != nil {
		return false, 0, err
	}
	code := newCode()
	var booked ratelimit.Booking
	var expires time.Time
	err = s.inTx(database.WithoutSync(ctx), func(tx *ent.Tx) (err error) { // a lost code can be requested again
		if booked, err = s.take(ctx, tx, limits); err != nil {
			return err
		}
		now := s.now()
		expires = now.Add(s.Times.Code)
		return tx.OneTimeCode.Create().
			SetCellNumber(cell).
			SetParty(string(by.party)).
			SetMAC(s.mac(cell, code)).
			SetNillableBusinessID(shop.id()).
			SetAskedFrom(request.ClientAddress(ctx)).
			SetExpiresAt(expires).
			OnConflict(sql.ConflictColumns(onetimecode.FieldCellNumber, onetimecode.FieldParty),
				sql.ResolveWith(func(u *sql.UpdateSet) {
					// a ticket stays valid, since anybody who knows the cell can have a code sent
					u.SetExcluded(onetimecode.FieldMAC).SetExcluded(onetimecode.FieldBusinessID).
						SetExcluded(onetimecode.FieldAskedFrom).SetExcluded(onetimecode.FieldExpiresAt).
						SetNull(onetimecode.FieldUsedAt).SetNull(onetimecode.FieldVerifiedAt).
						Set(onetimecode.FieldUpdatedAt, now)
				})).Exec(ctx)
	})
	if err != nil {
		return false, 0, err
	}
	message := outgoing{
		Message: sms.Message{To: cell, Text: shop.messageWith(code, shop.languageFor(ctx))},
		kind:    aCode,
		network: network,
		expires: expires,
		unsent: func(ctx context.Context) { // so that the next code may be requested at once
			err := s.inTx(database.WithoutSync(ctx), func(tx *ent.Tx) error {
				return ratelimit.Undo(ctx, tx, booked, limits.ofMessages()...)
			})
			if err != nil {
				s.Log.Warn("a code that was not sent counts as one", "error", err)
			}
		},
	}
	transaction.AfterCommit(ctx, func() { s.outbox.put(message) })
	return true, s.Times.Code, nil
}

// shop is the tenant for which a code is requested; nil for none.
type shop struct {
	*ent.Tenant
	host string // the requested domain: the shop's own or an alias
}

// findShop returns the shop at an address as people type it; nil if there is none.
func (s *Service) findShop(ctx context.Context, domain string) (*shop, error) {
	for _, host := range hostname.Typed(domain) {
		found, err := shops.Find(ctx, s.Store, host)
		if err == nil {
			return &shop{found, host}, nil
		}
		if !ent.IsNotFound(err) {
			return nil, err
		}
	}
	return nil, nil
}

func (s *shop) id() *uuid.UUID {
	if s == nil {
		return nil
	}
	return &s.ID
}

// languageFor returns the language of a message: Farsi, unless the shop's language is English and the request
// does not ask for Farsi. Without a shop it is the language that the request asks for, else Farsi.
func (s *shop) languageFor(ctx context.Context) language.Language {
	asked, ok := request.Language(ctx).Asked()
	switch {
	case s == nil && ok:
		return asked
	case s != nil && s.DefaultLocale == string(language.English) && !(ok && asked == language.Farsi):
		return language.English
	}
	return language.Farsi
}

// messageWith returns the text of an SMS, with the shop's Farsi name in any language. The code stands near
// the beginning. The caller chooses only the language and one of the shop's domains. The last line lets
// phones fill in the code on pages of that domain.
func (s *shop) messageWith(code string, in language.Language) string {
	english := in == language.English
	switch {
	case s == nil && english:
		return "Your code: " + code
	case s == nil:
		return "کد تأیید شما: " + code
	}
	text := fmt.Sprintf("کد تأیید شما در %s: %s", s.NameFa, code)
	if english {
		text = fmt.Sprintf("%s is your code at %s", code, s.Name)
		if s.NameFa != s.Name {
			text += " (" + s.NameFa + ")"
		}
	}
	return fmt.Sprintf("%s\n\n@%s #%s", text, s.host, code)
}

func newCode() string {
	n, _ := rand.Int(rand.Reader, big.NewInt(1_000_000)) // never fails
	return fmt.Sprintf("%06d", n)
}

// mac returns the MAC that is stored instead of a code.
func (s *Service) mac(cell, code string) []byte { return macBy(s.codeKey, cell, code) }

func macBy(key []byte, cell, code string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(cell + "\x00" + code))
	return h.Sum(nil)
}

// isMAC reports whether mac is the stored MAC of a code or of a ticketUse.
func (s *Service) isMAC(mac []byte, cell, code string) bool {
	return hmac.Equal(mac, s.mac(cell, code)) ||
		s.otherCode != nil && hmac.Equal(mac, macBy(s.otherCode, cell, code))
}

// proof is the evidence of a right code that its sender has the phone of the cell.
type proof struct {
	cell      string
	business  *uuid.UUID // the shop for which the code was requested; nil: none
	askedFrom string     // the client address that requested it
	usedAt    *uuid.UUID // the shop at which it is used; nil: none
	row       uuid.UUID  // of the code
}

// codeUse is a use of a code. A code is valid once for each use: for a verification, and then for a sign-in.
type codeUse int

const (
	toVerify codeUse = iota // verify-otp
	toSignIn                // all that needs the customer: login-otp, register, reset-password, closing the account
)

// usable matches the codes of a cell that can be right for a use now: not used, and not expired.
func usable(cell string, use codeUse, now time.Time) predicate.OneTimeCode {
	is := []predicate.OneTimeCode{
		onetimecode.CellNumber(cell), onetimecode.UsedAtIsNil(), onetimecode.ExpiresAtGT(now),
	}
	if use == toVerify {
		is = append(is, onetimecode.VerifiedAtIsNil())
	}
	return onetimecode.And(is...)
}

// mayProve fails with INVALID_CODE if no code for a cell can be right. It takes no lock. It also fails with
// RATE_LIMITED.
func (s *Service) mayProve(ctx context.Context, cell string, use codeUse) error {
	live, err := s.Store.OneTimeCode.Query().Where(usable(cell, use, s.now())).All(ctx)
	if err != nil {
		return err
	}
	by, err := s.standingOf(ctx, s.Store, cell)
	if err != nil {
		return err
	}
	for _, code := range live {
		full, err := ratelimit.Peek(ctx, s.Store, s.now(), s.limitsOfCode(ctx, code, by)...)
		if err != nil {
			return err
		}
		if full.Wait == 0 {
			return s.peek(ctx, guessLimits(ctx, cell, by))
		}
	}
	return invalidCode()
}

// useCode compares a code with those sent to a cell and notes its use. A guess is counted before it is compared, and
// only while a code is valid and has guesses left for the client. It fails with RATE_LIMITED, and with INVALID_CODE,
// marked so that the guess is committed, if the code is wrong, used, expired or guessed too often.
//
// The first statement locks the codes' rows: a request that waits for them finds the code used afterwards,
// whatever the clocks say.
func (s *Service) useCode(ctx context.Context, tx *ent.Tx, cell, code string, use codeUse) (*proof, error) {
	proven, err := s.compareCode(ctx, tx, cell, code, use)
	if err != nil {
		return nil, err
	}
	transaction.OnCommit(tx, func() { s.Checked(proven != nil) })
	if proven == nil {
		return nil, transaction.Keep(invalidCode())
	}
	return proven, nil
}

func (s *Service) compareCode(ctx context.Context, tx *ent.Tx, cell, code string, use codeUse) (*proof, error) {
	all, err := tx.OneTimeCode.Query().Where(onetimecode.CellNumber(cell)).Order(onetimecode.ByID()).
		Modify(database.ForUpdate).Select(onetimecode.FieldID).All(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	now := s.now() // not before the lock
	live, err := tx.OneTimeCode.Query().Where(usable(cell, use, now)).Order(onetimecode.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	by, err := s.standingOf(ctx, tx.Client(), cell)
	if err != nil {
		return nil, err
	}
	live, booked, err := s.takeGuess(ctx, tx, cell, live, by)
	if err != nil || len(live) == 0 {
		return nil, err
	}
	typed := phone.Bare(code)
	i := slices.IndexFunc(live, func(one *ent.OneTimeCode) bool { return s.isMAC(one.MAC, cell, typed) })
	if i < 0 {
		return nil, nil
	}
	right := live[i]
	if err := ratelimit.Undo(ctx, tx, booked); err != nil {
		return nil, err
	}
	if err := ratelimit.Forget(ctx, tx, pauseKey(cell, by)); err != nil { // the next code may be sent at once
		return nil, err
	}
	if use == toSignIn { // before the account is locked, in the same order as a sign-in by password
		if err := passwordLockout(ctx, cell, by).Clear(ctx, tx); err != nil {
			return nil, err
		}
	}
	done := tx.OneTimeCode.Update().Where(onetimecode.ID(right.ID))
	if use == toVerify {
		done.SetVerifiedAt(now)
	} else {
		done.SetUsedAt(now)
	}
	return &proof{cell: cell, business: right.BusinessID, askedFrom: right.AskedFrom, row: right.ID}, done.Exec(ctx)
}

// takeGuess counts a guess at the locked codes of a cell. It returns those that have guesses left for the client; if
// there are none, nothing is counted. It fails with RATE_LIMITED.
func (s *Service) takeGuess(ctx context.Context, tx *ent.Tx, cell string, codes []*ent.OneTimeCode, by standing) (
	left []*ent.OneTimeCode, booked ratelimit.Booking, err error,
) {
	ofCell := guessLimits(ctx, cell, by)
	for len(codes) > 0 {
		all := ofCell.counted()
		for _, code := range codes {
			all = append(all, s.limitsOfCode(ctx, code, by)...)
		}
		booked, full, err := ratelimit.Take(ctx, tx, s.now, all...)
		if err != nil || full.Wait == 0 {
			return codes, booked, err
		}
		i := slices.IndexFunc(codes, func(code *ent.OneTimeCode) bool {
			return slices.Contains(s.limitsOfCode(ctx, code, by), full.Limit)
		})
		if i < 0 {
			return nil, nil, s.refusal(ctx, ofCell, full)
		}
		codes = slices.Delete(codes, i, i+1)
	}
	return nil, nil, nil
}
