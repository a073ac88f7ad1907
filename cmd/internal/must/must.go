// Package must ends a trial or a measurement at its first error, as t.Fatal ends a test. Do, Get, Hold and In
// panic, and Run, around a whole trial or the work of a goroutine, returns the error.
package must

import (
	"errors"
	"fmt"
)

// failure is an error on its way to Run.
type failure struct{ error }

// Do ends the work if any of errs is not nil.
func Do(errs ...error) {
	if err := errors.Join(errs...); err != nil {
		panic(failure{err})
	}
}

// Get returns a value, or ends the work with its error.
func Get[T any](value T, err error) T {
	Do(err)
	return value
}

// Hold ends the work unless holds is true.
func Hold(holds bool, format string, args ...any) {
	if !holds {
		Do(fmt.Errorf(format, args...))
	}
}

// In runs a part of the work. Its errors begin with name.
func In(name string, work func()) {
	if err := Run(work); err != nil {
		Do(fmt.Errorf("%s: %w", name, err))
	}
}

// Run runs work, and returns the error that ended it.
func Run(work func()) (err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case failure:
			err = v.error
		default:
			panic(v)
		}
	}()
	work()
	return nil
}
