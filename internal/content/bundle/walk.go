package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/content/document"
	"storefront/internal/platform/goroutine"
)

// needs are the members of a bundle, each with those that must be read before it, because its records refer to theirs.
var needs = map[string][]string{
	"tenant":          nil,
	"profile":         {"tenant"},
	"brands":          {"tenant"},
	"categories":      {"tenant"},
	"products":        {"tenant", "brands", "categories"},
	"userProducts":    {"tenant", "categories"},
	"blogs":           {"tenant", "categories"},
	"portfolios":      {"tenant", "categories"},
	"sliders":         {"tenant"},
	"categoryGroups":  {"tenant", "categories"},
	"brandGroups":     {"tenant", "brands"},
	"specials":        {"tenant", "products"},
	"deliveryMethods": {"tenant"},
	"taxRates":        {"tenant"},
	"comments":        {"tenant", "products", "blogs", "portfolios"},
	"expertReviews":   {"tenant", "products"},
}

// shapeOf returns the JSON kind of a member: an object for two of them, else a list.
func shapeOf(section string) jsontext.Kind {
	if section == "tenant" || section == "profile" {
		return '{'
	}
	return '['
}

const (
	batchSize  = 500     // elements that are looked up together; of categories all, as each may refer to later ones
	batchBytes = 4 << 20 // bytes of their text; two batches are in memory
	weightSize = 4 << 10 // this many bytes of an element's text weigh like one more record
)

// taker takes the elements of a section in the order of the file, some at a time. last reports that no more
// come.
type taker func(ctx context.Context, section string, batch []*document.Node, last bool) error

// read is a batch for a taker, with the faults of its text.
type read struct {
	section string
	batch   []*document.Node
	last    bool
	faults  document.Faults
}

// errUnread is the error of a reading that panicked.
var errUnread = errors.New("read the bundle: reading did not come to its end")

// walkSections reads the sections of a bundle, each after those that it needs. It takes one pass over the
// file if its members are in such an order, otherwise a few. wanted reports which elements are taken; nil:
// all. Elements are read ahead while earlier ones are taken.
func walkSections(ctx context.Context, open Opener, sections []string, wanted func(section string, index int) bool,
	faults *document.Faults, take taker) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	reads := make(chan read)
	failed := errUnread
	goroutine.Start("reading a bundle", func() {
		defer close(reads)
		failed = readSections(open, sections, wanted, func(r read) error {
			select {
			case reads <- r:
				return nil
			case <-reading.Done():
				return reading.Err()
			}
		})
	})
	for r := range reads {
		faults.Join(r.faults)
		if err := take(ctx, r.section, r.batch, r.last); err != nil {
			stop()
			for range reads { // until the file is closed
			}
			return err
		}
	}
	return failed
}

// readSections reads the sections of a bundle in an order in which they can be taken.
func readSections(open Opener, sections []string, wanted func(section string, index int) bool,
	give func(read) error) error {
	waiting := map[string]bool{}
	for _, name := range sections {
		waiting[name] = true
	}
	for len(waiting) > 0 {
		before := len(waiting)
		if err := walkOnce(open, waiting, wanted, give); err != nil {
			return err
		}
		if len(waiting) == before {
			return fmt.Errorf("read the bundle: it changed meanwhile")
		}
	}
	return nil
}

// walkOnce reads a bundle once. It passes on the waiting sections whose turn it is, and deletes them from
// waiting.
func walkOnce(open Opener, waiting map[string]bool, wanted func(string, int) bool, give func(read) error) error {
	src, err := document.OpenSource(open)
	if err != nil {
		return err
	}
	defer src.Close()
	w := &walker{Source: src, wanted: wanted, give: give}
	w.tree = document.NewTree(&w.faults)
	w.Permit(anySize)
	if _, err := w.Decoder.ReadToken(); err != nil {
		return fmt.Errorf("read the bundle: %w", err)
	}
	for len(waiting) > 0 && w.Decoder.PeekKind() == '"' {
		token, err := w.Decoder.ReadToken()
		if err != nil {
			return fmt.Errorf("read the bundle: %w", err)
		}
		name := token.String()
		if !waiting[name] || mustWait(name, waiting) || w.Decoder.PeekKind() != shapeOf(name) {
			w.Permit(anySize)
			if err := w.Decoder.SkipValue(); err != nil {
				return fmt.Errorf("read the bundle: %w", err)
			}
			continue
		}
		if err := w.section(name); err != nil {
			return err
		}
		delete(waiting, name)
	}
	return nil
}

