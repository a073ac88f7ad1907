package bundle

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/content/document"
	"storefront/internal/content/moves"
	"storefront/internal/content/plan"
	"storefront/internal/content/stored"
	"storefront/internal/database/transaction"
	"storefront/internal/shop/audit"
)

// The check of a bundle reads the shop without a lock. Others may change the shop before and between the
// transactions that write. So each transaction reads the records it writes again, under the lock of the
// shop's content, and keeps members that the bundle does not name as they are then. Elements that have become
// invalid are left out and reported.

// written is what an import has written.
type written struct {
	done    Sections
	left    document.Faults // the faults for which elements were left out
	entered bool            // the audit log has its entry
	pause   time.Duration   // before the next transaction
}

// write writes the elements that differ, the tenant and its categories first, and returns what was written.
// Elements that no longer differ, because others wrote the same, count as unchanged.
func (im *importer) write(ctx context.Context) (Summary, error) {
	if len(im.differs) == 0 && !im.moving {
		return im.summary, nil
	}
	im.memory.Checked = true
	im.terms.Audited = im.sheet.Kind != "" // other files have only the entry of the import: they may be of any size
	err := im.writeAll(ctx)
	if err == nil && im.moving {
		err = moves.FinishShop(ctx, im.store, im.summary.Tenant, im.rest, func(done, total int) {
			im.progress(Progress{Section: "moved categories", Done: done, Total: total, Writing: true})
		})
	}
	switch {
	case err != nil:
		stopped := &Stopped{im.summarized(false), transaction.Unheard(err), err}
		return stopped.Done, stopped
	case im.written.left.Any():
		_ = im.written.left.Err() // in the order of the file
		return im.summarized(false), &LeftOut{&im.written.left}
	}
	return im.summarized(true), nil
}

// part is some elements of a section.
type part struct {
	section string
	batch   []*document.Node
}

// writeAll writes all elements that differ, in transactions of stepSize, or in one.
func (im *importer) writeAll(ctx context.Context) error {
	if im.atomic && len(im.differs) > 0 { // otherwise there is only what earlier moves have left
		im.terms.AtOnce = plan.All
		return im.inTransaction(ctx, func(ctx context.Context, s *step) error { return im.eachStep(ctx, s.write) })
	}
	return im.eachStep(ctx, func(ctx context.Context, parts []part) error {
		return im.inTransaction(ctx, func(ctx context.Context, s *step) error { return s.write(ctx, parts) })
	})
}

// eachStep passes the elements that differ to write, up to stepSize at a time.
func (im *importer) eachStep(ctx context.Context, write func(ctx context.Context, parts []part) error) error {
	var waiting []part
	room := im.stepSize
	flush := func(ctx context.Context) (err error) {
		if len(waiting) > 0 {
			err = write(ctx, waiting)
		}
		waiting, room = nil, im.stepSize
		return err
	}
	add := func(ctx context.Context, section string, batch []*document.Node, last bool) error {
		for rest := batch; len(rest) > 0; {
			n, weight := 0, 0
			for n < len(rest) && weight+rest[n].Weight <= room {
				weight += rest[n].Weight
				n++
			}
			if n == 0 && len(waiting) == 0 {
				n, weight = 1, room
			}
			if n > 0 {
				waiting = append(waiting, part{section, rest[:n]})
			}
			room -= weight
			if rest = rest[n:]; len(rest) > 0 {
				if err := flush(ctx); err != nil {
					return err
				}
			}
		}
		im.report(section, batch, last)
		return nil
	}
	if err := add(ctx, "tenant", im.tenant, true); err != nil {
		return err
	}
	if err := add(ctx, "categories", im.categories, true); err != nil {
		return err
	}
	var sections []string
	for _, name := range im.outline.sections {
		if name != "tenant" && name != "categories" && im.differs[name] != nil {
			sections = append(sections, name)
		}
	}
	wanted := func(section string, index int) bool {
		return index < len(im.differs[section]) && im.differs[section][index] != stored.Unchanged
	}
	if err := walkSections(ctx, im.open, sections, wanted, &im.faults, add); err != nil {
		return err
	}
	return flush(ctx)
}

// step is a transaction of an import.
type step struct {
	im      *importer
	tx      *ent.Tx
	planner *plan.Planner
	seen    bool // lists show what was changed
	done    Sections
	left    document.Faults
}

