package staff

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Permission is something that staff may do.
type Permission string

// The permissions that the directive @staff of the schema names.
const (
	SeeShop        Permission = "seeShop"
	ManageStaff    Permission = "manageStaff"
	ReadAudit      Permission = "readAudit"
	EditShop       Permission = "editShop"
	CloseShop      Permission = "closeShop"
	EditCatalog    Permission = "editCatalog"
	EditContent    Permission = "editContent"
	ChangeStock    Permission = "changeStock"
	ManageListings Permission = "manageListings"
	Moderate       Permission = "moderate"
	ReadContacts   Permission = "readContacts"
	ManageOrders   Permission = "manageOrders"
	MarkPayments   Permission = "markPayments"
	SeeFigures     Permission = "seeFigures"
	SeeCustomers   Permission = "seeCustomers"
	EraseCustomers Permission = "eraseCustomers"
	ManageWebhooks Permission = "manageWebhooks"
	ManageGateways Permission = "manageGateways"
	OperateService Permission = "operateService"
)

// Grant is the list of roles that have a permission. The operator of the service has every permission.
type Grant struct {
	Permission Permission
	Roles      []record.StaffRole
}

// Grants is the table of permissions. The schema and the contract show the same one.
var Grants = []Grant{
	{SeeShop, []record.StaffRole{record.Owner, record.Manager, record.Editor, record.Moderator, record.Support}},
	{ManageStaff, []record.StaffRole{record.Owner}},
	{ReadAudit, []record.StaffRole{record.Owner, record.Manager}},
	{EditShop, []record.StaffRole{record.Owner, record.Manager}},
	{CloseShop, []record.StaffRole{record.Owner}},
	{EditCatalog, []record.StaffRole{record.Owner, record.Manager, record.Editor}},
	{EditContent, []record.StaffRole{record.Owner, record.Manager, record.Editor}},
	{ChangeStock, []record.StaffRole{record.Owner, record.Manager, record.Editor}},
	{ManageListings, []record.StaffRole{record.Owner, record.Manager, record.Moderator}},
	{Moderate, []record.StaffRole{record.Owner, record.Manager, record.Moderator}},
	{ReadContacts, []record.StaffRole{record.Owner, record.Manager, record.Support}},
	{ManageOrders, []record.StaffRole{record.Owner, record.Manager, record.Support}},
	{MarkPayments, []record.StaffRole{record.Owner, record.Manager}},
	{SeeFigures, []record.StaffRole{record.Owner, record.Manager}},
	{SeeCustomers, []record.StaffRole{record.Owner, record.Manager, record.Support}},
	{EraseCustomers, []record.StaffRole{record.Owner}},
	{ManageWebhooks, []record.StaffRole{record.Owner}},
	{ManageGateways, []record.StaffRole{record.Owner}},
	{OperateService, nil},
}

// May reports whether a role has a permission.
func May(role record.StaffRole, do Permission) bool { return slices.Contains(RolesWith(do), role) }

// RolesWith returns the roles that have a permission.
func RolesWith(do Permission) []record.StaffRole {
	roles := []record.StaffRole{record.Operator}
	if i := slices.IndexFunc(Grants, func(g Grant) bool { return g.Permission == do }); i >= 0 {
		roles = append(roles, Grants[i].Roles...)
	}
	return roles
}

// OfPeople are the permissions that no program can have.
var OfPeople = []Permission{ManageStaff, CloseShop, EraseCustomers, ManageGateways, OperateService}

// Check fails with FORBIDDEN unless a person or program has a permission in the business where they act, and
// with SECOND_FACTOR_REQUIRED if a person has not proved the required second factor. Programs have no second
// factor.
func Check(ctx context.Context, who request.Staff, do Permission) error {
	if who.Program != nil {
		if !slices.Contains(PermissionsOf(who.Program.Permissions), do) {
			return request.Forbidden(ctx, string(do))
		}
		return nil
	}
	if !May(who.Role, do) {
		return request.Forbidden(ctx, string(do))
	}
	switch who.SecondFactor {
	case request.FactorUnproven:
		return fault.New(fault.SecondFactorRequired, "prove your second factor in this session first: "+
			"proveSecondFactor takes a code of your authenticator app, or a recovery code")
	case request.FactorMissing:
		return fault.New(fault.SecondFactorRequired, "who works here needs a second factor: switch yours on with "+
			"beginSecondFactor and confirmSecondFactor")
	}
	return nil
}

// PermissionsOf returns the permissions with these names that a program may have, in the order of Grants.
func PermissionsOf(names []string) []Permission {
	may := []Permission{}
	for _, g := range Grants {
		if slices.Contains(names, string(g.Permission)) && !slices.Contains(OfPeople, g.Permission) {
			may = append(may, g.Permission)
		}
	}
	return may
}

// names returns the names of permissions.
func names(permissions []Permission) []string {
	return convert.All(permissions, func(p Permission) string { return string(p) })
}

// Permissions returns the permissions of a role.
func Permissions(role record.StaffRole) []Permission {
	may := []Permission{}
	for _, g := range Grants {
		if May(role, g.Permission) {
			may = append(may, g.Permission)
		}
	}
	return may
}

// MarshalGQL writes a permission by its name in the schema.
func (p Permission) MarshalGQL(w io.Writer) { _, _ = io.WriteString(w, strconv.Quote(string(p))) }

// UnmarshalGQL reads a permission.
func (p *Permission) UnmarshalGQL(v any) error {
	name, ok := v.(string)
	if !ok || !slices.ContainsFunc(Grants, func(g Grant) bool { return string(g.Permission) == name }) {
		return fmt.Errorf("%v is no permission", v)
	}
	*p = Permission(name)
	return nil
}
