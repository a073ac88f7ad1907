package shopfile

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/audit"
	"storefront/internal/auth"
	"storefront/internal/database"
	"storefront/internal/fault"
	shops "storefront/internal/shop"
	"storefront/internal/store"
	"storefront/internal/transaction"
)

// Imported is what an import has written.
type Imported struct {
	Domain  string
	Shop    uuid.UUID
	Figures *Figures
	New     int // persons without an account here before
	Met     int // persons with one
}

// Options are what an operator decides about an import.
type Options struct {
	// Unproven ties persons of the file who have not proved there that their cell number is theirs to the accounts that
	// the numbers have here. Without it such a file is refused.
	Unproven bool
}

// ErrIncomplete is the error of a file that was cut off or changed.
var ErrIncomplete = errors.New("the file is cut off or damaged")

// Import writes the shop of a file, and opens it. open opens the file, which is read twice: nothing is written before
// its end was seen, and nothing is kept unless all its figures are found in what was written.
func Import(
	ctx context.Context, s *store.Store, open func() (io.ReadCloser, error), o Options,
) (done *Imported, err error) {
	all, err := tables()
	if err != nil {
		return nil, err
	}
	head, end, err := check(open)
	if err != nil {
		return nil, err
	}
	unlock, err := s.Lock(ctx, "import "+head.Domain)
	if err != nil {
		return nil, err
	}
	defer unlock()
	err = transaction.Run(ctx, s.Client, func(tx *ent.Tx) error {
		file, err := open()
		if err != nil {
			return err
		}
		defer file.Close()
		im := &importer{tx: tx, dialect: s.Dialect, options: o, tables: all, shop: head.Shop,
			as: map[string]string{}, persons: map[uuid.UUID]bool{}, rows: map[string]int64{}}
		if err := im.mustBeNew(ctx, head); err != nil {
			return err
		}
		if err := im.read(ctx, file); err != nil {
			return err
		}
		if err := im.compare(ctx, head, end); err != nil {
			return err
		}
		done = &Imported{Domain: head.Domain, Shop: head.Shop, Figures: end, New: im.fresh, Met: im.met}
		return im.note(ctx, done)
	})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, t := range all {
		names = append(names, t.name)
	}
	return done, s.Settle(ctx, names...)
}

// check reads a file to its end without writing anything.
func check(open func() (io.ReadCloser, error)) (*header, *Figures, error) {
	file, err := open()
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	sum, in := sha256.New(), bufio.NewReaderSize(file, 64<<10)
	var head *header
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, nil, err
		}
		if err == io.EOF {
			return nil, nil, fmt.Errorf("%w: it has no end", ErrIncomplete)
		}
		if head == nil {
			if head, err = readHeader(line); err != nil {
				return nil, nil, err
			}
		}
		if strings.HasPrefix(string(line), `{"end":`) {
			var last trailer
			if err := json.Unmarshal(line, &last); err != nil {
				return nil, nil, fmt.Errorf("%w: %w", ErrIncomplete, err)
			}
			if last.End == nil || hex.EncodeToString(sum.Sum(nil)) != last.SHA256 {
				return nil, nil, fmt.Errorf("%w: its checksum is another one", ErrIncomplete)
			}
			if _, err := in.ReadByte(); err != io.EOF {
				return nil, nil, errors.New("the file goes on behind its end")
			}
			return head, last.End, nil
		}
		sum.Write(line)
	}
}

func readHeader(line []byte) (*header, error) {
	head := new(header)
	if err := json.Unmarshal(line, head); err != nil || head.Format != format {
		return nil, fmt.Errorf("this is no file of `storefront shop export` in the form %s", format)
	}
	newest, err := migration()
	if err == nil && head.Migration != newest {
		err = fmt.Errorf("the file was written by a program whose newest migration is %s; the newest of this one "+
			"is %s: bring both installations to the same version", head.Migration, newest)
	}
	return head, err
}

// importer writes a file in a transaction.
type importer struct {
	tx      *ent.Tx
	dialect string
	options Options
	tables  []*table
	shop    uuid.UUID

	as         map[string]string  // the id here of each person who has an account here, by that in the file
	persons    map[uuid.UUID]bool // the ids here of all persons of the file; true: they had an account here before
	unproven   int                // those of them who have not proved in the file that the number is theirs
	fresh, met int
	rows       map[string]int64 // of the file, by table
}

// mustBeNew refuses a shop that is here already, or whose domain is another's.
func (im *importer) mustBeNew(ctx context.Context, head *header) error {
	there, err := im.tx.Tenant.Query().Where(tenant.Or(tenant.ID(head.Shop), tenant.Domain(head.Domain))).All(ctx)
	switch {
	case err != nil:
		return err
	case len(there) == 0:
		_, err := shops.Find(ctx, im.tx.Client(), head.Domain)
		if ent.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
	case there[0].ID == head.Shop:
		return fmt.Errorf("the shop is here already, as %s", there[0].Domain)
	}
	return fmt.Errorf("there is another shop with the domain %s", head.Domain)
}

