package personal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/ent/user"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/locale/money"
	"storefront/internal/shop/audit"
)

// Export is what the service, or one shop, stores about a customer, to be written as JSON.
type Export map[string]any

// ExportAt returns what a shop stores about one of its customers, and records the export in its audit log.
// It fails with NOT_FOUND if the account is not a customer of the shop.
func ExportAt(ctx context.Context, store *ent.Client, shop, id uuid.UUID) (Export, error) {
	who, err := customerOf(ctx, store, shop, id)
	if err != nil {
		return nil, err
	}
	w := walkerOf(store.Raw(), who, true)
	account, err := w.objects(ctx, accounts, uuid.Nil, []uuid.UUID{id}, false)
	if err == nil && len(account) == 0 { // erased meanwhile
		err = unknown()
	}
	if err != nil {
		return nil, err
	}
	customer := account[0].members
	for _, name := range []string{"registeredFrom", "createdAt", "handedOverAt", "emailBefore"} {
		delete(customer, name) // known to the service, not the shop, to which the membership says since when
	}
	in, figures, err := w.shop(ctx, store, shop)
	if err != nil {
		return nil, err
	}
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		if err := stillThere(ctx, tx, id); err != nil {
			return err
		}
		if _, err := customerOf(ctx, tx.Client(), shop, id); err != nil {
			return err
		}
		return noteExport(ctx, tx, who, figures)
	})
	if err != nil {
		return nil, err
	}
	return Export{"customer": customer, "shops": []object{in}}, nil
}

// stillThere keeps an account from being erased until the transaction ends, so that nothing of an erased
// account is recorded or exported.
func stillThere(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
	_, err := tx.User.Query().Where(user.ID(id)).Modify(database.ForKeyShare).Select(user.FieldID).Only(ctx)
	if ent.IsNotFound(err) {
		err = unknown()
	}
	return err
}

// noteExport writes to an audit log what was exported, and about whom.
func noteExport(ctx context.Context, tx *ent.Tx, who *ent.User, figures Figures) error {
	return audit.Record(ctx, tx, "customerExport", audit.Change{
		Kind: "customer", ID: who.ID, Name: who.CellNumber, Customer: who.ID,
		Before: map[string]any{"exported": nil}, After: map[string]any{"exported": figures},
	})
}

