package money

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// plant is a fault that is planted in a copy of the service: texts of a file with what replaces them. The auditor must
// find it by one of the rules.
type plant struct {
	name, file string
	rules      []int // any of them
	texts      []string
}

var plants = []plant{
	{"a look does not wait for another one", "internal/sale/payment/look.go", []int{3}, []string{
		"payment.Or(payment.ClaimedUntilIsNil(), payment.ClaimedUntilLTE(now))", "payment.LookAtNotNil()"}},
	{"verified before is an error", "internal/sale/gateway/zarinpal.go", []int{3, 7}, []string{
		`case "100", "101":`, `case "100":`}},
	{"the amount is not compared", "internal/sale/gateway/zibal.go", []int{3}, []string{
		"o.Amount != a.Amount || ", ""}},
	{"what failed is not paid any more", "internal/sale/payment/look.go", []int{3}, []string{
		"{record.StatePaid, record.StateReview, record.StateRefunded}",
		"{record.StatePaid, record.StateReview, record.StateRefunded, record.StateFailed}"}},
	{"payments of cancelled orders are verified", "internal/sale/payment/look.go", []int{4}, []string{
		"needed, err = orders.NeedsMoney(ctx, tx, held)",
		"needed, err = orders.NeedsMoney(ctx, tx, held)\n\t\tneeded = true"}},
	{"units go back while the order can be paid", "internal/sale/order/payments.go", []int{7}, []string{
		"tries.holds_until > $now)", "tries.holds_until > $now AND 1 = 0)",
		"payment.HoldsUntilGT(now)", "payment.HoldsUntilGT(now), payment.ID(uuid.Nil)"}},
	{"units do not go back after a try", "internal/sale/order/payments.go", []int{7}, []string{
		"tries.holds_until > $now)", "tries.holds_until IS NOT NULL)"}},
	{"units of cancelled orders are lost", "internal/sale/order/moves.go", []int{6}, []string{
		"unitsOf(items), at)", "unitsOf(items[:0]), at)"}},
	{"a refund is not counted", "internal/sale/order/refunds.go", []int{2}, []string{
		".AddRefunded(amount)", ".AddRefunded(amount - amount)"}},
	{"a refund that failed keeps its amount", "internal/sale/order/refunds.go", []int{2}, []string{
		"AddRefunded(-row.Amount)", "AddRefunded(0)"}},
	{"a refund is repeated without asking", "internal/sale/payment/refund.go", []int{3}, []string{
		"all, err = at.Refunds(calling, s.attempt(p, account))",
		"_, err = at.Refunds(calling, s.attempt(p, account))",
		"gateway.Part{ID: row.ID,", "gateway.Part{ID: record.NewID(),",
		"_, _, err = s.book(ctx, p, []gateway.Refund{back})",
		"back.Part = row.ID\n\t_, _, err = s.book(ctx, p, []gateway.Refund{back})"}},
	{"what is owed is not stored", "internal/sale/order/settle.go", []int{5}, []string{
		"= max(due, 0), at", "= min(due, 0), at"}},
	{"a payment has no event", "internal/sale/order/settle.go", []int{9}, []string{
		"\tcurrent := *held\n", "\tif needed {\n\t\treturn nil\n\t}\n\tcurrent := *held\n"}},
	{"the report joins all payments", "internal/sale/report/orders.go", []int{9}, []string{" AND p.counts\n", "\n"}},
	{"test money counts", "internal/sale/report/orders.go", []int{9}, []string{"\t\t\tAND NOT p.is_test\n", ""}},
	{"late money is noted as another step", "internal/sale/order/payments.go", []int{8}, []string{
		"SetStatus(cancelled.Status).SetAt", "SetStatus(record.OrderPending).SetAt"}},
	{"a step of weight ends before its end", "internal/sale/delivery/delivery.go", []int{1}, []string{
		"p.Grams <= int64(s.UpTo)", "p.Grams < int64(s.UpTo)"}},
	{"a secret is logged", "internal/sale/payment/look.go", []int{12}, []string{
		`"business", p.TenantID, "error", outcome.Err)`,
		`"business", p.TenantID, "error", outcome.Err, "merchant", account.Secrets["merchant"])`}},
}

// in returns the file with the fault, of the project in a folder.
func (p plant) in(project string) string {
	text := string(must.Get(os.ReadFile(filepath.Join(project, p.file))))
	for i := 0; i < len(p.texts); i += 2 {
		must.Hold(strings.Count(text, p.texts[i]) == 1, "%s has no single %s", p.file, p.texts[i])
		text = strings.Replace(text, p.texts[i], p.texts[i+1], 1)
	}
	return text
}

// build builds the service with the fault.
func (p plant) build(ctx context.Context, s *stage.Stage) (program string) {
	text := p.in("")
	overlay := customer.JSON(map[string]any{"Replace": map[string]string{
		must.Get(filepath.Abs(p.file)): s.File("planted.go", []byte(text))}})
	program = filepath.Join(s.TempDir(), "planted")
	said, err := exec.CommandContext(ctx, "go", "build", "-overlay", s.File("overlay.json", overlay), "-o", program,
		"./cmd/storefront").CombinedOutput()
	must.Hold(err == nil, "%w: %s", err, said)
	return program
}

// apart builds two servers whose clocks differ by three minutes, but for the moment when a request arrives.
func apart(ctx context.Context, s *stage.Stage) (programs []string) {
	for _, by := range []int{-90, 90} {
		programs = append(programs, wrongClock(by).build(ctx, s))
	}
	return programs
}

func wrongClock(seconds int) plant {
	wrong := fmt.Sprint(seconds, " * time.Second")
	return plant{file: "cmd/storefront/serve.go", texts: []string{
		"NewClock(time.Now)", "NewClock(func() time.Time { return time.Now().Add(" + wrong + ") })",
		"clock.Ahead,", "func() time.Duration { return clock.Ahead() + " + wrong + " },"}}
}

// longestSearch is the time in which a planted fault must be found.
const longestSearch = time.Minute

// search runs the trial with each planted fault whose name begins with a text, and fails if the auditor misses one.
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
		isFound := func(rule int) bool { return strings.Contains(fmt.Sprint(err), fmt.Sprintf("rule %d:", rule)) }
		if !slices.ContainsFunc(p.rules, isFound) || took > longestSearch {
			missed++
			says = "MISSED: " + says
		}
		s.Say("%s: %.0f s: %s", p.name, took.Seconds(), says)
	}
	must.Hold(missed == 0, "%d planted faults were missed", missed)
}
