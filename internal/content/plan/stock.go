package plan

import (
	"storefront/ent"
	"storefront/internal/content/document"
	"storefront/internal/content/stored"
)

// readExpectedStock reads the stock that a change depends on; nil if the element does not name it.
func readExpectedStock(o *document.Object) (expected *int, ok bool) {
	m := o.Value("expectedStock")
	if m == nil {
		return nil, true
	}
	n, ok := o.Number(m, 0, mostStock)
	return &n, ok
}

// readStock reads the stock of a variant and reports whether it must be written. expected is the stock that the change
// depends on. An edit depends on its expectedStock in any case. In a file that is the stock of when the file was
// written: a stock that equals it changes nothing, even if orders have taken units since.
func (p *Planner) readStock(o *document.Object, row *ent.Variant, isThere bool) (sets bool, expected *int) {
	expected, ok := readExpectedStock(o)
	m := o.Value("stock")
	if p.Terms.Edit {
		o.Integer("stock", &row.Stock, 0, mostStock)
		return m != nil, expected
	}
	if m == nil || !ok {
		return false, nil
	}
	stock, ok := o.Number(m, 0, mostStock)
	switch {
	case !ok:
		return false, nil
	case !isThere || expected == nil:
		expected = nil
	case stock == *expected || stock == row.Stock:
		return false, nil
	case row.Stock != *expected:
		o.Faults.Add(m, "is %d by now, and no longer the expectedStock %d; look at it again, then decide", row.Stock,
			*expected)
		return false, nil
	}
	document.Put(o, &row.Stock, stock)
	return true, expected
}

// noteStock notes the stock that is set or expected for an existing variant; one that a bundle sets in any case is not
// compared again. sets reports whether one is set.
func (p *Planner) noteStock(row *ent.Variant, sets bool, expected *int) {
	if expected == nil && (!sets || !p.Terms.Edit && p.Terms.Sheet == nil) {
		return
	}
	set := stored.StockSet{ID: row.ID, SKU: row.Sku, LowAt: row.LowStockAt, Expected: expected}
	if sets {
		set.To = &row.Stock
	}
	p.unit.Stocks = append(p.unit.Stocks, set)
}
