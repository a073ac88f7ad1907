package account

import (
	"context"
	"encoding/hex"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/predicate"
	"storefront/ent/signinaddress"
	"storefront/ent/user"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/request"
)

// The limits of password guesses (contract 3.2).
const (
	freeGuesses = 10 // in a row, for one cell from one client address
	firstPause  = time.Minute
	longPause   = 15 * time.Minute
	hourly      = 100 // for one cell from anywhere
	fromOne     = 300 // over all cells from one client address in 10 minutes

	// knownFor is how long a customer is known at a client address after a sign-in. Guesses from elsewhere
	// do not lock the customer out there.
	knownFor = 30 * day
)

// comparedAtOnce is how many passwords of one cell are compared at once. It is small so that right guesses
// that run at once on several instances stay below freeGuesses together.
const comparedAtOnce = 2

// countedGuess is a password guess that has been counted as a failure.
type countedGuess struct {
	right   bool
	lockout ratelimit.Lockout
	booking ratelimit.Booking
	end     func() // lets other guesses of the cell be compared
}

// checkPassword counts a guess and compares the password of an account. A nil account is treated like a wrong
// password. It fails with RATE_LIMITED
// even for a right password, so that a stranger who guesses learns nothing. The caller calls end.
func (s *Service) checkPassword(
	ctx context.Context, cell, password string, account *ent.User, by standing,
) (counted countedGuess, err error) {
	unlock, err := s.guessing.Lock(ctx, cell)
	if err != nil {
		return counted, err
	}
	compared := false
	counted.end = unlock
	defer func() {
		if !compared { // it failed, or panics
			unlock()
		}
	}()
	limits := passwordLimits(ctx, cell, by)
	counted.lockout = passwordLockout(ctx, cell, by)
	wait, err := counted.lockout.Peek(ctx, s.Store, s.now())
	if err == nil && wait > 0 {
		err = tooMany(wait, tooManyGuesses())
	}
	if err == nil {
		err = s.peek(ctx, limits)
	}
	if err != nil {
		return counted, err
	}
	err = s.inTx(database.WithoutSync(ctx), func(tx *ent.Tx) error {
		wait, err := counted.lockout.Try(ctx, tx, s.now())
		if err != nil {
			return err
		}
		if wait > 0 {
			return tooMany(wait, tooManyGuesses())
		}
		counted.booking, err = s.take(ctx, tx, limits)
		return err
	})
	if err != nil {
		return counted, err
	}
	var stored *string
	if account != nil {
		stored = account.PasswordHash
	}
	counted.right, err = s.hasher.Check(ctx, password, stored)
	compared = err == nil
	return counted, err
}

// checkOwnPassword is checkPassword for a signed-in customer. It fails with CURRENT_PASSWORD_INCORRECT.
func (s *Service) checkOwnPassword(ctx context.Context, me *ent.User, password string) (countedGuess, error) {
	by, err := s.standingOf(ctx, s.Store, me.CellNumber)
	if err != nil {
		return countedGuess{}, err
	}
	counted, err := s.checkPassword(ctx, me.CellNumber, password, me, by)
	if err == nil && !counted.right {
		counted.end()
		err = wrongCurrentPassword()
	}
	return counted, err
}

func passwordLockout(ctx context.Context, cell string, by standing) ratelimit.Lockout {
	return ratelimit.Lockout{
		Key:   "password:" + cell + by.place(ctx),
		Free:  freeGuesses,
		First: firstPause,
		Most:  longPause,
	}
}

func tooManyGuesses() fault.Text {
	return fault.Say("too many wrong passwords for this cell number; sign in with an SMS code instead")
}

// passwordLimits returns the limits of wrong passwords for a cell, besides the lockout of failures in a row.
func passwordLimits(ctx context.Context, cell string, by standing) limits {
	all := limits{limitOf("password"+by.place(ctx), addressWindow, fromOne,
		fault.Say("too many wrong passwords from one client address"))}
	if by.trusted() {
		return all
	}
	return append(all, limitOf("password:"+cell, time.Hour, hourly, tooManyGuesses()))
}

// here matches sign-ins from the request's client address that are not too old.
func (s *Service) here(ctx context.Context) predicate.SignInAddress {
	return signinaddress.And(signinaddress.Address(request.ClientAddress(ctx)),
		signinaddress.LastAtGT(s.now().Add(-knownFor)))
}

