package plan

import "context"

// orNull returns values that write records that may be nil.
//
//go:noinline
func orNull[P any](read reader, nonNull bool) values {
	if read.write != nil {
		return values{write: func(w *Writer, record P) {
			if isNil(record) {
				w.null(nonNull)
				return
			}
			read.write(w, record)
		}}
	}
	return values{load: func(ctx context.Context, all any) (column, error) {
		present, at := withoutNil(all.([]P))
		written, err := read.load(ctx, recordsIn(present))
		if at == nil {
			return written, err
		}
		return func(w *Writer, i int) {
			if at[i] < 0 {
				w.null(nonNull)
				return
			}
			written(w, at[i])
		}, err
	}}
}

// isNil reports whether a pointer is nil. P is not constrained by comparable, because such a function would
// be compiled for each pointer type.
func isNil[P any](pointer P) bool {
	var none P
	return any(pointer) == any(none)
}

// withoutNil returns the records that are not nil. at holds the index there of each record of all, -1 for
// nil; it is nil if no record is.
func withoutNil[P any](all []P) (present []P, at []int) {
	missing := 0
	for _, record := range all {
		if isNil(record) {
			missing++
		}
	}
	if missing == 0 {
		return all, nil
	}
	present, at = make([]P, 0, len(all)-missing), make([]int, len(all))
	for i, record := range all {
		if at[i] = -1; !isNil(record) {
			at[i] = len(present)
			present = append(present, record)
		}
	}
	return present, at
}

// listOf returns values that write lists. The elements of all lists are loaded at once.
//
//go:noinline
func listOf[V any](element values, nullable bool) values {
	if element.write != nil {
		write := element.write.(func(*Writer, V))
		return values{write: func(w *Writer, list []V) {
			w.list(len(list), list == nil && nullable, func(i int) { write(w, list[i]) })
		}}
	}
	return values{load: func(ctx context.Context, lists any) (column, error) {
		all, parts := flatten(lists.([][]V), nullable)
		return parts.load(len(all), func() (column, error) { return element.load(ctx, all) })
	}}
}

// parts says where each list begins and ends among the elements of all lists: the i-th from at[i] to
// at[i+1].
type parts struct {
	at   []int
	null []bool // which lists are null; nil if none
}

// flatten returns the elements of all lists, and the parts of each.
func flatten[V any](lists [][]V, nullable bool) ([]V, parts) {
	p := parts{at: make([]int, len(lists)+1)}
	if nullable {
		p.null = make([]bool, len(lists))
	}
	for i, list := range lists {
		p.at[i+1] = p.at[i] + len(list)
		if nullable {
			p.null[i] = list == nil
		}
	}
	if len(lists) == 1 {
		return lists[0], p
	}
	all := make([]V, 0, p.at[len(lists)])
	for _, list := range lists {
		all = append(all, list...)
	}
	return all, p
}

// load loads the elements, n in all, if there are any, and returns a column of the lists.
func (p parts) load(n int, elements func() (column, error)) (column, error) {
	var written column
	if n > 0 {
		var err error
		if written, err = elements(); err != nil {
			return nil, err
		}
	}
	return func(w *Writer, i int) {
		from := p.at[i]
		w.list(p.at[i+1]-from, p.null != nil && p.null[i], func(k int) { written(w, from+k) })
	}, nil
}
