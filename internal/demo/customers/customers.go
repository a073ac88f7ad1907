// Package customers loads the demo shops' customers and makes the accounts to sign in with: one customer's,
// and one for each role of the staff. Their password is a new one each time.
package customers

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/ent/user"
	"storefront/internal/content/shopfile"
	"storefront/internal/customer/member"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/demo"
	"storefront/internal/platform/password"
	"storefront/internal/record"
)

// Staff lists the roles of the people who work for all demo shops, in the order of their cell numbers.
var Staff = []record.StaffRole{record.Owner, record.Manager, record.Editor, record.Moderator, record.Support}

// CellOf returns the cell number of the account with a role, by its index in Staff.
func CellOf(role int) string { return fmt.Sprintf("+98912000%04d", 9001+role) }

// SignIn is what to sign in to the demo with.
type SignIn struct{ Cell, Password string }

// cell is the number of the customer who has a password. The others sign in with an SMS code.
const cell = "+989120000001"

// Loaded reports whether a database has the customers' orders. They stay, while an account may be closed.
func Loaded(ctx context.Context, client *ent.Client) (bool, error) {
	shop, err := client.Tenant.Query().Where(tenant.Domain(demo.Bundles()[0].Domain)).OnlyID(ctx)
	if err != nil {
		return false, ent.MaskNotFound(err)
	}
	return client.Order.Query().Exist(tenancy.In(ctx, shop))
}

// Load writes the customers, with what they have, to a database that holds the demo shops, and makes the
// accounts of the staff, who have the customer's password. Times are moved by days.
func Load(ctx context.Context, client *ent.Client, days int) (SignIn, error) {
	in := SignIn{Cell: cell, Password: rand.Text()[:12]}
	hash, err := password.NewHasher(password.Recommended).Hash(ctx, in.Password)
	if err != nil {
		return SignIn{}, err
	}
	return in, transaction.Run(ctx, client, func(tx *ent.Tx) error {
		var shops, people []uuid.UUID
		for _, d := range demo.Bundles() {
			shop, err := tx.Tenant.Query().Where(tenant.Domain(d.Domain)).OnlyID(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", d.Domain, err)
			}
			rows, err := demo.Moved(d.Customers, days)
			if err != nil {
				return fmt.Errorf("%s: %w", d.Domain, err)
			}
			fresh, err := shopfile.Add(ctx, tx, shop, bytes.NewReader(rows))
			if err != nil {
				return fmt.Errorf("%s: %w", d.Domain, err)
			}
			shops, people = append(shops, shop), append(people, fresh...)
		}
		if err := prove(ctx, tx, people, hash); err != nil {
			return err
		}
		return employ(ctx, tx, shops, hash)
	})
}

// prove makes accounts those of people who have signed in and given their e-mail addresses. The one to sign
// in with gets the password, and an address to send orders to.
func prove(ctx context.Context, tx *ent.Tx, ids []uuid.UUID, hash string) error {
	people, err := tx.User.Query().Where(user.IDIn(ids...)).All(ctx)
	if err != nil {
		return err
	}
	for _, u := range people {
		email := fmt.Sprintf("%s.%s@mail.example", strings.ToLower(*u.FirstName), u.CellNumber[len(u.CellNumber)-3:])
		change := tx.User.UpdateOne(u).SetCellVerified(true).SetVouched(true).SetEmail(email).
			SetSearchText(member.SearchText(u.FirstName, u.LastName, &email))
		if u.CellNumber == cell {
			change.SetPasswordHash(hash)
			err = tx.Address.Create().SetID(record.StableID(0, "address of "+cell)).SetUserID(u.ID).
				SetLabel("خانه").SetProvince("تهران").SetCity("تهران").SetPostalCode("1415500000").
				SetAddress("خیابان ولیعصر، پلاک ۱۲").Exec(ctx)
		}
		if err := errors.Join(err, change.Exec(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// employ makes an account for each role, and gives it the role in all shops.
func employ(ctx context.Context, tx *ent.Tx, shops []uuid.UUID, hash string) error {
	names := [][2]string{{"Nasrin", "Tehrani"}, {"Hamid", "Shirazi"}, {"Leila", "Jafari"}, {"Omid", "Moradi"},
		{"Parisa", "Brown"}}
	for i, role := range Staff {
		first, last := names[i][0], names[i][1]
		made, err := tx.User.Create().SetID(record.StableID(i, "staff "+CellOf(i))).SetCellNumber(CellOf(i)).
			SetCellVerified(true).SetVouched(true).SetFirstName(first).SetLastName(last).SetPasswordHash(hash).
			Save(ctx)
		if err != nil {
			return err
		}
		for _, shop := range shops {
			err := tx.StaffMember.Create().SetUserID(made.ID).SetBusinessID(shop).SetRole(role).Exec(ctx)
			if err != nil {
				return err
			}
		}
	}
	return nil
}
