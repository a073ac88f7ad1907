package shopfile

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/ent/staffmember"
	"storefront/ent/user"
	"storefront/internal/personal"
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

// findPersons finds the accounts that persons have here by their cell numbers, and returns the rows of persons
// without one.
func (im *importer) findPersons(ctx context.Context, columns []column, rows [][]any) (fresh [][]any, err error) {
	var cells []string
	var ids []uuid.UUID
	at := func(row []any, name string) any {
		return row[slices.IndexFunc(columns, func(c column) bool { return c.name == name })]
	}
	for _, row := range rows {
		cells, ids = append(cells, at(row, "cell_number").(string)), append(ids, at(row, "id").(uuid.UUID))
	}
	there, err := im.tx.User.Query().Where(user.Or(user.CellNumberIn(cells...), user.IDIn(ids...))).All(ctx)
	if err != nil {
		return nil, err
	}
	byCell, byID := map[string]*ent.User{}, map[uuid.UUID]*ent.User{}
	for _, one := range there {
		byCell[one.CellNumber], byID[one.ID] = one, one
	}
	for i, row := range rows {
		here := byCell[cells[i]]
		switch {
		case byID[ids[i]] != nil && byID[ids[i]] != here:
			return nil, fmt.Errorf("the account %s is here already, with another cell number", ids[i])
		case here == nil:
			im.fresh++
			im.persons[ids[i]] = false
			fresh = append(fresh, row)
			continue
		}
		im.met++
		im.as[ids[i].String()], im.persons[here.ID] = here.ID.String(), true
		vouched := at(row, "vouched").(bool)
		switch {
		case here.ID == ids[i]: // the same account, which has been here before
		case !vouched:
			im.unproven++
		case !here.Vouched:
			works, err := im.tx.StaffMember.Query().Where(staffmember.UserID(here.ID)).Exist(ctx)
			if err != nil {
				return nil, err
			}
			if works { // a file does not give its person the roles of an account here
				im.unproven++
				continue
			}
			if err := im.giveWay(ctx, here.ID, columns, row); err != nil {
				return nil, err
			}
		}
	}
	return fresh, nil
}

// giveWay hands an account with an unverified number to the person in the file, who has verified the number:
// what somebody else may have left in it is removed.
func (im *importer) giveWay(ctx context.Context, id uuid.UUID, columns []column, row []any) error {
	err := im.tx.Session.Update().Where(session.UserID(id), session.EndedAtIsNil()).
		SetEndedAt(time.Now().UTC().Truncate(time.Microsecond)).Exec(ctx)
	if err != nil {
		return err
	}
	if _, err := im.tx.SignInAddress.Delete().Where(signinaddress.UserID(id)).Exec(ctx); err != nil {
		return err
	}
	if _, err := personal.Empty(ctx, im.tx, id, nil); err != nil {
		return err
	}
	var set []string
	args := []any{id}
	for i, c := range columns {
		if c.name != "id" && c.name != "created_at" {
			args = append(args, row[i])
			set = append(set, fmt.Sprintf(`"%s" = $%d`, c.name, len(args)))
		}
	}
	_, err = im.tx.ExecContext(ctx, "UPDATE users SET "+strings.Join(set, ", ")+" WHERE id = $1", args...)
	return err
}

// ofNew returns the rows of persons who have no account here: the others keep what they have.
func (im *importer) ofNew(columns []column, person string, rows [][]any) [][]any {
	i := slices.IndexFunc(columns, func(c column) bool { return c.name == person })
	return slices.DeleteFunc(rows, func(row []any) bool {
		id, is := row[i].(uuid.UUID) // keys of programs belong to no person
		return is && im.persons[id]
	})
}
