package transfer

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"storefront/internal/content/bundle"
	"storefront/internal/content/sheet"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

// sheetTypes are the accepted media types: the second is what browsers send if a spreadsheet program is
// installed.
var sheetTypes = []string{"text/csv", "application/vnd.ms-excel"}

// receive imports a sheet. It first receives the body without doing anything else; then it checks again
// whether the person who asked for the link may do this. A complete sheet is written even if its client
// hangs up, since the sender would not know how far a partial import came.
func (s *Service) receive(w http.ResponseWriter, r *http.Request, kind sheet.Kind) error {
	ctx, pass, err := s.begin(r, importing, kind)
	if err != nil {
		return err
	}
	check, err := onlyChecked(r)
	if err != nil {
		return err
	}
	done, ok := s.in.TakeAtOnce(ofShop(pass))
	if !ok {
		return bundle.Busy()
	}
	defer done()
	body, err := wire.OpenBody(w, r, mostBytes, sheetTypes...)
	if err != nil {
		return err
	}
	came, err := s.arrive(ctx, body, func() {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now())
	})
	if err != nil {
		return err
	}
	defer came.held.Leave()
	if !check {
		var end func()
		ctx, end = s.withoutClient(ctx)
		defer end()
	}
	turn, err := came.worked(ctx, s.working)
	if err != nil {
		return err
	}
	defer turn.end()
	if err := pass.Again(ctx); err != nil {
		return err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(came.text.Bytes()))
	if err != nil {
		return err
	}
	summary, err := sheet.Import{Kind: kind, Check: check, File: string(kind) + ".csv", Most: mostRows,
		Still: pass.Still, AtOnce: true, Between: turn.between(s.store)}.Into(ctx, s.store, pass.Shop, unpacked)
	if stopped, ok := errors.AsType[*bundle.Stopped](err); ok {
		return s.stopped(ctx, stopped)
	}
	faults, faulty := errors.AsType[*sheet.Faults](err)
	if err != nil && !faulty {
		return err
	}
	return answer(w, r, check, summary, faults)
}

// withoutClient returns a context that does not end when the client hangs up, but when the request's time is
// over or the server stops.
func (s *Service) withoutClient(ctx context.Context) (kept context.Context, end func()) {
	kept, cancel := context.WithCancel(context.WithoutCancel(ctx))
	timeIsOver := func() {}
	if at, ok := ctx.Deadline(); ok {
		kept, timeIsOver = context.WithDeadline(kept, at)
	}
	forget := context.AfterFunc(s.until, cancel)
	return kept, func() {
		forget()
		timeIsOver()
		cancel()
	}
}

func onlyChecked(r *http.Request) (bool, error) {
	query, err := asked(r)
	if err != nil {
		return false, err
	}
	switch query.Get("check") {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, fault.Invalid("check", "must be true or false")
}

type result struct {
	Written bool                    `json:"written"` // completely, except for rows with faults
	Counts  map[string]recordCounts `json:"counts"`  // of what was written, or would be; empty if there are faults
	Faults  []rowFault              `json:"faults"`
	Total   int                     `json:"total"` // number of faults; the first 1,000 are listed
	Stopped *stop                   `json:"stopped"`
}

// stop is why writing a valid sheet stopped before its end.
type stop struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Unsure  bool       `json:"unsure"` // more may be written than is counted, as the answer to a commit was lost
}

type recordCounts struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Moved     int `json:"moved"` // of the updated variants: to another product
}

type rowFault struct {
	Row     int     `json:"row"`
	Column  *string `json:"column"`
	Message string  `json:"message"`
}

// answer writes the result of an import or a check. A checked sheet is answered with its faults, a refused
// one with an error.
func answer(w http.ResponseWriter, r *http.Request, check bool, summary bundle.Summary, faults *sheet.Faults) error {
	reader := request.Language(r.Context())
	found := resultOf(summary, !check)
	if faults != nil && !faults.Written {
		found.Counts = map[string]recordCounts{}
	}
	if faults != nil {
		found.Written, found.Total = faults.Written, faults.Total()
		for _, one := range faults.List {
			said := rowFault{Row: one.Row, Message: reader.Say(one.Text)}
			if one.Column != "" {
				said.Column = &one.Column
			}
			found.Faults = append(found.Faults, said)
		}
	}
	switch {
	case faults == nil || check:
	case faults.Written:
		left := fault.New(fault.Conflict, "the shop was changed meanwhile, and what does not fit any more was left "+
			"out; send the sheet again")
		left.Details = found
		return left
	default:
		bad := fault.New(fault.ValidationFailed, "nothing of the sheet was written; it has faults: %d", found.Total)
		bad.Details = found
		return bad
	}
	body, err := json.Marshal(found)
	if err != nil {
		return err
	}
	reader.Label(w.Header())
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
	return nil
}

func resultOf(summary bundle.Summary, written bool) result {
	counts := map[string]recordCounts{}
	for _, section := range []string{"products", "variants"} {
		counts[section] = recordCounts(summary.Sections[section])
	}
	return result{Written: written, Counts: counts, Faults: []rowFault{}}
}

// stopped returns the error for a sheet that was not written completely. Its code is that of the cause.
func (s *Service) stopped(ctx context.Context, by *bundle.Stopped) error {
	why := transaction.Fault(by.Cause)
	found := resultOf(by.Done, false)
	found.Stopped = &stop{Code: why.Code, Message: request.Language(ctx).Error(why).Message, Unsure: by.Maybe}
	err := fault.Wrap(why.Code, by, "the sheet was stopped before anything of it was written; send it again")
	switch {
	case by.Maybe:
		err = fault.Wrap(why.Code, by, "the sheet was stopped, and a part of it may be written. Send it again for the "+
			"rest, but a stock in it is set again, too: look first what orders have taken meanwhile")
	case by.Done.Changed():
		err = fault.Wrap(why.Code, by, "the sheet was stopped; a part of it is written and stays. Send it again for "+
			"the rest, but a stock in it is set again, too: look first what orders have taken meanwhile")
	}
	err.Details, err.RetryAfter = found, why.RetryAfter
	return err
}