func mustWait(name string, waiting map[string]bool) bool {
	for _, first := range needs[name] {
		if waiting[first] {
			return true
		}
	}
	return false
}

// walker reads the sections of a bundle in one pass.
type walker struct {
	*document.Source
	tree   *document.Tree
	wanted func(section string, index int) bool // the elements to be taken; nil: all
	faults document.Faults                      // of what was read since the last batch
	give   func(read) error
}

// take passes a batch to the taker, with its faults.
func (w *walker) take(section string, batch []*document.Node, last bool) error {
	faults := w.faults
	w.faults = document.Faults{}
	return w.give(read{section: section, batch: batch, last: last, faults: faults})
}

func (w *walker) section(name string) error {
	top := &document.Node{Parent: &document.Node{}, Name: name, Index: -1}
	if shapeOf(name) == '{' {
		one, _, err := w.element(top.Parent, name, -1)
		if err != nil {
			return err
		}
		return w.take(name, one, true)
	}
	if _, err := w.Decoder.ReadToken(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	var batch []*document.Node
	bytes := 0
	for index := 0; w.more(); index++ {
		if w.wanted != nil && !w.wanted(name, index) {
			if err := w.Decoder.SkipValue(); err != nil {
				return fmt.Errorf("read %s: %w", name, err)
			}
			continue
		}
		one, size, err := w.element(top, "", index)
		if err != nil {
			return err
		}
		batch, bytes = append(batch, one...), bytes+size
		if name != "categories" && (len(batch) >= batchSize || bytes >= batchBytes) {
			if err := w.take(name, batch, false); err != nil {
				return err
			}
			batch, bytes = nil, 0
		}
	}
	if _, err := w.Decoder.ReadToken(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return w.take(name, batch, true)
}

// more reports whether the current list has more items.
func (w *walker) more() bool {
	w.Permit(maxElement)
	return w.Decoder.PeekKind() != ']'
}

// element reads the next value, which must be an object, and returns it with the size of its text. For a
// faulty value it adds the faults and returns no node.
func (w *walker) element(parent *document.Node, name string, index int) ([]*document.Node, int, error) {
	w.Permit(maxElement)
	raw, err := w.Decoder.ReadValue()
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", (&document.Node{Parent: parent, Name: name, Index: index}).Path(), err)
	}
	line, column := w.Position(w.Decoder.InputOffset() - int64(len(raw)))
	one := w.tree.Parse(raw, parent, name, index, line, column)
	if one == nil {
		return nil, len(raw), nil
	}
	if one.Kind != '{' {
		w.tree.Faults.Add(one, "must be an object")
		return nil, len(raw), nil
	}
	one.Weight = 1 + len(raw)/weightSize
	if variants := one.Member("variants"); variants != nil {
		one.Weight += len(variants.Children)
	}
	return []*document.Node{one}, len(raw), nil
}

// DomainOf returns the domain of a bundle's tenant, as written there. It does not check the rest of the
// bundle.
func DomainOf(open Opener) (domain string, err error) {
	waiting := map[string]bool{"tenant": true}
	err = walkOnce(open, waiting, nil, func(r read) error {
		for _, n := range r.batch {
			domain = cmp.Or(n.Member("domain"), &document.Node{}).Text
		}
		return nil
	})
	if err == nil && len(waiting) > 0 {
		err = fmt.Errorf("the bundle has no tenant")
	}
	return domain, err
}
