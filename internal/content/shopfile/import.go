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

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/mediafile"
	"storefront/ent/tenant"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
	"storefront/internal/request"
	shops "storefront/internal/shop"
	"storefront/internal/shop/audit"
)

// Imported is the result of an import.
type Imported struct {
	Domain  string
	Shop    uuid.UUID
	Figures *Figures
	New     int // persons without an account here before
	Met     int // persons with one
	// Waiting are the cell numbers of staff who cannot sign in, or have no role, until `staff password`.
	Waiting []string
}

// Options are an operator's decisions about an import.
type Options struct {
	// WithoutCodes is set where no SMS are sent, so that nobody can prove a number. Accounts that are here
	// keep their ways in, and roles of such accounts wait (staff.SetPassword).
	WithoutCodes bool
}

// errIncomplete is the error of a file that is cut off or was changed.
var errIncomplete = errors.New("the file is cut off or damaged")

// ThereError says that the shop of a file exists here already.
type ThereError struct {
	Shop   uuid.UUID
	Domain string
}

func (e *ThereError) Error() string { return "the shop is here already, as " + e.Domain }

// Import writes the shop of a file, and opens the shop. open opens the file, which is read twice: nothing is
// written before its end was seen, and nothing is committed unless the figures of what was written match the
// file's. If done is not nil the shop is here, even with an error.
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
	unlock, err := s.Lock(ctx, "import", head.Domain)
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
		im := importing(tx, head.Shop, all, o)
		if err := im.mustBeNew(ctx, head); err != nil {
			return err
		}
		if err := im.read(ctx, file); err != nil {
			return err
		}
		if err := im.compare(ctx, head, end); err != nil {
			return err
		}
		done = &Imported{Domain: head.Domain, Shop: head.Shop, Figures: end, New: len(im.fresh), Met: im.met}
		if o.WithoutCodes {
			if done.Waiting, err = im.letRolesWait(ctx); err != nil {
				return err
			}
		}
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

// Add writes the rows of a file to a shop that is here. The file may lack tables, and columns that are newer
// than it; its header and figures are ignored. Accounts keep their ways in. fresh are those made for
// persons without one.
func Add(ctx context.Context, tx *ent.Tx, shop uuid.UUID, file io.Reader) (fresh []uuid.UUID, err error) {
	all, err := tables()
	if err != nil {
		return nil, err
	}
	im := importing(tx, shop, all, Options{WithoutCodes: true})
	im.part = true
	err = im.read(ctx, file)
	return im.fresh, err
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
			return nil, nil, fmt.Errorf("%w: it has no end", errIncomplete)
		}
		if head == nil {
			if head, err = readHeader(line); err != nil {
				return nil, nil, err
			}
		}
		if strings.HasPrefix(string(line), `{"end":`) {
			var last trailer
			if err := json.Unmarshal(line, &last); err != nil {
				return nil, nil, fmt.Errorf("%w: %w", errIncomplete, err)
			}
			if last.End == nil || hex.EncodeToString(sum.Sum(nil)) != last.SHA256 {
				return nil, nil, fmt.Errorf("%w: its checksum is another one", errIncomplete)
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

type importer struct {
	tx      *ent.Tx
	dialect string
	options Options
	tables  []*table
	shop    uuid.UUID
	part    bool // whether the file may lack columns

	as       map[string]string  // for persons with an account here, its id by the id in the file
	persons  map[uuid.UUID]bool // the ids here of all persons of the file
	unproven map[uuid.UUID]bool // those with an account here of which nobody has proved the number
	fresh    []uuid.UUID        // those without an account here before
	met      int
	rows     map[string]int64 // of the file, by table
}

func importing(tx *ent.Tx, shop uuid.UUID, all []*table, o Options) *importer {
	return &importer{tx: tx, dialect: tx.Raw().Dialect(), options: o, tables: all, shop: shop,
		as: map[string]string{}, persons: map[uuid.UUID]bool{}, unproven: map[uuid.UUID]bool{},
		rows: map[string]int64{}}
}

// mustBeNew fails for a shop that exists here already, or whose domain belongs to another one.
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
		return &ThereError{Shop: head.Shop, Domain: there[0].Domain}
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
			return err // the first reading has reached the end of the file
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
			return fmt.Errorf("%w: a row stands before its table", errIncomplete)
		}
		if err := to.add(ctx, line); err != nil {
			return fmt.Errorf("read a row of %s: %w", to.name, err)
		}
	}
}

func (im *importer) begin(line []byte) (*writer, error) {
	var of section
	if err := json.Unmarshal(line, &of); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(im.tables, func(t *table) bool { return t.name == of.Table })
	if i < 0 {
		return nil, fmt.Errorf("the file has rows of %q, which is no table that travels", of.Table)
	}
	w := &writer{im: im, table: im.tables[i]}
	if im.part {
		some := *w.table
		some.columns = slices.DeleteFunc(slices.Clone(some.columns), func(c column) bool {
			return !slices.Contains(of.Columns, c.name)
		})
		w.table = &some
	}
	if !slices.EqualFunc(w.columns, of.Columns, func(c column, name string) bool { return c.name == name }) {
		return nil, fmt.Errorf("the file has other columns of %s", of.Table)
	}
	return w, nil
}

// compare fails unless the figures of what was written match the file's.
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
	return im.mustOwnImages(ctx)
}

// mustOwnImages fails for images with addresses of other images: their files are stored and removed by these
// addresses.
func (im *importer) mustOwnImages(ctx context.Context) error {
	all, err := im.tx.MediaFile.Query().Select(mediafile.FieldID, mediafile.FieldAddress).
		All(tenancy.In(ctx, im.shop))
	if err != nil {
		return err
	}
	for _, one := range all {
		a, ok := record.ParseMediaAddress(one.Address)
		if !ok || a.Shop != im.shop || a.ID != one.ID {
			return fmt.Errorf("the image %s has the address of another one", one.ID)
		}
	}
	return nil
}

// mustReferWithin fails for rows that refer to rows of another shop, which foreign keys do not prevent.
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

// note raises the version of the shop's content above any that servers here may have stored from an earlier
// stay, and records the import in the shop's audit log.
func (im *importer) note(ctx context.Context, done *Imported) error {
	_, err := im.tx.ExecContext(ctx, "UPDATE tenants SET content_version = content_version + $1 WHERE id = $2",
		time.Now().UnixMilli(), done.Shop)
	if err != nil {
		return err
	}
	ctx = request.WithStaff(ctx, request.Staff{Business: done.Shop})
	return audit.Record(ctx, im.tx, "importShop", audit.Change{Kind: "tenant", ID: done.Shop, Name: done.Domain,
		After: map[string]any{"domain": done.Domain, "newPersons": done.New, "knownPersons": done.Met}})
}
