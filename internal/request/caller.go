package request

import (
	"context"
	"net/netip"
	"strings"

	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/platform/hostname"
	"storefront/internal/record"
)

// Credentials are the credentials of a request.
type Credentials struct {
	Authorization string     // the header as sent
	APIKey        string     // the header X-Api-Key as sent
	Client        netip.Addr // address of the client; the zero Addr when it is unknown
	UserAgent     string     // the header as sent
	Refused       error      // why they were refused; nil: they were not
}

// ClientAddress returns the address by which limits count a client: an IPv4 address, or the /64 of an IPv6
// address, which is one customer's.
func ClientAddress(ctx context.Context) string {
	client := Of(ctx).Credentials.Client
	if client.Is6() && !client.Is4In6() {
		prefix, _ := client.Prefix(64)
		return prefix.String()
	}
	return client.Unmap().String()
}

// Caller is a signed-in customer.
type Caller struct {
	User    uuid.UUID
	Session uuid.UUID
}

// Partner is an external server whose key has been checked.
type Partner struct {
	ID     uuid.UUID
	Domain string // as PartnerDomain returns it
}

// Program is a caller with a valid access token of a business. It is not a customer.
type Program struct {
	Token       uuid.UUID // the id of its access token
	Business    uuid.UUID // the only business where it may act
	Permissions []string  // staff.Permission
}

// Staff is a member of staff who acts for a business: a customer who works for it, an operator of the service,
// or a program.
type Staff struct {
	User     uuid.UUID // uuid.Nil: a program or a command, which has no account
	Business uuid.UUID // in which they act; uuid.Nil: none
	Role     record.StaffRole
	Roles    []record.StaffRole // that may do the same; may lack Role
	Program  *Program           // nil: a person or a command

	SecondFactor SecondFactor
}

// IsCommand reports whether they are the operator at a terminal, who has no account.
func (s Staff) IsCommand() bool {
	return s.Role == record.Operator && s.User == uuid.Nil && s.Program == nil
}

// SecondFactor is the state of a session's second factor.
type SecondFactor int

const (
	FactorNotNeeded SecondFactor = iota // there is none, and none is required
	FactorProven                        // in this session
	FactorUnproven                      // there is one, and this session has not proved it
	FactorMissing                       // it is required, and there is none
)

// PartnerDomain returns the form in which a partner's domain is stored: its apex, without a leading www. It
// reports false for a text that is not a host name.
func PartnerDomain(sent string) (string, bool) {
	host, ok := hostname.Normalize(sent)
	return strings.TrimPrefix(host, "www."), ok
}

// Owns reports whether a domain, as it was sent, belongs to the partner.
func (p Partner) Owns(domain string) bool {
	host, ok := PartnerDomain(domain)
	return ok && host == p.Domain
}

// CallerOf returns the signed-in customer who calls. It fails with UNAUTHENTICATED if there is none, and with
// FORBIDDEN for a program or a command, because refreshing credentials would not help it.
func CallerOf(ctx context.Context) (Caller, error) {
	r := Of(ctx)
	switch {
	case r.Caller != nil:
		return *r.Caller, nil
	case r.Program != nil:
		return Caller{}, fault.New(fault.Forbidden,
			"an access token of a shop is for what its staff do; this is for customers who sign in")
	case r.Staff != nil && r.Staff.IsCommand():
		return Caller{}, fault.New(fault.Forbidden,
			"a command does what staff and operators do; this is for customers who sign in")
	case r.Credentials.Refused != nil:
		return Caller{}, r.Credentials.Refused
	}
	return Caller{}, Unauthenticated()
}

// Bearer returns the token of an Authorization header. It reports false for another scheme.
func Bearer(authorization string) (token string, ok bool) {
	scheme, bearer, _ := strings.Cut(authorization, " ")
	return strings.TrimSpace(bearer), strings.EqualFold(scheme, "Bearer")
}

// Unauthenticated is the answer to a missing or bad token: the same for every reason.
func Unauthenticated() error {
	return fault.New(fault.Unauthenticated,
		"sign in, or refresh the access token: it is missing, wrong or no longer valid")
}

// UnknownToken is the answer to an access token of a shop that does not work: the same for every reason.
func UnknownToken() error {
	return fault.New(fault.Unauthenticated, "the access token of the shop is unknown, has expired or was revoked; "+
		"an owner of the shop makes another")
}

// StaffOf returns the staff of a context; false when there is none.
func StaffOf(ctx context.Context) (Staff, bool) {
	if s := Of(ctx).Staff; s != nil {
		return *s, true
	}
	return Staff{}, false
}

// Forbidden is the answer to a signed-in customer, or a program, without a permission: the same for every reason.
func Forbidden(ctx context.Context, permission string) error {
	if Of(ctx).Program != nil {
		return fault.New(fault.Forbidden, "the access token does not have the permission %s here", permission)
	}
	return fault.New(fault.Forbidden, "only staff of this shop may do this, with a role that allows it")
}

// PartnerOf returns the calling partner; it fails with INVALID_CREDENTIALS when there is none.
func PartnerOf(ctx context.Context) (Partner, error) {
	if p := Of(ctx).Partner; p != nil {
		return *p, nil
	}
	return Partner{}, UnknownPartner()
}

// UnknownPartner is the answer to a bad key or to another's domain: the same for every reason.
func UnknownPartner() error {
	return fault.New(fault.InvalidCredentials, "the X-Api-Key is missing or wrong, or the domain is not its own")
}
