package plan

import "context"

// orNull writes records that may be nil.
func orNull[R any](one values[*R], nonNull bool) values[*R] {
	null := func(w *Writer) {
		if nonNull {
			w.fail(errNull)
		}
		w.json = append(w.json, "null"...)
	}
	if one.write != nil {
		return values[*R]{write: func(w *Writer, r *R) {
			if r == nil {
				null(w)
				return
			}
			one.write(w, r)
		}}
	}
	return values[*R]{load: func(ctx context.Context, all []*R) (column, error) {
		present, at := withoutNil(all)
		written, err := one.load(ctx, present)
		return func(w *Writer, i int) {
			if all[i] == nil {
				null(w)
				return
			}
			if at != nil {
				i = at[i]
			}
			written(w, i)
		}, err
	}}
}

// withoutNil gives the records that are there, and where each of all stands among them; nil: where it stood.
func withoutNil[R any](all []*R) (present []*R, at []int) {
	missing := 0
	for _, r := range all {
		if r == nil {
			missing++
		}
	}
	if missing == 0 {
		return all, nil
	}
	present, at = make([]*R, 0, len(all)-missing), make([]int, len(all))
	for i, r := range all {
		if r != nil {
			at[i] = len(present)
			present = append(present, r)
		}
	}
	return present, at
}

// listOf writes lists. What is to be loaded for the elements is loaded for those of all lists at once.
func listOf[V any](element values[V], nullable bool) values[[]V] {
	if element.write != nil {
		return values[[]V]{write: func(w *Writer, list []V) {
			if list == nil && nullable {
				w.json = append(w.json, "null"...)
				return
			}
			writeList(w, len(list), func(i int) { element.write(w, list[i]) })
		}}
	}
	return values[[]V]{load: func(ctx context.Context, lists [][]V) (column, error) {
		all, from := flatten(lists)
		return loadedList(ctx, element, lists, all, from, nullable)
	}}
}

// listOfStructs writes lists of records that are structs.
func listOfStructs[R any](one values[*R], nullable bool) values[[]R] {
	if one.write != nil {
		return values[[]R]{write: func(w *Writer, list []R) {
			if list == nil && nullable {
				w.json = append(w.json, "null"...)
				return
			}
			writeList(w, len(list), func(i int) { one.write(w, &list[i]) })
		}}
	}
	return values[[]R]{load: func(ctx context.Context, lists [][]R) (column, error) {
		all, from := flatten(lists)
		return loadedList(ctx, one, lists, pointers(all), from, nullable)
	}}
}

// loadedList loads the elements of lists. Those of the i-th are all[from[i]:from[i+1]].
func loadedList[V, E any](
	ctx context.Context, element values[E], lists [][]V, all []E, from []int, nullable bool,
) (column, error) {
	if len(all) == 0 {
		return func(w *Writer, i int) {
			if lists[i] == nil && nullable {
				w.json = append(w.json, "null"...)
				return
			}
			w.json = append(w.json, "[]"...)
		}, nil
	}
	written, err := element.load(ctx, all)
	return func(w *Writer, i int) {
		if lists[i] == nil && nullable {
			w.json = append(w.json, "null"...)
			return
		}
		writeList(w, len(lists[i]), func(k int) { written(w, from[i]+k) })
	}, err
}

// flatten gives the elements of all lists, and where each list begins and ends among them.
func flatten[V any](lists [][]V) (all []V, from []int) {
	from = make([]int, len(lists)+1)
	for i, list := range lists {
		from[i+1] = from[i] + len(list)
	}
	if len(lists) == 1 {
		return lists[0], from
	}
	all = make([]V, 0, from[len(lists)])
	for _, list := range lists {
		all = append(all, list...)
	}
	return all, from
}

func writeList(w *Writer, n int, element func(i int)) {
	w.json = append(w.json, '[')
	for i := range n {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		element(i)
		if w.stopped() {
			return
		}
	}
	w.json = append(w.json, ']')
}

func pointers[R any](all []R) []*R {
	to := make([]*R, len(all))
	for i := range all {
		to[i] = &all[i]
	}
	return to
}
