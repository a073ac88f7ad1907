// Package personal exports what the service stores about a customer, and erases it (contract 3.10).
//
// An account serves all shops, so both come in two sizes. Staff reach what their shop stores: orders, cart,
// favorites, listings, opinions, messages. Customers, and the operator's commands, reach the account with
// what every shop stores.
//
// ent/schema says what is a person's, and what an erasure does to it: a walker finds the rows, export.go shows them,
// and erase.go erases them.
//
// All records of a customer refer to the row of the account, which erasing locks. A concurrent write is
// either erased with the rest, or waits and then finds the account deleted.
package personal

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/user"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/locale/phone"
	"storefront/internal/record"
	"storefront/internal/request"
)

// customerOf returns a customer of a shop: a member, or a person who has ordered there.
func customerOf(ctx context.Context, store *ent.Client, shop, id uuid.UUID) (*ent.User, error) {
	who, err := store.User.Get(ctx, id)
	if ent.IsNotFound(err) {
		return nil, unknown()
	}
	if err != nil {
		return nil, err
	}
	known, err := store.Membership.Query().
		Where(membership.UserID(id), membership.BusinessID(shop), membership.PendingUntilIsNil()).Exist(ctx)
	if err == nil && !known {
		err = unknown()
	}
	return who, err
}

func unknown() error { return fault.New(fault.NotFound, "the shop has no such customer") }

func gone() error { return fault.New(fault.NotFound, "the account is gone") }

// ByCell returns the account of a cell number, in E.164 form.
func ByCell(ctx context.Context, store *ent.Client, cell string) (*ent.User, error) {
	who, err := store.User.Query().Where(user.CellNumber(cell)).Only(ctx)
	if ent.IsNotFound(err) {
		err = fault.New(fault.NotFound, "no account has this cell number")
	}
	return who, err
}

// actsFor returns a context for work in a shop: that of the operator who calls, or else of no person.
func actsFor(ctx context.Context, shop uuid.UUID) context.Context {
	by, _ := request.StaffOf(ctx)
	by.Business = shop
	return request.WithStaff(ctx, by)
}

// tables are the tables with data of persons, each after the one that it belongs to.
var tables = ordered(ent.Tables)

// accounts is the table of the accounts themselves.
var accounts = tables[slices.IndexFunc(tables, func(t *ent.Table) bool { return t.Name == user.Table })]

func ordered(tables []ent.Table) (all []*ent.Table) {
	depth := func(t *ent.Table) (n int) {
		for parent := t; parent != nil; n++ {
			to := refers(parent, parent.Personal.Of)
			i := slices.IndexFunc(tables, func(t ent.Table) bool { return t.Name == to && t.Personal != nil })
			if parent = nil; i >= 0 {
				parent = &tables[i]
			}
		}
		return n
	}
	for i := range tables {
		if tables[i].Personal != nil {
			all = append(all, &tables[i])
		}
	}
	slices.SortStableFunc(all, func(a, b *ent.Table) int { return depth(a) - depth(b) })
	return all
}

// refers returns the table to which a column refers, or "".
func refers(t *ent.Table, column string) string {
	for _, r := range t.References {
		if r.Column == column {
			return r.To
		}
	}
	return ""
}

// shopColumn returns the column with the shop, or "" for a table of the account or of no shop.
func shopColumn(t *ent.Table) string {
	for _, r := range t.References {
		if r.To == "tenants" && (t.Personal == nil || !t.Personal.OfAccount) {
			return r.Column
		}
	}
	return ""
}

type walker struct {
	on     database.Executor
	id     uuid.UUID
	cell   string // E.164
	proven bool   // the person has proved the number; else it may be another person's
	email  string // that the person typed; empty: what is signed with it is not looked for
	// also are the rows signed only by number or address that somebody has confirmed to be the person's, by their
	// ids; true: the row was found.
	also map[uuid.UUID]bool
}

// walkerOf returns a walker for an account. confirms is whether the caller can judge what only a typed address or an
// unproven number says: staff and operators can.
func walkerOf(on database.Executor, who *ent.User, confirms bool, also ...uuid.UUID) *walker {
	w := &walker{on: on, id: who.ID, cell: who.CellNumber, proven: who.Vouched, also: map[uuid.UUID]bool{}}
	if confirms {
		w.email = strings.TrimSpace(record.TextOf(who.Email))
		for _, id := range also {
			w.also[id] = false
		}
	} else if !w.proven {
		w.cell = ""
	}
	return w
}

// rows are ids of rows by the names of their tables.
type rows map[string][]uuid.UUID

const together = 500

