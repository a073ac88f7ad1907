package media

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/mediafile"
	"storefront/ent/receipt"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/media/blob"
	"storefront/internal/media/imagefile"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Carried counts the images or receipts of a shop that were copied from one store to another.
type Carried struct {
	Files, New int
	Lost       []string // addresses of the images, or keys of the receipts, whose files are missing at the source
}

// list is the list of images that CopyOut stores beside their files: what a bundle does not contain about
// them.
type list struct {
	Format string   `json:"format"`
	Images []listed `json:"images"`
}

type listed struct {
	Address string  `json:"address"`
	Name    *string `json:"name,omitempty"`
	AltFa   *string `json:"altFa,omitempty"`
	AltEn   *string `json:"altEn,omitempty"`
}

const (
	listKey    = "media.json"
	listFormat = "storefront-media/1"
	mostList   = 256 << 20 // bytes
)

// CopyOut copies the files of a shop's images to another store, with a list of them. It skips files that are
// there already, so it may be repeated.
func (s *Service) CopyOut(ctx context.Context, shop uuid.UUID, to blob.Store) (c Carried, err error) {
	files, c, err := s.copy(ctx, shop, s.Files, to, func(*ent.MediaFile) error { return nil })
	if err != nil {
		return c, err
	}
	all := list{Format: listFormat, Images: []listed{}}
	for _, f := range files {
		all.Images = append(all.Images, listed{Address: f.Address, Name: f.Name, AltFa: f.AltFa, AltEn: f.AltEn})
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return c, err
	}
	return c, to.Put(ctx, listKey, bytes.NewReader(text), int64(len(text)))
}

// CopyIn copies the files of a shop's images from another store, as far as they are missing here.
func (s *Service) CopyIn(ctx context.Context, shop uuid.UUID, from blob.Store) (Carried, error) {
	_, c, err := s.copy(ctx, shop, from, s.Files, func(f *ent.MediaFile) error {
		_, err := alone.Exec(ctx, s.Store.Raw(), database.Values{"tenant": shop, "image": f.ID})
		return err
	})
	return c, err
}

// alone says that nothing is stored but the image itself: narrower ones are made again.
var alone = database.Statement("UPDATE media_files SET total_size = size WHERE tenant_id = $tenant AND id = $image")

// copy copies the files of a shop's images, and calls came after each that was not there.
func (s *Service) copy(
	ctx context.Context, shop uuid.UUID, from, to blob.Store, came func(*ent.MediaFile) error,
) (files []*ent.MediaFile, c Carried, err error) {
	files, err = s.Store.MediaFile.Query().Order(mediafile.ByID()).All(tenancy.In(ctx, shop))
	for _, f := range files {
		a, ok := record.ParseMediaAddress(f.Address)
		if !ok || a.Shop != f.TenantID || a.ID != f.ID {
			return nil, c, fmt.Errorf("copy %s: it is no address of this image", f.Address)
		}
		had := c.New
		if err := c.copy(ctx, a.Key(), f.Size, f.Address, from, to); err != nil {
			return nil, c, err
		}
		if c.New > had {
			if err := came(f); err != nil {
				return nil, c, err
			}
		}
	}
	return files, c, err
}

// CopyReceipts copies the files of a shop's receipts from one place to another, except those that are there already.
func (s *Service) CopyReceipts(ctx context.Context, shop uuid.UUID, from, to blob.Store) (c Carried, err error) {
	receipts, err := s.Store.Receipt.Query().Order(receipt.ByID()).All(tenancy.In(ctx, shop))
	for _, r := range receipts {
		key := receiptKey(shop, r.ID)
		if err := c.copy(ctx, key, r.Size, key, from, to); err != nil {
			return c, err
		}
	}
	return c, err
}

// copy copies and counts a file. name is what messages call it.
func (c *Carried) copy(ctx context.Context, key string, size int64, name string, from, to blob.Store) error {
	isNew, err := copyFile(ctx, key, size, from, to)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		c.Lost = append(c.Lost, name)
	case err != nil:
		return fmt.Errorf("copy %s: %w", name, err)
	case isNew:
		c.New++
	}
	c.Files++
	return nil
}

// copyFile copies a file, unless the target has it with the same size. isNew reports whether it was copied.
func copyFile(ctx context.Context, key string, size int64, from, to blob.Store) (isNew bool, err error) {
	there, err := to.Open(ctx, key)
	if err == nil {
		_ = there.Close()
		if there.Size == size {
			return false, nil
		}
	} else if !errors.Is(err, blob.ErrNotFound) {
		return false, err
	}
	file, err := from.Open(ctx, key)
	if err != nil {
		return false, err
	}
	defer file.Close()
	if file.Size != size { // incomplete
		return false, blob.ErrNotFound
	}
	return true, to.Put(ctx, key, file, file.Size)
}

