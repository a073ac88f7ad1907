package account

import (
	"context"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/ent/user"
	"storefront/internal/request"
)

// standing is the kind of client that sends a request about a cell. Limits of the cell, and codes sent to it, are
// separate for each device of its customer, for known addresses, and for strangers, so that a stranger uses up no limit
// of the customer.
type standing struct {
	party  party
	device uuid.UUID // the session of a device
}

type party string

const (
	stranger party = "stranger"
	knownAt  party = "known"  // at an address from which the proven account has signed in within 30 days
	device   party = "device" // with an access token of the proven account, even an expired one
)

// counts returns the end of the keys under which a request's events for its cell are counted.
func (at standing) counts() string {
	if at.party == device {
		return ":" + at.device.String()
	}
	return ":" + string(at.party)
}

// place returns the end of a key for what is counted at a client address. A device counts wherever it is.
func (at standing) place(ctx context.Context) string {
	if at.party == device {
		return at.counts()
	}
	return "@" + request.ClientAddress(ctx) + at.counts()
}

func (at standing) trusted() bool { return at.party != stranger }

// standingOf returns the standing of a request about a cell.
func (s *Service) standingOf(ctx context.Context, on *ent.Client, cell string) (standing, error) {
	if claims, ok := s.bearer(ctx); ok {
		own, err := on.Session.Query().Where(session.ID(claims.Session), session.UserID(claims.User),
			session.EndedAtIsNil(), session.HasUserWith(user.CellNumber(cell), user.Vouched(true))).Exist(ctx)
		if err != nil || own {
			return standing{device, claims.Session}, err
		}
	}
	here, err := on.SignInAddress.Query().
		Where(s.here(ctx), signinaddress.HasUserWith(user.CellNumber(cell), user.Vouched(true))).Exist(ctx)
	if err != nil || !here {
		return standing{party: stranger}, err
	}
	return standing{party: knownAt}, nil
}
