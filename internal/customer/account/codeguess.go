package account

import (
	"context"
	"encoding/hex"
	"time"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/request"
)

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