func (s *Service) noteSignIn(ctx context.Context, tx *ent.Tx, userID uuid.UUID) error {
	return tx.SignInAddress.Create().
		SetUserID(userID).SetAddress(request.ClientAddress(ctx)).SetLastAt(s.now()).
		OnConflict(sql.ConflictColumns(signinaddress.FieldUserID, signinaddress.FieldAddress),
			sql.ResolveWith(func(u *sql.UpdateSet) {
				u.SetExcluded(signinaddress.FieldLastAt).SetExcluded(signinaddress.FieldUpdatedAt)
			})).Exec(ctx)
}

// confirm removes a right guess from the counts, and locks the account until the transaction ends: a concurrent
// change of the password waits, and then also ends the session that begins here. It fails with the refusal if the
// account does not have the password that was compared any more.
func (s *Service) confirm(
	ctx context.Context, tx *ent.Tx, right countedGuess, account *ent.User, refusal error,
) error {
	if err := right.lockout.Clear(ctx, tx); err != nil {
		return err
	}
	if err := ratelimit.Undo(ctx, tx, right.booking); err != nil {
		return err
	}
	n, err := tx.User.Update().Where(user.ID(account.ID), user.PasswordHash(*account.PasswordHash)).
		SetUpdatedAt(s.now()).Save(ctx)
	if err == nil && n == 0 {
		err = refusal
	}
	return err
}

// The limits of wrong codes (contract 3.2). An attacker may have thousands of client addresses, so a cell has
// limits of its own. No single network can exhaust these.
const (
	guessesOfCode    = 5  // from one client address
	guessesFromAll   = 30 // from anywhere, by strangers
	wrongInHour      = 15 // codes for one cell from one client address, over all routes
	wrongFromAll     = 100
	wrongFromOne     = 100 // codes over all cells from one client address in 10 minutes
	addressesOfGuess = 4   // times the limit of one client address for a network: a /48 of IPv6, a /24 of IPv4
)

// limitsOfCode returns the limits of guesses at one code. Once one is exhausted, the code counts as wrong.
func (s *Service) limitsOfCode(ctx context.Context, code *ent.OneTimeCode, by standing) []ratelimit.Limit {
	key := "code:guess:" + code.CellNumber + ":" + hex.EncodeToString(code.MAC[:min(6, len(code.MAC))])
	all := []ratelimit.Limit{{Key: key + by.place(ctx), Window: s.Times.Code, Most: guessesOfCode}}
	if by.trusted() {
		return all
	}
	if network := clientNetwork(ctx); network != "" {
		all = append(all, ratelimit.Limit{
			Key: key + "@" + network, Window: s.Times.Code, Most: addressesOfGuess * guessesOfCode,
		})
	}
	return append(all, ratelimit.Limit{Key: key, Window: s.Times.Code, Most: guessesFromAll})
}

func guessLimits(ctx context.Context, cell string, by standing) limits {
	key, from := "code:wrong:"+cell, "code:wrong"
	tooMany := fault.Say("too many wrong codes for this cell number")
	tooManyHere := fault.Say("too many wrong codes for this cell number from one client address")
	tooManyFromHere := fault.Say("too many wrong codes from one client address")
	all := limits{
		limitOf(key+by.place(ctx), time.Hour, wrongInHour, tooManyHere),
		limitOf(from+by.place(ctx), addressWindow, wrongFromOne, tooManyFromHere),
	}
	if by.trusted() {
		return all
	}
	all = append(all, limitOf(key, time.Hour, wrongFromAll, tooMany))
	if network := clientNetwork(ctx); network != "" {
		all = append(all, limitOf(key+"@"+network, time.Hour, addressesOfGuess*wrongInHour, tooManyHere),
			limitOf(from+"@"+network, addressWindow, addressesOfGuess*wrongFromOne, tooManyFromHere))
	}
	return all
}

// clientNetwork returns the widest network of the request's client that limits look at: a /48 of IPv6, a /24
// of IPv4. It is empty for an unknown client.
func clientNetwork(ctx context.Context) string {
	wider := ratelimit.Wider(request.Of(ctx).Credentials.Client)
	if len(wider) == 0 {
		return ""
	}
	return wider[len(wider)-1].Prefix.String()
}