// inTransaction runs work in a transaction under the lock of the shop's content, again after conflicts with those of
// customers. It pauses first, so that customers can take SQLite's lock: for a moment, or, if they made the last
// transaction wait, for as long as that one took, so that their queue shrinks.
func (im *importer) inTransaction(ctx context.Context, work func(ctx context.Context, s *step) error) error {
	if err := im.rest(ctx); err != nil {
		return err
	}
	var s *step
	var version int64
	asked := time.Now()
	began := asked
	err := stored.Patiently(ctx, func() error {
		return derive.InShop(ctx, im.store.Client, im.summary.Tenant, func(ctx context.Context, tx *ent.Tx) error {
			began = time.Now()
			s = &step{im: im, tx: tx}
			if im.sheet.Allowed != nil {
				if err := im.sheet.Allowed(ctx, tx.Client()); err != nil {
					return err
				}
			}
			before, err := stored.ContentVersion(ctx, tx, im.summary.Tenant)
			if err != nil {
				return err
			}
			s.planner = im.planner(tx.Client(), im.summary.Tenant, im.summary.Created && before == im.version)
			if err := work(ctx, s); err != nil {
				return err
			}
			if err := im.enter(ctx, tx, im.written.done.with(s.done)); err != nil {
				return err
			}
			if s.seen {
				if err := derive.Raise(ctx, tx, im.summary.Tenant); err != nil {
					return err
				}
			}
			version, err = stored.ContentVersion(ctx, tx, im.summary.Tenant)
			return err
		})
	})
	if err != nil {
		return err
	}
	if s.planner.IsNew { // once others have written to the shop, its version stays another one
		im.version = version
	}
	im.written.done = im.written.done.with(s.done)
	im.written.left.Join(s.left)
	im.written.entered = true
	if im.written.pause = stored.Pause; began.Sub(asked) > freeLock {
		im.written.pause = max(im.written.pause, time.Since(began))
	}
	return nil
}

// freeLock is longer than it takes to get a free lock of SQLite. Customers hold the lock for a few milliseconds at
// a time, so an import that finds it taken waits longer than this, but never long.
const freeLock = time.Millisecond

// rest lets customers take SQLite's lock.
func (im *importer) rest(ctx context.Context) error {
	if im.sheet.Resting != nil {
		im.sheet.Resting()
	}
	return stored.Rest(ctx, im.store.Client, im.written.pause)
}

// write plans and writes elements.
func (s *step) write(ctx context.Context, parts []part) error {
	for _, p := range parts {
		if err := s.writePart(ctx, p.section, p.batch); err != nil {
			return err
		}
	}
	return nil
}

// writePart plans and writes elements of a section. It leaves out those that have become invalid since the check, but
// fails if the import is atomic, or if others refer to the elements.
func (s *step) writePart(ctx context.Context, section string, batch []*document.Node) error {
	unit, faults, err := s.plan(ctx, section, batch)
	if err != nil {
		return err
	}
	if faults.Any() {
		if s.im.atomic || section == "tenant" || section == "categories" {
			return fmt.Errorf("the shop was changed during the import: %w", faults.Err())
		}
		unit = new(stored.Unit)
		for i := range batch {
			one, faults, err := s.plan(ctx, section, batch[i:i+1])
			if err != nil {
				return err
			}
			if faults.Any() {
				s.left.Join(*faults)
			} else {
				unit.Join(one)
			}
		}
	}
	if err := unit.Lock(ctx, s.tx); err != nil {
		return err
	}
	if _, changed, err := unit.CompareStock(ctx, s.tx.Client()); err != nil || len(changed) > 0 {
		return cmp.Or(err, stored.ErrOvertaken)
	}
	if len(unit.Audited) > 0 { // before the rows: the entries hold the records as they are written
		err := audit.Record(s.im.byWhom(ctx), s.tx, s.im.noted.action, unit.Changes()...)
		if err != nil {
			return err
		}
	}
	seen, err := unit.WriteTo(ctx, s.tx, s.im.summary.Tenant)
	s.seen = s.seen || seen
	for _, one := range unit.Outcomes {
		s.done.count(one)
	}
	return err
}

// plan plans elements. A record that was deleted since the check is not made again, because staff have deleted it.
func (s *step) plan(ctx context.Context, section string, batch []*document.Node) (
	*stored.Unit, *document.Faults, error,
) {
	faults := new(document.Faults)
	s.planner.Faults = faults
	unit, err := s.planner.Plan(ctx, section, batch)
	if err != nil {
		return nil, nil, err
	}
	s.planner.Finish()
	s.im.moving = s.im.moving || s.planner.Moving
	for _, one := range unit.Outcomes {
		own, index := elementOf(one.Element)
		if one.Fate == stored.Created && one.Section == own && s.im.differs[own][index] != stored.Created {
			faults.Add(one.Element, "was deleted during the import")
		}
	}
	return unit, faults, nil
}

// summarized returns the summary of the records that were written. If all were written, the others count as
// unchanged.
func (im *importer) summarized(all bool) Summary {
	summary := im.summary
	summary.Sections = Sections{}
	for section, found := range im.summary.Sections {
		c := im.written.done[section]
		c.Unchanged = 0
		if all {
			c.Unchanged = found.Created + found.Updated + found.Unchanged - c.Created - c.Updated
		}
		summary.Sections[section] = c
	}
	summary.Created = im.written.done["tenant"].Created > 0
	return summary
}