// find returns the person's rows in a shop, or those of the account for uuid.Nil: of tables that an export shows or an
// erasure touches. unsure are those that only a typed address or an unproven number says to be the person's.
func (w *walker) find(ctx context.Context, shop uuid.UUID) (found, unsure rows, err error) {
	found, unsure = rows{}, rows{}
	for _, t := range tables {
		p := t.Personal
		in := shopColumn(t)
		if (in == "") != (shop == uuid.Nil) || p.As == "" && !p.Deleted {
			continue
		}
		where, args := "", []any{}
		if in != "" {
			where, args = " AND "+in+" = $1", []any{shop}
		}
		if p.Where != "" {
			where += " AND " + p.Where
		}
		found[t.Name] = []uuid.UUID{}
		of, to := []uuid.UUID{w.id}, refers(t, p.Of)
		switch {
		case p.Of == "cell_number":
			if p.Signed == "" && w.proven {
				err = w.ids(ctx, found, t, fmt.Sprintf("cell_number = $%d%s", len(args)+1, where), append(args, w.cell))
			}
			of = nil
		case p.Of != "id" && to != "users":
			of = found[to]
		}
		for some := range slices.Chunk(of, together) {
			if err == nil {
				condition, all := isIn(p.Of, some, args)
				err = w.ids(ctx, found, t, condition+where, all)
			}
		}
		if err == nil && p.Signed != "" {
			err = w.signed(ctx, t, in, shop, found, unsure)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("find a person's rows of %s: %w", t.Name, err)
		}
	}
	return found, unsure, nil
}

// isIn returns the condition that a column has one of the ids, with its arguments after the earlier ones.
func isIn(column string, ids []uuid.UUID, before []any) (condition string, args []any) {
	args = slices.Clone(before)
	places := make([]string, len(ids))
	for i, id := range ids {
		args = append(args, id)
		places[i] = fmt.Sprintf("$%d", len(args))
	}
	return column + " IN (" + strings.Join(places, ", ") + ")", args
}

func (w *walker) ids(ctx context.Context, to rows, t *ent.Table, condition string, args []any) error {
	text := "SELECT id FROM " + t.Name + " WHERE " + condition + " ORDER BY id"
	return database.EachRow(ctx, w.on, text, args, func(row *sql.Rows) error {
		var id uuid.UUID
		err := row.Scan(&id)
		to[t.Name] = append(to[t.Name], id)
		return err
	})
}

// signed adds the rows of a shop that the person signed with the number or the address. Both are stored as they were
// typed, so each is compared. What an account wrote is that account's, whatever it is signed with.
func (w *walker) signed(ctx context.Context, t *ent.Table, in string, shop uuid.UUID, theirs, unsure rows) error {
	p, cell, own := t.Personal, "''", " AND user_id IS NULL"
	if p.Of == "cell_number" {
		cell, own = "COALESCE(cell_number, '')", ""
	}
	if w.email == "" && (w.cell == "" || own != "") {
		return nil
	}
	text := fmt.Sprintf(`SELECT id, %s, COALESCE(%s, '')
		FROM %s WHERE %s = $1%s ORDER BY id`, cell, p.Signed, t.Name, in, own)
	return database.EachRow(ctx, w.on, text, []any{shop}, func(row *sql.Rows) error {
		var id uuid.UUID
		var number, address string
		if err := row.Scan(&id, &number, &address); err != nil {
			return err
		}
		numbered := w.cell != "" && phone.IsIn(number, w.cell)
		_, confirmed := w.also[id]
		switch {
		case numbered && w.proven:
			theirs[t.Name] = append(theirs[t.Name], id)
		case !numbered && !holdsAddress(address, w.email):
		case confirmed:
			theirs[t.Name], w.also[id] = append(theirs[t.Name], id), true
		default:
			unsure[t.Name] = append(unsure[t.Name], id)
		}
		return nil
	})
}

// aroundAt matches the sign of an address with blanks around it.
var aroundAt = regexp.MustCompile(`\s*@\s*`)

// holdsAddress reports whether a free text, such as "Reza <reza@mail.example>", contains an e-mail address, with no
// sign beside it that belongs to another address.
func holdsAddress(text, email string) bool {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r): // marks of direction, which cannot be seen
			return -1
		case r >= '！' && r <= '～': // of full width
			r -= '！' - '!'
		}
		return unicode.ToLower(r)
	}, text)
	text, email = aroundAt.ReplaceAllString(text, "@"), strings.ToLower(email)
	if email == "" || !strings.Contains(text, email) {
		return false
	}
	const other = `[^a-z0-9._%+-]`
	is := regexp.MustCompile(`(^|` + other + `)` + regexp.QuoteMeta(email) + `\.*($|` + other + `)`)
	return is.MatchString(text)
}

// shops returns the shops that store something about the person: where a row refers to the account, and, if numbers
// is set and the number is proven, where a message is signed with it.
func (w *walker) shops(ctx context.Context, numbers bool) (shops []uuid.UUID, err error) {
	var parts []string
	for _, t := range tables {
		in, p := shopColumn(t), t.Personal
		if in == "" || refers(t, p.Of) != "users" {
			continue
		}
		part := fmt.Sprintf("SELECT %s, '' FROM %s WHERE %s = $1", in, t.Name, p.Of)
		if p.Where != "" {
			part += " AND " + p.Where
		}
		parts = append(parts, part)
	}
	if numbers && w.proven {
		parts = append(parts, "SELECT tenant_id, cell_number FROM contact_submissions WHERE cell_number IS NOT NULL")
	}
	text := strings.Join(parts, " UNION ") + " ORDER BY 1"
	err = database.EachRow(ctx, w.on, text, []any{w.id}, func(row *sql.Rows) error {
		var shop uuid.UUID
		var number string
		err := row.Scan(&shop, &number)
		if err == nil && (number == "" || phone.IsIn(number, w.cell)) && !slices.Contains(shops, shop) {
			shops = append(shops, shop)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find the shops of a customer: %w", err)
	}
	return shops, nil
}
