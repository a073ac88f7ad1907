// Package customers makes the demo shops' customers. Their accounts are made up; the password is a new one
// each time.
package customers

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/ent/user"
	"storefront/internal/member"
	"storefront/internal/password"
	"storefront/internal/record"
)

// counts are the numbers of customers of each shop. The very first customer is one of every shop.
var counts = []struct {
	domain string
	number int
}{{"sanat-mashin.example", 60}, {"paperlane.example", 120}, {"memar-novin.example", 5}}

var (
	firstNames = []string{"Sara", "Reza", "Maryam", "Ali", "Nasrin", "Hamid", "Leila", "Omid", "Parisa", "Kaveh",
		"Emma", "Daniel"}
	lastNames = []string{"Karimi", "Ahmadi", "Mohammadi", "Rahimi", "Tehrani", "Shirazi", "Jafari", "Moradi",
		"Brown", "Clarke", "Novak"}
	streets = []string{"خیابان ولیعصر، پلاک ۱۲", "بلوار کشاورز، پلاک ۴۸",
		"خیابان آزادی، کوچه یاس، پلاک ۳"}
)

// SignIn is what to sign in to the demo with.
type SignIn struct{ Cell, Password string }

// Load makes the customers and the staff in a database that holds the demo shops, and returns how to sign in
// as the first customer. The staff have the same password; the other customers have none and sign in with an
// SMS code. If they all exist already, only that password changes.
func Load(ctx context.Context, client *ent.Client) (SignIn, error) {
	in := SignIn{Cell: cellOf(0), Password: rand.Text()[:12]}
	hash, err := password.NewHasher(password.Recommended).Hash(ctx, in.Password)
	if err != nil {
		return SignIn{}, err
	}
	tx, err := client.Tx(ctx)
	if err != nil {
		return SignIn{}, err
	}
	defer tx.Rollback() // does nothing after a commit
	known, err := tx.User.Update().Where(user.CellNumber(in.Cell)).SetPasswordHash(hash).Save(ctx)
	if err != nil {
		return SignIn{}, err
	}
	if known > 0 {
		if err := employ(ctx, tx, nil, hash); err != nil {
			return SignIn{}, err
		}
		return in, tx.Commit()
	}
	var first uuid.UUID
	next := 0
	var shops []uuid.UUID
	for _, c := range counts {
		shop, err := tx.Tenant.Query().Where(tenant.Domain(c.domain)).OnlyID(ctx)
		if err != nil {
			return SignIn{}, fmt.Errorf("%s: %w", c.domain, err)
		}
		shops = append(shops, shop)
		var users []*ent.UserCreate
		for range c.number - min(next, 1) {
			users = append(users, userOf(tx, next))
			next++
		}
		if first == uuid.Nil {
			users[0].SetPasswordHash(hash)
		}
		made, err := tx.User.CreateBulk(users...).Save(ctx)
		if err != nil {
			return SignIn{}, err
		}
		if first == uuid.Nil {
			first = made[0].ID
		} else if err := tx.Membership.Create().SetUserID(first).SetBusinessID(shop).Exec(ctx); err != nil {
			return SignIn{}, err
		}
		if err := settle(ctx, tx, shop, made); err != nil {
			return SignIn{}, err
		}
	}
	if err := employ(ctx, tx, shops, hash); err != nil {
		return SignIn{}, err
	}
	return in, tx.Commit()
}

func cellOf(n int) string { return fmt.Sprintf("+98912000%04d", n+1) }

func userOf(tx *ent.Tx, n int) *ent.UserCreate {
	first, last := firstNames[n%len(firstNames)], lastNames[n%len(lastNames)]
	email := fmt.Sprintf("customer%d@mail.example", n+1)
	return tx.User.Create().SetID(record.StableID(n, "user "+cellOf(n))).SetCellNumber(cellOf(n)).
		SetCellVerified(true).SetVouched(true).SetFirstName(first).SetLastName(last).
		SetEmail(email).SetSearchText(member.SearchText(&first, &last, &email))
}

// settle makes users customers of a shop, each with an address.
func settle(ctx context.Context, tx *ent.Tx, shop uuid.UUID, users []*ent.User) error {
	var members []*ent.MembershipCreate
	var addresses []*ent.AddressCreate
	for i, u := range users {
		members = append(members, tx.Membership.Create().SetUserID(u.ID).SetBusinessID(shop))
		id := record.StableID(i, "address of "+u.CellNumber)
		addresses = append(addresses, tx.Address.Create().SetID(id).SetUserID(u.ID).SetLabel("خانه").
			SetProvince("تهران").SetCity("تهران").SetAddress(streets[i%len(streets)]).
			SetPostalCode(fmt.Sprintf("14155%05d", i)))
	}
	if err := tx.Membership.CreateBulk(members...).Exec(ctx); err != nil {
		return err
	}
	return tx.Address.CreateBulk(addresses...).Exec(ctx)
}