// read reads all lines between the first and the last and writes their rows.
func (im *importer) read(ctx context.Context, file io.Reader) error {
	in := bufio.NewReaderSize(file, 64<<10)
	if _, err := in.ReadBytes('\n'); err != nil { // the header
		return err
	}
	var to *writer
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return err // the file was read to its end before
		}
		if line[0] == '{' {
			if err := to.flush(ctx); err != nil {
				return err
			}
			if strings.HasPrefix(string(line), `{"end":`) {
				return nil
			}
			if to, err = im.begin(line); err != nil {
				return err
			}
			continue
		}
		if to == nil {
			return fmt.Errorf("%w: a row stands before its table", ErrIncomplete)
		}
		if err := to.add(ctx, line); err != nil {
			return fmt.Errorf("read a row of %s: %w", to.name, err)
		}
	}
}

// begin begins with the rows of a table.
func (im *importer) begin(line []byte) (*writer, error) {
	var of section
	if err := json.Unmarshal(line, &of); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(im.tables, func(t *table) bool { return t.name == of.Table })
	if i < 0 {
		return nil, fmt.Errorf("the file has rows of %q, which is no table that travels", of.Table)
	}
	w := &writer{im: im, table: im.tables[i], columns: im.tables[i].written()}
	if !slices.EqualFunc(w.columns, of.Columns, func(c column, name string) bool { return c.name == name }) {
		return nil, fmt.Errorf("the file has other columns of %s", of.Table)
	}
	return w, nil
}

