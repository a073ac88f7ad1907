package bundle

import (
	"context"
	"fmt"
	"slices"

	"storefront/internal/content/document"

	"storefront/ent"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
)

// The check of a bundle reads the shop without a lock. Others may change the shop before and between the
// transactions that write. So each transaction reads the records it writes again, under the lock of the
// shop's content, and keeps members that the bundle does not name as they are then. Elements that have become
// invalid are left out and reported.

// write writes the elements that differ, the tenant and its categories first, and returns what was written.
// Elements that no longer differ, because others wrote the same, count as unchanged.
func (im *importer) write(ctx context.Context, open Opener, found *outline) (Summary, error) {
	im.writing = true
	for _, keys := range im.indexes {
		keys.checked = true
	}
	var sections []string
	for _, name := range found.sections {
		if name != "tenant" && name != "categories" && im.differs[name] != nil {
			sections = append(sections, name)
		}
	}
	parts := im.firstParts()
	if len(parts)+len(sections) == 0 && !im.moving {
		return im.summary, nil
	}
	w := newWriter(im.client, im.tenant, im.mostShare)
	w.version, w.im, im.writer = im.version, im, w
	wanted := func(section string, index int) bool { return im.differs[section][max(index, 0)] != unchanged }
	err := w.run(ctx, im.atomic, func(ctx context.Context) error {
		if err := w.write(ctx, parts...); err != nil {
			return err
		}
		return walkSections(ctx, open, sections, wanted, &im.faults, im.writeBatch)
	}, im.finishMoves)
	switch {
	case err != nil:
		stopped := &Stopped{im.written(w.done, false), transaction.Unheard(err), err}
		return stopped.Done, stopped
	case w.left.Any():
		_ = w.left.Err() // in the order of the file
		return im.written(w.done, false), &LeftOut{&w.left}
	}
	return im.written(w.done, true), nil
}

// written returns the summary of the records that were written. If all were written, the others count as
// unchanged.
func (im *importer) written(done Sections, all bool) Summary {
	summary := im.summary
	summary.Sections = Sections{}
	for section, found := range im.summary.Sections {
		c := Counts{Created: done[section].Created, Updated: done[section].Updated, Moved: done[section].Moved}
		if all {
			c.Unchanged = found.Created + found.Updated + found.Unchanged - c.Created - c.Updated
		}
		summary.Sections[section] = c
	}
	summary.Created = done["tenant"].Created > 0
	return summary
}

// firstParts returns the parts of the tenant, the entry in the audit log, and the categories.
func (im *importer) firstParts() (parts []*part) {
	if im.tenantNode != nil {
		parts = im.parts("tenant", []*document.Node{im.tenantNode}, im.mostShare)
	}
	parts = append(parts, im.parts("categories", im.categoryNodes, im.mostShare)...)
	if im.noted != nil && len(im.differs) > 0 {
		at := 0
		if im.fresh {
			at = 1
		}
		parts = slices.Insert(parts, at, im.note())
	}
	return parts
}

// writeBatch passes elements of a section that differ to the writer. It is a taker.
func (im *importer) writeBatch(ctx context.Context, section string, batch []*document.Node, last bool) error {
	parts := im.parts(section, batch, im.unitWeight)
	im.report(section, batch, last)
	return im.writer.write(ctx, parts...)
}

// parts divides elements of a section into parts of up to a weight.
func (im *importer) parts(section string, batch []*document.Node, most int) (parts []*part) {
	for len(batch) > 0 {
		n, weight := upTo(most, batch, func(n *document.Node) int { return n.Weight })
		// categories may refer to those before, and each section to another
		after := section == "categories" || section != im.section
		parts = append(parts, &part{weight: weight, after: after, plan: im.planner(section, batch[:n])})
		im.section, batch = section, batch[n:]
	}
	return parts
}

// planner returns a function that plans the changes of some elements, in the transaction that writes them. It
// leaves out elements that have become invalid since the check, but fails if the import is atomic, or if
// others refer to the elements.
func (im *importer) planner(section string, batch []*document.Node) func(ctx context.Context, tx *ent.Tx) (*unit, error) {
	return func(ctx context.Context, tx *ent.Tx) (*unit, error) {
		defer im.within(tx)()
		planned, faults, err := im.try(ctx, section, batch)
		if err != nil || !faults.Any() {
			return planned, err
		}
		if im.atomic || section == "tenant" || section == "categories" {
			return nil, fmt.Errorf("the shop was changed during the import: %w", faults.Err())
		}
		whole := new(unit)
		for _, n := range batch {
			planned, faults, err := im.try(ctx, section, []*document.Node{n})
			if err != nil {
				return nil, err
			}
			if faults.Any() {
				whole.left.Join(faults)
				continue
			}
			whole.join(planned)
		}
		return whole, nil
	}
}

// within makes the importer read in a transaction, until the returned function is called.
func (im *importer) within(tx *ent.Tx) (end func()) {
	outside := im.client
	im.client = tx.Client()
	return func() { im.client = outside }
}

// try plans some elements and returns their faults.
func (im *importer) try(ctx context.Context, section string, batch []*document.Node) (planned *unit, faults document.Faults, err error) {
	im.unit = new(unit)
	im.mixed, im.leftOver = nil, nil
	if err = im.takeSome(ctx, section, batch); err == nil {
		im.finishVariants()
	}
	faults, im.faults = im.faults, document.Faults{}
	return im.unit, faults, err
}

// renew discards what was read of the shop before others changed it.
func (im *importer) renew(ctx context.Context, tx *ent.Tx) error {
	defer im.within(tx)()
	im.fresh, im.renewed = false, true
	for _, keys := range im.indexes {
		keys.renew()
	}
	return im.loadCategories(tenancy.In(ctx, im.tenant))
}
