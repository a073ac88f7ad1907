package database

import "context"

// putOff is a write that a joint transaction does at its end.
type putOff struct {
	key    any
	values []any
	do     func(ctx context.Context, values []any) error
}

type patientKey struct{}

// Patient returns a context whose writes do not mind what the joint transaction has put off. Any other write has it done
// first, and so finds what it would find without a joint transaction.
func Patient(ctx context.Context) context.Context { return context.WithValue(ctx, patientKey{}, true) }

// PutOff leaves a write to the end of the joint transaction of ctx, where do is called once with all values of its key: rows
// that many want are then locked for a short time, and all of them in one order. It reports false, and the caller writes at
// once, where there is no such transaction.
func PutOff(ctx context.Context, key, value any, do func(ctx context.Context, values []any) error) bool {
	j := jointOf(ctx)
	if j == nil {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, p := range j.late {
		if p.key == key {
			p.values = append(p.values, value)
			return true
		}
	}
	j.late = append(j.late, &putOff{key, []any{value}, do})
	return true
}

// doLate does what was put off.
func (j *Joint) doLate() error {
	j.mu.Lock()
	late := j.late
	j.late = nil
	j.mu.Unlock()
	for _, p := range late {
		if err := p.do(Patient(j.within), p.values); err != nil {
			return err
		}
	}
	return nil
}