// HandOut is ExportAccount for the operator: it has what only a typed address says to be the customer's as well, and
// the export is recorded in the audit log of each shop, or of the service if no shop stores anything.
func HandOut(ctx context.Context, store *ent.Client, id uuid.UUID) (Export, error) {
	who, err := store.User.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out, figures, err := walkerOf(store.Raw(), who, true).account(ctx, store)
	if err != nil {
		return nil, err
	}
	err = transaction.Run(ctx, store, func(tx *ent.Tx) error {
		if err := stillThere(ctx, tx, id); err != nil {
			return err
		}
		if len(figures) == 0 {
			return noteExport(ctx, tx, who, Figures{})
		}
		for shop, given := range figures {
			if err := noteExport(actsFor(ctx, shop), tx, who, given); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ExportAccount returns what the service stores about an account, for its customer. Texts signed with its e-mail
// address are left out, since the address is not verified; texts signed with its number are included if that is
// verified.
func ExportAccount(ctx context.Context, store *ent.Client, id uuid.UUID) (Export, error) {
	who, err := store.User.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out, _, err := walkerOf(store.Raw(), who, false).account(ctx, store)
	return out, err
}

// account exports the account with what every shop stores, and counts by shop what was exported.
func (w *walker) account(ctx context.Context, store *ent.Client) (Export, map[uuid.UUID]Figures, error) {
	found, _, err := w.find(ctx, uuid.Nil)
	if err != nil {
		return nil, nil, err
	}
	out, err := w.lists(ctx, uuid.Nil, found, false)
	if err != nil {
		return nil, nil, err
	}
	who := out["customer"].([]object)
	if len(who) == 0 { // erased meanwhile
		return nil, nil, gone()
	}
	out["customer"] = who[0]
	shops, err := w.shops(ctx, true)
	if err != nil {
		return nil, nil, err
	}
	all, figures := []object{}, map[uuid.UUID]Figures{}
	for _, shop := range shops {
		in, given, err := w.shop(ctx, store, shop)
		if err != nil {
			return nil, nil, err
		}
		all, figures[shop] = append(all, in), given
	}
	out["shops"] = all
	return Export(out), figures, nil
}

func (w *walker) shop(ctx context.Context, store *ent.Client, shop uuid.UUID) (object, Figures, error) {
	of, err := store.Tenant.Query().Where(tenant.ID(shop)).Select(tenant.FieldDomain).Only(ctx)
	if err != nil {
		return nil, Figures{}, err
	}
	ctx = tenancy.In(ctx, shop)
	found, unsure, err := w.find(ctx, shop)
	if err != nil {
		return nil, Figures{}, err
	}
	out, err := w.lists(ctx, shop, found, false)
	if err == nil && len(unsure) > 0 {
		out["signedOnly"], err = w.lists(ctx, shop, unsure, true)
	}
	if err != nil {
		return nil, Figures{}, err
	}
	out["domain"] = of.Domain
	return out, found.figures(), nil
}

type object map[string]any

// row is a row of an export.
type row struct {
	id, of  uuid.UUID // of is the row that it belongs to
	members object
}

// lists returns the lists of an export of a shop, or of the account for uuid.Nil. withIDs adds the ids of rows, by
// which they can be named.
func (w *walker) lists(ctx context.Context, shop uuid.UUID, theirs rows, withIDs bool) (object, error) {
	out, made := object{}, map[string]map[uuid.UUID]object{}
	for _, t := range tables {
		ids, here := theirs[t.Name]
		as := t.Personal.As
		if !here || as == "" {
			continue
		}
		all, err := w.objects(ctx, t, shop, ids, withIDs)
		if err != nil {
			return nil, err
		}
		parents, nested := made[refers(t, t.Personal.Of)]
		for _, parent := range parents {
			parent[as] = []object{}
		}
		list := []object{}
		made[t.Name] = map[uuid.UUID]object{}
		for _, one := range all {
			if made[t.Name][one.id] = one.members; nested {
				parent := parents[one.of]
				parent[as] = append(parent[as].([]object), one.members)
			}
			list = append(list, one.members)
		}
		if !nested {
			out[as] = list
		}
		delete(made, "users") // nothing stands below the account itself
	}
	return out, nil
}

// objects reads rows of a table, of the shop if it is a shop's table.
func (w *walker) objects(ctx context.Context, t *ent.Table, shop uuid.UUID, ids []uuid.UUID, withIDs bool) (
	all []row, err error,
) {
	names, columns := []string{"", ""}, []string{"id", t.Personal.Of}
	kinds := []field.Type{field.TypeUUID, field.TypeUUID}
	if refers(t, t.Personal.Of) == "" { // it belongs to no row
		columns[1] = "id"
	}
	for _, c := range t.Columns {
		name := memberOf(t, c.Name)
		if name == "" && !(withIDs && c.Name == "id") {
			continue
		}
		kind, from := c.Type, t.Name+`."`+c.Name+`"`
		if shown := t.Personal.Shown[c.Name]; shown != "" {
			kind, from = field.TypeString, path(t, c.Name+"."+shown)
		}
		if name == "" {
			name = "id"
		}
		names, columns, kinds = append(names, name), append(columns, from), append(kinds, kind)
		if currency := t.Personal.Amounts[c.Name]; currency != "" {
			var from []string
			for one := range strings.SplitSeq(currency, ", ") {
				from = append(from, path(t, one))
			}
			names, kinds = append(names, name+" "), append(kinds, field.TypeString)
			columns = append(columns, "COALESCE("+strings.Join(append(from, "NULL"), ", ")+")")
		}
	}
	text, args := "SELECT "+strings.Join(columns, ", ")+" FROM "+t.Name+" WHERE ", []any{}
	if in := shopColumn(t); in != "" {
		text, args = text+t.Name+"."+in+" = $1 AND ", []any{shop}
	}
	for some := range slices.Chunk(ids, together) {
		condition, with := isIn(t.Name+".id", some, args)
		more, err := w.read(ctx, text+condition+" ORDER BY "+t.Name+".id", with, names, kinds)
		if err != nil {
			return nil, fmt.Errorf("export %s: %w", t.Name, err)
		}
		all = append(all, more...)
	}
	return all, nil
}

// read reads the rows of a statement. The first two columns are the ids; after an amount comes its currency, under
// the same name with a blank behind it.
func (w *walker) read(ctx context.Context, text string, args []any, names []string, kinds []field.Type) (
	all []row, err error,
) {
	err = database.EachRow(ctx, w.on, text, args, func(found *sql.Rows) error {
		values, err := database.ScanRow(found, kinds)
		if err != nil {
			return err
		}
		one := row{members: object{}}
		one.id, _ = values[0].(uuid.UUID)
		one.of, _ = values[1].(uuid.UUID)
		for i := 2; i < len(names); i++ {
			name, isCurrency := strings.CutSuffix(names[i], " ")
			value := values[i]
			if minor, is := one.members[name].(int64); is && isCurrency {
				value = money.Amount{Minor: minor, Currency: value.(string)}
			}
			if !isCurrency || value != nil && one.members[name] != nil {
				one.members[name] = value
			}
		}
		all = append(all, one)
		return nil
	})
	return all, err
}

// memberOf returns the name of a column in an export, or "" if it is left out.
func memberOf(t *ent.Table, column string) string {
	p := t.Personal
	if name := p.Named[column]; name != "" {
		return name
	}
	isOwn := column == p.Of && refers(t, column) != ""
	if isOwn || slices.Contains([]string{"id", "tenant_id", "updated_at", "search_text"}, column) ||
		slices.Contains(p.Withheld, column) {
		return ""
	}
	return audit.NameOf(column)
}

// path returns a column of a row, or of a row to which it refers: order_id.price_currency.
func path(t *ent.Table, text string) string {
	column, further, foreign := strings.Cut(text, ".")
	if !foreign {
		return t.Name + "." + column
	}
	to := refers(t, column)
	condition := fmt.Sprintf("other.id = %s.%s", t.Name, column)
	if i := slices.IndexFunc(ent.Tables, func(other ent.Table) bool { return other.Name == to }); i >= 0 {
		if in := shopColumn(&ent.Tables[i]); in != "" {
			condition += fmt.Sprintf(" AND other.%s = %s.%s", in, t.Name, shopColumn(t))
		}
	}
	return fmt.Sprintf("(SELECT other.%s FROM %s AS other WHERE %s)", further, to, condition)
}
