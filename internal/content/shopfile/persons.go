package shopfile

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/staffinvitation"
	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/customer/member"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/database"
	"storefront/internal/record"
)

// idForm matches ids as they stand in a file.
var idForm = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// renamed replaces ids of persons in a row by their ids here, wherever they occur: also in the audit log and
// the events of webhooks.
func (im *importer) renamed(t *table, line []byte) []byte {
	if len(im.as) == 0 || t.name == "users" {
		return line
	}
	return idForm.ReplaceAllFunc(line, func(id []byte) []byte {
		if here, known := im.as[string(id)]; known {
			return []byte(here)
		}
		return id
	})
}

// meet finds the accounts that persons have here by their cell numbers, and makes accounts for the others. A file
// proves nothing: a number that nobody has proved here stays so until the first code, and whoever has made an account
// of it before loses every way in, so that nobody finds another person's orders or role there.
func (im *importer) meet(ctx context.Context, columns []column, rows [][]any) error {
	at := func(row []any, name string) any {
		return row[slices.IndexFunc(columns, func(c column) bool { return c.name == name })]
	}
	text := func(row []any, name string) *string {
		if value, is := at(row, name).(string); is {
			return &value
		}
		return nil
	}
	var cells []string
	var ids []uuid.UUID
	for _, row := range rows {
		cells, ids = append(cells, at(row, "cell_number").(string)), append(ids, at(row, "id").(uuid.UUID))
	}
	there, err := im.tx.User.Query().Where(user.Or(user.CellNumberIn(cells...), user.IDIn(ids...))).
		Order(user.ByID()).Modify(database.ForUpdate).All(ctx)
	if err != nil {
		return err
	}
	byCell, byID := map[string]*ent.User{}, map[uuid.UUID]*ent.User{}
	for _, one := range there {
		byCell[one.CellNumber], byID[one.ID] = one, one
	}
	var fresh []*ent.UserCreate
	for i, row := range rows {
		here := byCell[cells[i]]
		switch {
		case byID[ids[i]] != nil && byID[ids[i]] != here:
			return fmt.Errorf("the account %s is here already, with another cell number", ids[i])
		case here == nil:
			first, last := text(row, "first_name"), text(row, "last_name")
			one := im.tx.User.Create().SetID(ids[i]).SetCellNumber(cells[i]).
				SetCreatedAt(at(row, "created_at").(time.Time)).SetNillableFirstName(first).SetNillableLastName(last).
				SetSearchText(member.SearchText(first, last, nil))
			if closed, is := at(row, "closed_at").(time.Time); is {
				one.SetClosedAt(closed)
			}
			im.persons[ids[i]] = true
			fresh, im.fresh = append(fresh, one), append(im.fresh, ids[i])
			continue
		}
		im.met++
		im.as[ids[i].String()], im.persons[here.ID] = here.ID.String(), true
		if here.Vouched {
			continue
		}
		im.unproven[here.ID] = true
		if !im.options.WithoutCodes {
			if _, err := secondfactor.EndWaysIn(ctx, im.tx, here, record.Now()); err != nil {
				return err
			}
		}
	}
	return im.tx.User.CreateBulk(fresh...).Exec(ctx)
}

// rolesWaitFor is how long a role waits for staff.SetPassword.
const rolesWaitFor = 90 * 24 * time.Hour

// letRolesWait returns the cell numbers of staff of whom nobody has proved the number. The role of one whose account
// was here before becomes an invitation, since somebody else may have made that account.
func (im *importer) letRolesWait(ctx context.Context) (cells []string, err error) {
	works, err := im.tx.StaffMember.Query().Where(staffmember.BusinessID(im.shop),
		staffmember.HasUserWith(user.Vouched(false))).WithUser().Order(staffmember.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, one := range works {
		cell := one.Edges.User.CellNumber
		cells = append(cells, cell)
		if !im.unproven[one.UserID] {
			continue
		}
		err := im.tx.StaffMember.DeleteOneID(one.ID).Where(staffmember.BusinessID(im.shop)).Exec(ctx)
		if err != nil {
			return nil, err
		}
		_, err = im.tx.StaffInvitation.Delete().
			Where(staffinvitation.BusinessID(im.shop), staffinvitation.CellNumber(cell)).Exec(ctx)
		if err != nil {
			return nil, err
		}
		err = im.tx.StaffInvitation.Create().SetBusinessID(im.shop).SetCellNumber(cell).SetRole(one.Role).
			SetExpiresAt(record.Now().Add(rolesWaitFor)).Exec(ctx)
		if err != nil {
			return nil, err
		}
	}
	return cells, nil
}
