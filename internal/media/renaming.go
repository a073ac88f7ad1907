package media

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"regexp"

	"storefront/ent"
	"storefront/internal/record"
)

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
