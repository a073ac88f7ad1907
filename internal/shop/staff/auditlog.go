package staff

import (
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/ent/predicate"
	"storefront/internal/fault"
	"storefront/internal/locale/search"
)

// AuditFilter selects entries of the audit log: the arguments of auditLogConnection. A nil member selects all.
type AuditFilter struct {
	RecordID    *uuid.UUID
	Kind        *string    // of the record
	Name        *string    // words of the record's name
	Action      *string    // the name of a mutation or command
	UserID      *uuid.UUID // the account that made the change
	TokenID     *uuid.UUID // the access token of the program that made the change
	CustomerID  *uuid.UUID // the owner of the order, listing, account or role
	From, Until *time.Time // recorded at From or later, and before Until
}

// AuditKinds are the kinds of records that entries have.
var AuditKinds = []string{
	"accessToken", "blog", "brand", "brandGroup", "bundle", "category", "categoryGroup", "comment", "contactSubmission",
	"customer", "deliveryMethod", "gatewayAccount", "location", "mediaFile", "offer", "order", "partnerKey",
	"payment", "portfolio", "product", "profile", "review", "slider", "staffInvitation", "staffMember", "storeSpecial",
	"taxRate", "tenant", "userProduct", "variant", "webhook",
}

// OtherActions are the actions of entries that are not mutations: links, commands and sign-ins.
var OtherActions = []string{
	"addTenant", "customerExport", "exportSheet", "import", "importSheet", "importShop", "moveShop",
	"setStaffPassword", "useRecoveryCode",
}

// Check fails with VALIDATION_FAILED if the filter can never match: no entry has such an action or kind, or Until is
// not after From.
func (f AuditFilter) Check(isMutation func(name string) bool) error {
	var bad fault.Fields
	if f.Action != nil && !slices.Contains(OtherActions, *f.Action) && !isMutation(*f.Action) {
		bad.Add("action", "must be the name of a mutation, or one of %s", strings.Join(OtherActions, ", "))
	}
	if f.Kind != nil && !slices.Contains(AuditKinds, *f.Kind) {
		bad.Add("kind", "must be one of %s", strings.Join(AuditKinds, ", "))
	}
	if f.From != nil && f.Until != nil && !f.From.Before(*f.Until) {
		bad.Add("from", "must be before %s", "until")
	}
	return bad.Err()
}

// Entries returns a query of the entries of a business, or of the service where it is uuid.Nil.
func (f AuditFilter) Entries(store *ent.Client, business uuid.UUID) *ent.AuditEntryQuery {
	found := store.AuditEntry.Query()
	if business == uuid.Nil {
		found.Where(auditentry.BusinessIDIsNil())
	} else {
		found.Where(auditentry.BusinessID(business))
	}
	if f.Name != nil {
		found.Where(func(s *sql.Selector) { search.HoldsAll(s, auditentry.FieldSearchText, f.Name) })
	}
	where(found, f.RecordID, auditentry.RecordID)
	where(found, f.Kind, auditentry.Kind)
	where(found, f.Action, auditentry.Action)
	where(found, f.UserID, auditentry.UserID)
	where(found, f.TokenID, auditentry.TokenID)
	where(found, f.CustomerID, auditentry.CustomerID)
	where(found, f.From, auditentry.CreatedAtGTE)
	where(found, f.Until, auditentry.CreatedAtLT)
	return found
}

// where adds a condition on a member of a filter, unless it is nil.
func where[T any](entries *ent.AuditEntryQuery, value *T, is func(T) predicate.AuditEntry) {
	if value != nil {
		entries.Where(is(*value))
	}
}