// CarryIn stores the images that CopyOut has copied elsewhere as images of a shop, and returns their
// addresses and ids here. Each is decoded like an upload, and stored as it is; an image that the shop has already is
// kept, so CarryIn may be repeated.
func (s *Service) CarryIn(ctx context.Context, shop uuid.UUID, from blob.Store) (r *Renaming, c Carried, err error) {
	ctx = request.WithStaff(ctx, request.Staff{Business: shop}) // a command acts, so there is no user
	all, err := readList(ctx, from)
	if err != nil {
		return nil, c, err
	}
	r = &Renaming{addresses: map[string]record.MediaAddress{}, ids: map[string]string{}}
	for _, one := range all.Images {
		a, ok := record.ParseMediaAddress(one.Address)
		if !ok || a.Scaled > 0 {
			return nil, c, fmt.Errorf("%q in %s is no address of an image", one.Address, listKey)
		}
		c.Files++
		kept, isNew, err := s.carryOne(ctx, shop, one, a, from)
		if errors.Is(err, blob.ErrNotFound) {
			c.Lost = append(c.Lost, one.Address)
			continue
		}
		if err != nil {
			return nil, c, fmt.Errorf("keep %s: %w", one.Address, err)
		}
		if isNew {
			c.New++
		}
		r.add(a, kept)
	}
	return r, c, nil
}

func (s *Service) carryOne(
	ctx context.Context, shop uuid.UUID, image listed, a record.MediaAddress, from blob.Store,
) (kept *ent.MediaFile, isNew bool, err error) {
	file, err := from.Open(ctx, a.Key())
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	if file.Size > imagefile.MostBytes {
		return nil, false, tooLong()
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, false, err
	}
	kept, isNew, err = s.Keep(ctx, Upload{Shop: shop, Name: image.Name, AsSent: true}, imagefile.Bytes(data))
	if err != nil || !isNew || image.AltFa == nil && image.AltEn == nil {
		return kept, isNew, err
	}
	kept, err = s.Update(ctx, shop, kept.ID, Texts{AltFa: &image.AltFa, AltEn: &image.AltEn}, nil)
	return kept, isNew, err
}

func readList(ctx context.Context, from blob.Store) (*list, error) {
	file, err := from.Open(ctx, listKey)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, fmt.Errorf("there is no %s: the folder is none that an export has written", listKey)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all := new(list)
	err = json.NewDecoder(io.LimitReader(file, mostList)).Decode(all)
	if err == nil && all.Format != listFormat {
		err = fmt.Errorf("its format is %q, and this version reads %s", all.Format, listFormat)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", listKey, err)
	}
	return all, nil
}

// Renaming maps the addresses and ids of images elsewhere to those of their copies in a shop.
type Renaming struct {
	addresses map[string]record.MediaAddress // by the part of an address from MediaPath to the end of the size
	ids       map[string]string
}

func (r *Renaming) add(from record.MediaAddress, kept *ent.MediaFile) {
	to, _ := record.ParseMediaAddress(kept.Address) // the address was made by the service
	r.addresses[core(from)], r.ids[from.ID.String()] = to, to.ID.String()
}

// Changes reports whether any image has another address or id here.
func (r *Renaming) Changes() bool {
	for from, to := range r.addresses {
		if from != core(to) {
			return true
		}
	}
	return false
}

// core returns the common part of the addresses of an image and its smaller versions.
func core(a record.MediaAddress) string {
	key := a.Key()
	return key[:len(key)-len(a.Extension)-1]
}

const idForm = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`

// nameForm matches an id that is a whole JSON string, and addresses of images within texts, from MediaPath
// to the end of the size, whatever precedes them.
var nameForm = regexp.MustCompile(`"(` + idForm + `)"|` +
	`(?:https?://[^\s"'\\<>()]*?)?/media/(` + idForm + `/` + idForm + `/[0-9a-f]{16}-[0-9]{1,5}x[0-9]{1,5})`)

// in replaces the ids and addresses in a line.
func (r *Renaming) in(line []byte) []byte {
	return nameForm.ReplaceAllFunc(line, func(match []byte) []byte {
		found := nameForm.FindSubmatch(match)
		if id := found[1]; id != nil {
			if to, known := r.ids[string(id)]; known {
				return []byte(`"` + to + `"`)
			}
			return match
		}
		if to, known := r.addresses[string(found[2])]; known {
			return []byte(to.Base + record.MediaPath + core(to))
		}
		return match
	})
}

// Open wraps open so that the ids and addresses in the JSON file are replaced; a gzipped file is unpacked.
// Line breaks are kept.
func (r *Renaming) Open(open func() (io.ReadCloser, error)) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		file, err := open()
		if err != nil {
			return nil, err
		}
		text := bufio.NewReaderSize(file, 64<<10)
		if magic, _ := text.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
			unpacked, err := gzip.NewReader(text)
			if err != nil {
				return nil, errors.Join(err, file.Close())
			}
			text = bufio.NewReaderSize(unpacked, 64<<10)
		}
		return &renamed{r: r, file: file, text: text}, nil
	}
}

// renamed is a reader that replaces ids and addresses.
type renamed struct {
	r    *Renaming
	file io.Closer
	text *bufio.Reader
	rest []byte
	err  error
}

func (f *renamed) Read(to []byte) (int, error) {
	for len(f.rest) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		f.rest, f.err = f.text.ReadBytes('\n')
		f.rest = f.r.in(f.rest)
	}
	n := copy(to, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

func (f *renamed) Close() error { return f.file.Close() }
