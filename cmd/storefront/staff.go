package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/config"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/database/store"
	"storefront/internal/fault"
	"storefront/internal/locale/phone"
	"storefront/internal/platform/password"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop/staff"
)

// staffMembers adds, lists and removes the staff of a shop, and gives them passwords. Without a domain it is
// about the operators of the service.
func staffMembers(ctx context.Context, args []string, p program) error {
	var unproven bool
	settings, words, err := loadWith("staff", args, p, func(f *flag.FlagSet) {
		f.BoolVar(&unproven, "unproven", false,
			"with add: although nobody has proved by an SMS code that the cell number is theirs")
	})
	if err != nil {
		return err
	}
	asked, err := parseStaff(words)
	if err != nil {
		return err
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	shop := uuid.Nil
	if asked.domain != "" {
		if shop, err = shopOf(ctx, s, asked.domain); err != nil {
			return err
		}
	}
	ctx = request.WithStaff(ctx, request.Staff{Business: shop})
	switch asked.does {
	case "add":
		err = addStaff(ctx, s, p, shop, asked, unproven)
	case "remove":
		err = removeStaff(ctx, s, p, shop, asked.cell)
	case "password":
		err = setPassword(ctx, s, p, shop, asked.cell, settings)
	case "drop-factor":
		err = dropFactor(ctx, s, p, asked.cell)
	case "reseal":
		err = reseal(ctx, s, p, settings)
	default:
		err = listStaff(ctx, s, p, shop)
	}
	return inWords(err)
}

// staffWords are the arguments of the command. The domain is empty for operators of the service.
type staffWords struct {
	does, domain, cell string
	role               record.StaffRole
}

func parseStaff(words []string) (staffWords, error) {
	misunderstood := errors.New("say what to do: storefront staff add DOMAIN CELL ROLE, staff list DOMAIN, " +
		"staff remove DOMAIN CELL; for operators of the service staff add CELL operator, staff list, " +
		"staff remove CELL; where no SMS are sent staff password DOMAIN CELL; of second factors: " +
		"staff drop-factor CELL, staff reseal")
	if len(words) == 0 {
		return staffWords{}, misunderstood
	}
	asked, rest := staffWords{does: words[0]}, words[1:]
	// words besides the domain
	of := map[string]int{"add": 2, "list": 0, "remove": 1, "password": 1, "drop-factor": 1, "reseal": 0}
	n, known := of[asked.does]
	ofAllShops := asked.does == "drop-factor" || asked.does == "reseal" // about accounts, which all shops share
	if !known || len(rest) < n || len(rest) > n+1 || len(rest) > n && ofAllShops ||
		len(rest) == n && asked.does == "password" {
		return asked, misunderstood
	}
	if len(rest) > n {
		asked.domain, rest = rest[0], rest[1:]
	}
	if n > 0 {
		cell, ok := phone.Normalize(rest[0])
		if !ok {
			return asked, fmt.Errorf("%q is no cell number; write it as +989121234567", rest[0])
		}
		asked.cell = cell
	}
	if n > 1 {
		asked.role = record.StaffRole(rest[1])
		all := asked.role.Values()
		if !slices.Contains(all, rest[1]) || (asked.role == record.Operator) != (asked.domain == "") {
			return asked, fmt.Errorf("%q is no role here; in a shop it is one of %s, and without a domain operator",
				rest[1], strings.Join(all[:len(all)-1], ", "))
		}
	}
	return asked, nil
}

func addStaff(
	ctx context.Context, s *store.Store, p program, shop uuid.UUID, words staffWords, unproven bool,
) error {
	_, err := staff.Add(ctx, s.Client, shop, words.cell, words.role, unproven)
	if fault.Is(err, fault.Conflict) && !unproven {
		return fmt.Errorf("%w; or, where you know it, add with -unproven", errors.New(fault.From(err).Message))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is %s\n", words.cell, words.role)
	return nil
}

func removeStaff(ctx context.Context, s *store.Store, p program, shop uuid.UUID, cell string) error {
	all, err := staff.Of(ctx, s.Client, shop)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(m *ent.StaffMember) bool { return m.Edges.User.CellNumber == cell })
	if i < 0 {
		return fmt.Errorf("%s is not among them; `storefront staff list` shows who is", cell)
	}
	if err := staff.Remove(ctx, s.Client, shop, all[i].ID); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s is removed\n", cell)
	return nil
}

// setPassword gives a member of a shop's staff whom no SMS code reaches a new password, and shows it.
func setPassword(
	ctx context.Context, s *store.Store, p program, shop uuid.UUID, cell string, settings config.Config,
) error {
	sender, err := settings.Sender(p.stdout)
	if err != nil {
		return err
	}
	if sender.Reaches(cell) {
		return fmt.Errorf("an SMS code reaches %s: they sign in with one, and then set a password", cell)
	}
	words := rand.Text()[:16]
	hash, err := password.NewHasher(password.Recommended).Hash(ctx, words)
	if err != nil {
		return err
	}
	if err := staff.SetPassword(ctx, s.Client, shop, cell, hash, time.Now()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s signs in with this password, which is shown this once:\n%s\n", cell, words)
	return err
}

func listStaff(ctx context.Context, s *store.Store, p program, shop uuid.UUID) error {
	all, err := staff.Of(ctx, s.Client, shop)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CELL\tROLE\tSINCE\tPROVEN\tNAME")
	for _, m := range all {
		var name []string
		for _, part := range []*string{m.Edges.User.FirstName, m.Edges.User.LastName} {
			if part != nil {
				name = append(name, *part)
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%t\t%s\n", m.Edges.User.CellNumber, m.Role,
			m.CreatedAt.UTC().Format(time.RFC3339), m.Edges.User.Vouched, strings.Join(name, " "))
	}
	return table.Flush()
}

// dropFactor removes the second factor of an account whose holder has lost it.
func dropFactor(ctx context.Context, s *store.Store, p program, cell string) error {
	if err := secondfactor.TakeAway(ctx, s.Client, cell, time.Now()); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s has no second factor any more, and is signed out\n", cell)
	return nil
}

// reseal seals under TOKEN_SIGNING_KEY all second factors and credentials of gateway accounts that are sealed under
// TOKEN_SIGNING_KEY_OTHER.
func reseal(ctx context.Context, s *store.Store, p program, settings config.Config) error {
	if settings.OtherKey == "" {
		return errors.New("name the key that is to go in TOKEN_SIGNING_KEY_OTHER, and the new one in TOKEN_SIGNING_KEY")
	}
	key, err := config.SigningKey(settings)
	if err != nil {
		return err
	}
	factors, err := secondfactor.New(s.Client, time.Now, key, []byte(settings.OtherKey), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	accounts, err := accountsIn(s, key, settings.OtherKey)
	if err != nil {
		return err
	}
	resealed, err := factors.Reseal(ctx)
	fmt.Fprintf(p.stdout, "%d second factors are sealed anew\n", resealed)
	if err != nil {
		return err
	}
	resealed, err = accounts.Reseal(ctx)
	fmt.Fprintf(p.stdout, "%d gateway accounts are sealed anew\n", resealed)
	return err
}