// compare fails unless what was written is what the file says.
func (im *importer) compare(ctx context.Context, head *header, want *Figures) error {
	got, err := figuresOf(ctx, im.tx.Raw(), im.tables, head.Shop)
	if err != nil {
		return err
	}
	for _, t := range im.tables {
		if t.shop == "" {
			got.Rows[t.name] = im.rows[t.name]
		}
	}
	if err := want.differs(got); err != nil {
		return fmt.Errorf("what was written is not what the file has; nothing is kept: %w", err)
	}
	for _, t := range im.tables {
		if err := im.mustReferWithin(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// mustReferWithin refuses rows that name those of another shop: foreign keys do not tell shops apart.
func (im *importer) mustReferWithin(ctx context.Context, t *table) error {
	for _, r := range t.refers {
		to := im.tables[slices.IndexFunc(im.tables, func(other *table) bool { return other.name == r.to })]
		if t.shop == "" || to.shop == "" {
			continue
		}
		var n int64
		text := database.Statement(fmt.Sprintf(`SELECT count(*)
			FROM %[1]s AS mine LEFT JOIN %[3]s AS other ON other.id = mine.%[2]s AND other.%[4]s = mine.%[5]s
			WHERE mine.%[5]s = $shop AND mine.%[2]s IS NOT NULL AND other.id IS NULL`,
			t.name, r.column, to.name, to.shop, t.shop))
		if _, err := text.Row(ctx, im.tx.Raw(), database.Values{"shop": im.shop}, &n); err != nil {
			return fmt.Errorf("look at what rows of %s name: %w", t.name, err)
		}
		if n > 0 {
			return fmt.Errorf("%d rows of %s name a row of %s that is another shop's", n, t.name, to.name)
		}
	}
	return nil
}

// note raises the version of the shop's content above all that servers here may remember of an earlier stay, and
// writes the import to the shop's audit log.
func (im *importer) note(ctx context.Context, done *Imported) error {
	_, err := im.tx.ExecContext(ctx, "UPDATE tenants SET content_version = content_version + $1 WHERE id = $2",
		time.Now().UnixMilli(), done.Shop)
	if err != nil {
		return err
	}
	ctx = auth.WithStaff(ctx, auth.Staff{Business: done.Shop})
	return audit.Record(ctx, im.tx, "importShop", audit.Change{Kind: "tenant", ID: done.Shop, Name: done.Domain,
		After: map[string]any{"domain": done.Domain, "newPersons": done.New, "knownPersons": done.Met}})
}

// writer writes the rows of one table, some with each statement.
type writer struct {
	im *importer
	*table
	columns []column
	rows    [][]any
	parents [][2]any // of rows that refer to others of the table: both ids
}

// add takes a row of the file.
func (w *writer) add(ctx context.Context, line []byte) error {
	w.im.rows[w.name]++
	var texts []json.RawMessage
	if err := json.Unmarshal(w.im.renamed(w.table, line), &texts); err != nil {
		return err
	}
	if len(texts) != len(w.columns) {
		return fmt.Errorf("it has %d values in %d columns", len(texts), len(w.columns))
	}
	row := make([]any, len(texts))
	for i, text := range texts {
		value, err := read(w.columns[i].kind, text)
		if err != nil {
			return fmt.Errorf("%s: %w", w.columns[i].name, err)
		}
		if w.columns[i].name == w.itself && value != nil { // its row may come later
			w.parents = append(w.parents, [2]any{row[0], value})
			value = nil
		}
		row[i] = value
	}
	if err := w.mustBeOfFile(row); err != nil {
		return err
	}
	if w.rows = append(w.rows, row); len(w.rows) < rowsTogether {
		return nil
	}
	return w.write(ctx)
}

// mustBeOfFile refuses a row of another shop, of the service itself, such as the role of its operator, or of a person
// whom the file does not have: nothing that is here already is a file's to change.
func (w *writer) mustBeOfFile(row []any) error {
	for i, c := range w.columns {
		if c.name == w.shop && row[i] != w.im.shop {
			return fmt.Errorf("%s is %v, which is not the shop of the file", c.name, row[i])
		}
		id, is := row[i].(uuid.UUID)
		if _, known := w.im.persons[id]; is && !known && slices.Contains(w.refers, reference{c.name, "users"}) {
			return fmt.Errorf("%s is %v, which is no person of the file", c.name, id)
		}
	}
	return nil
}

// flush writes what is left. A nil writer has nothing.
func (w *writer) flush(ctx context.Context) error {
	if w == nil {
		return nil
	}
	if err := w.write(ctx); err != nil {
		return err
	}
	for _, one := range w.parents {
		text := fmt.Sprintf(`UPDATE %s SET %s = $1 WHERE id = $2 AND %s = $3`, w.name, w.itself, w.shop)
		if _, err := w.im.tx.ExecContext(ctx, text, one[1], one[0], w.im.shop); err != nil {
			return fmt.Errorf("write %s: %w", w.name, err)
		}
	}
	w.parents = nil
	if w.im.unproven > 0 && !w.im.options.Unproven {
		return fmt.Errorf("%d persons of the shop have an account here by their cell number, but nobody has proved "+
			"where the file comes from that the numbers are theirs, or they work here and only the file "+
			"has the proof; "+
			"where you know it, import with -unproven",
			w.im.unproven)
	}
	return nil
}

// write writes the rows that were taken.
func (w *writer) write(ctx context.Context) error {
	rows := w.rows
	w.rows = nil
	var err error
	switch {
	case w.name == "users":
		rows, err = w.im.meet(ctx, w.columns, rows)
	case w.person != "":
		rows = w.im.ofNew(w.columns, w.person, rows)
	}
	if err == nil && slices.Contains(tablesOfDomains, w.name) {
		err = w.mustLeadNowhere(ctx, rows)
	}
	if err != nil {
		return err
	}
	together := 1 // SQLite is in this process, and its driver takes time by the square of the arguments
	if w.im.dialect == dialect.Postgres {
		together = 100
	}
	for some := range slices.Chunk(rows, together) {
		var args []any
		for _, row := range some {
			args = append(args, row...)
		}
		result, err := w.im.tx.ExecContext(ctx, w.insert(len(some)), args...)
		if ent.IsConstraintError(err) {
			return fmt.Errorf("a row of %s cannot be written beside what is here already: %w", w.name, err)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", w.name, err)
		}
		if n, err := result.RowsAffected(); err != nil || n != int64(len(some)) {
			return fmt.Errorf("write %s: %d rows of %d were written (%w)", w.name, n, len(some), err)
		}
	}
	return nil
}

// tablesOfDomains are those whose column "domain" says what leads to a shop.
var tablesOfDomains = []string{"tenants", "domain_aliases"}

// mustLeadNowhere refuses a shop of which a domain leads to another shop here.
func (w *writer) mustLeadNowhere(ctx context.Context, rows [][]any) error {
	at := slices.IndexFunc(w.columns, func(c column) bool { return c.name == "domain" })
	var domains, taken []string
	for _, row := range rows {
		domains = append(domains, fmt.Sprint(row[at]))
	}
	slices.Sort(domains) // two imports lock the same ones in the same order
	for _, domain := range domains {
		err := shops.MustBeFree(ctx, w.im.tx, domain)
		if fault.Is(err, fault.Conflict) {
			taken = append(taken, domain)
		} else if err != nil {
			return err
		}
	}
	if len(taken) > 0 {
		return fmt.Errorf("domains of the shop lead to other shops here: %s; `storefront tenant unalias` takes one "+
			"from its shop, here or before the export", strings.Join(taken, ", "))
	}
	return nil
}

// insert is the statement for so many rows.
func (w *writer) insert(rows int) string {
	var names, groups []string
	for _, c := range w.columns {
		names = append(names, `"`+c.name+`"`)
	}
	for i := range rows {
		places := make([]string, len(names))
		for j := range places {
			places[j] = fmt.Sprintf("$%d", i*len(names)+j+1)
		}
		groups = append(groups, "("+strings.Join(places, ", ")+")")
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", w.name, strings.Join(names, ", "), strings.Join(groups, ", "))
}
