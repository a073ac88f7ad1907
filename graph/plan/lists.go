package plan

import "context"

// orNull writes records that may be nil.
//
//go:noinline
func orNull[P any](one reader, nonNull bool) values {
	if one.write != nil {
		return values{write: func(w *Writer, record P) {
			if isNil(record) {
				w.null(nonNull)
				return
			}
			one.write(w, record)
		}}
	}
	return values{load: func(ctx context.Context, all any) (column, error) {
		present, at := withoutNil(all.([]P))
		written, err := one.load(ctx, recordsIn(present))
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

// isNil reports whether a pointer is nil. P is not constrained by comparable: a function that is would be compiled for
// each type of pointer.
func isNil[P any](pointer P) bool {
	var none P
	return any(pointer) == any(none)
}

// withoutNil gives the records that are there, and where each of all stands among them, -1 for those that are not;
// nil: where it stood.
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

// listOf writes lists. What is to be loaded for the elements is loaded for those of all lists at once.
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

// parts are where lists begin and end among the elements of all: the i-th from at[i] to at[i+1].
type parts struct {
	at   []int
	null []bool // lists that are null; nil: none is
}

// flatten gives the elements of all lists.
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

// load loads the elements, n of all lists together, where there are any, and gives what writes the lists.
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
