package money

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// plant is a fault that is planted in a copy of the service: texts of a file with what replaces them. The auditor must
// find it by the rule.
type plant struct {
	name, file string
	rule       int
	texts      []string
}

var plants = []plant{
	{"a look does not wait for another one", "internal/sale/payment/look.go", 3, []string{
		"payment.Or(payment.ClaimedUntilIsNil(), payment.ClaimedUntilLTE(now))", "payment.LookAtNotNil()"}},
	{"verified before is an error", "internal/sale/gateway/zarinpal.go", 3, []string{
		`case "100", "101":`, `case "100":`}},
	{"the amount is not compared", "internal/sale/gateway/zibal.go", 3, []string{
		"o.Amount != a.Amount || ", ""}},
	{"what failed is not paid any more", "internal/sale/payment/look.go", 3, []string{
		"{record.StatePaid, record.StateReview, record.StateRefunded}",
		"{record.StatePaid, record.StateReview, record.StateRefunded, record.StateFailed}"}},
	{"payments of cancelled orders are verified", "internal/sale/order/settle.go", 4, []string{
		"if held.Status == record.OrderCancelled {\n\t\treturn false, nil",
		"if held.Status == record.OrderCancelled {\n\t\treturn true, nil"}},
	{"units go back while the order can be paid", "internal/sale/order/payments.go", 7, []string{
		"tries.holds_until > $now)", "tries.holds_until > $now AND 1 = 0)",
		"payment.HoldsUntilGT(now)", "payment.HoldsUntilGT(now), payment.HoldsUntilLT(now)"}},
	{"units do not go back after a try", "internal/sale/order/payments.go", 7, []string{
		"tries.holds_until > $now)", "tries.holds_until IS NOT NULL)"}},
	{"units of cancelled orders are lost", "internal/sale/order/moves.go", 6, []string{
		"unitsOf(items), at)", "unitsOf(items[:0]), at)"}},
	{"a refund is not counted", "internal/sale/order/refunds.go", 2, []string{
		".AddRefunded(amount)", ".AddRefunded(amount - amount)"}},
	{"a refund that failed keeps its amount", "internal/sale/order/refunds.go", 2, []string{
		"change = -change", "change = 0"}},
	{"a refund is repeated without asking", "internal/sale/payment/refund.go", 3, []string{
		"made, err := at.Refunds(calling, a)",
		"made, err := at.Refunds(calling, a)\n\tmade, err = nil, nil\n" +
			"\tif p.Status == record.StateRefunded {\n\t\treturn nil\n\t}",
		"gateway.Part{ID: row.ID,", "gateway.Part{ID: record.NewID(),"}},
	{"what is owed is not stored", "internal/sale/order/settle.go", 5, []string{
		"= max(due, 0), at", "= min(due, 0), at"}},
	{"a payment has no event", "internal/sale/order/settle.go", 9, []string{
		"\tcurrent := *held\n", "\tif needed {\n\t\treturn nil\n\t}\n\tcurrent := *held\n"}},
	{"the report joins all payments", "internal/sale/report/orders.go", 9, []string{" AND p.counts\n", "\n"}},
	{"late money is noted as another step", "internal/sale/order/payments.go", 8, []string{
		"SetStatus(cancelled.Status).SetAt", "SetStatus(record.OrderPending).SetAt"}},
	{"a step of weight ends before its end", "internal/sale/delivery/delivery.go", 1, []string{
		"p.Grams <= int64(s.UpTo)", "p.Grams < int64(s.UpTo)"}},
	{"a secret is logged", "internal/sale/payment/look.go", 12, []string{
		`"business", p.TenantID, "error", outcome.Err)`,
		`"business", p.TenantID, "error", outcome.Err, "merchant", account.Secrets["merchant"])`}},
}

// build builds the service with the fault.
func (p plant) build(ctx context.Context, s *stage.Stage) (program string) {
	text := string(must.Get(os.ReadFile(p.file)))
	for i := 0; i < len(p.texts); i += 2 {
		must.Hold(strings.Count(text, p.texts[i]) == 1, "%s has no single %s", p.file, p.texts[i])
		text = strings.Replace(text, p.texts[i], p.texts[i+1], 1)
	}
	overlay := customer.JSON(map[string]any{"Replace": map[string]string{
		must.Get(filepath.Abs(p.file)): s.File("planted.go", []byte(text))}})
	program = filepath.Join(s.Folder, "planted")
	said, err := exec.CommandContext(ctx, "go", "build", "-overlay", s.File("overlay.json", overlay), "-o", program,
		"./cmd/storefront").CombinedOutput()
	must.Hold(err == nil, "%w: %s", err, said)
	return program
}

// longestSearch is how long a planted fault may live.
const longestSearch = time.Minute

// search has the auditor find the planted faults whose names begin with a text.
func (o settings) search(ctx context.Context, s *stage.Stage, name string) {
	o.lives, o.workers, o.pace, o.isSmall = 150, 32, 1200, true
	missed := 0
	for _, p := range plants {
		if !strings.HasPrefix(p.name, name) {
			continue
		}
		var began time.Time
		planted := &stage.Stage{Kind: s.Kind, Program: p.build(ctx, s), Out: io.Discard}
		err := stage.Run(ctx, planted, func(ctx context.Context, s *stage.Stage) {
			s.New(ctx)
			began = time.Now()
			must.Do(o.run(ctx, s))
		})
		took := time.Since(began)
		says, _, _ := strings.Cut(fmt.Sprint(err), "\n")
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("rule %d:", p.rule)) || took > longestSearch {
			missed++
			says = "MISSED: " + says
		}
		s.Say("%s: %.0f s: %s", p.name, took.Seconds(), says)
	}
	must.Hold(missed == 0, "%d planted faults were missed", missed)
}
