package main

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"storefront/ent/order"
	"storefront/ent/orderevent"
	"storefront/ent/tenant"
	"storefront/internal/store"
	"storefront/internal/store/storetest"
	"storefront/internal/tenancy"
)

// withOrders returns the settings of a database that holds the demo.
var withOrders = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	return loadDemo(ctx, s, "http://shop.example", "http://shop.example", false, io.Discard,
		slog.New(slog.DiscardHandler))
})

const (
	orderHeader = "NUMBER TIME STATUS TOTAL CURRENCY CUSTOMER LINES"
	machineShop = "sanat-mashin.example"
)

// newest lists the orders of the machine shop.
func newest(t testing.TB, s settings, more ...string) [][]string {
	t.Helper()
	return table(t, orderHeader, s.succeed(t, append([]string{"order", "list", machineShop}, more...)...))
}

// statusOf returns the status of an order of the machine shop.
func (s settings) statusOf(t testing.TB, number string) string {
	t.Helper()
	for _, row := range newest(t, s, "-most", "1000") {
		if row[0] == number {
			return row[2]
		}
	}
	return ""
}

// wantHistory checks the statuses and notes in the history of an order of the machine shop.
func (s settings) wantHistory(t testing.TB, number string, want []string) {
	t.Helper()
	opened := storetest.Open(t, s["DATABASE_URL"])
	ctx := tenancy.In(t.Context(), opened.Client.Tenant.Query().Where(tenant.Domain(machineShop)).OnlyIDX(t.Context()))
	var got []string
	ofOrder := orderevent.HasOrderWith(order.OrderNumber(number))
	for _, e := range opened.Client.OrderEvent.Query().Where(ofOrder).Order(orderevent.ByAt()).AllX(ctx) {
		note := ""
		if e.Note != nil {
			note = *e.Note
		}
		got = append(got, string(e.Status)+" "+note)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got the history %q, want %q", got, want)
	}
}

func TestOrderList(t *testing.T) {
	t.Parallel()
	withOrders.Each(t, func(t *testing.T, database string) {
		s := on(database)
		all := newest(t, s, "-most", "1000")
		if len(all) != 150 ||
			!slices.IsSortedFunc(all, func(a, b []string) int { return strings.Compare(b[1], a[1]) }) {
			t.Errorf("%d orders, or not the newest first", len(all))
		}
		first := []string{"TZJRTPTG", "2026-10-31T08:40:03Z", "pending", "1846600000", "IRT", "+98912***0025", "3"}
		if !slices.Equal(all[0], first) || all[149][6] != "50" {
			t.Errorf("listed first %q, last %q", all[0], all[149])
		}
		if some := newest(t, s); len(some) != 50 || !slices.EqualFunc(some, all[:50], slices.Equal) {
			t.Errorf("%d without -most", len(some))
		}
		for status, n := range map[string]int{
			"pending": 3, "confirmed": 4, "processing": 5, "shipped": 6, "cancelled": 15,
		} {
			rows := newest(t, s, "-status", status)
			if len(rows) != n || slices.ContainsFunc(rows, func(row []string) bool { return row[2] != status }) {
				t.Errorf("%s: %q", status, rows)
			}
		}
		if rows := table(t, orderHeader, s.succeed(t, "order", "list", "Memar-Novin.example.")); len(rows) != 0 {
			t.Errorf("the shop without a store has %q", rows)
		}
		code, out, stderr := ended(t,
			s.process(t.Context(), "order", "list", machineShop, "-status=pending", "-most=1"))
		if rows := table(t, orderHeader, out); code != 0 || stderr != "" || len(rows) != 1 ||
			!slices.Equal(rows[0], first) {
			t.Errorf("exit %d: %s%s", code, out, stderr)
		}
	})
}

func TestOrderMove(t *testing.T) {
	t.Parallel()
	withOrders.Each(t, func(t *testing.T, database string) {
		s := on(database)
		number := newest(t, s)[0][0]
		move := []string{"order", "move", machineShop, number}
		out := s.succeed(t, append(move, "confirmed", "-note", "با مشتری تماس گرفته شد.")...)
		if out != "order "+number+" is confirmed\n" {
			t.Errorf("printed %q", out)
		}
		s.refuse(t, append(move, "confirmed"), number, "confirmed cannot become confirmed")
		s.refuse(t, append(move, "delivered"), number, "confirmed cannot become delivered")
		s.refuse(t, append(move, "pending"), number, "confirmed cannot become pending")
		code, out, stderr := ended(t,
			s.process(t.Context(), "order", "move", machineShop, strings.ToLower(number), "processing"))
		if code != 0 || out != "order "+number+" is processing\n" || stderr != "" {
			t.Errorf("exit %d: %s%s", code, out, stderr)
		}
		code, out, stderr = ended(t, s.process(t.Context(), append(move, "confirmed")...))
		if code != 1 || out != "" ||
			stderr != "storefront: "+number+": an order that is processing cannot become confirmed\n" {
			t.Errorf("exit %d: %s%s", code, out, stderr)
		}
		s.succeed(t, append(move, "cancelled")...)
		rows := table(t, auditHeader, s.succeed(t, "audit", machineShop))
		if len(rows) != 3 || rows[0][2] != "command" ||
			rows[0][3] != "moveOrder" || rows[0][8] != `{"status":"cancelled"}` {
			t.Errorf("the audit log: %q", rows)
		}
		if got := s.statusOf(t, number); got != "cancelled" {
			t.Errorf("it is %s", got)
		}
		s.wantHistory(t, number, []string{
			"pending ", "confirmed با مشتری تماس گرفته شد.", "processing ", "cancelled ",
		})
		for _, c := range []struct {
			args  []string
			words string
		}{
			{[]string{"move", machineShop, "22222222", "confirmed"}, `no order "22222222"`},
			{[]string{"move", "paperlane.example", number, "confirmed"}, "no order"},
			{[]string{"move", "none.example", number, "confirmed"}, "there is no tenant none.example"},
			{[]string{"move", "no domain", number, "confirmed"}, "no domain"},
			{[]string{"move", machineShop, number, "lost"},
				"pending, confirmed, processing, shipped, delivered, cancelled"},
			{[]string{"move", machineShop, number, "shipped", "-note", strings.Repeat("x", 1001)}, "1000"},
			{[]string{"move", machineShop, number, "shipped", "-note", "a\xff"}, "UTF-8"},
			{[]string{"move", machineShop, number, "shipped", "-status", "pending"}, "order list"},
			{[]string{"move", machineShop, number}, "order move DOMAIN NUMBER STATUS"},
			{[]string{"list", machineShop, "-status", "lost"}, "no status"},
			{[]string{"list", machineShop, "-note", "x"}, "order move"},
			{[]string{"list", machineShop, "-most", "0"}, "at least 1"},
			{[]string{"list", "none.example"}, "there is no tenant none.example"},
			{[]string{"list"}, "order list DOMAIN"},
			{[]string{"list", machineShop, "surplus"}, "order list DOMAIN"},
			{[]string{}, "order list DOMAIN"},
		} {
			s.refuse(t, append([]string{"order"}, c.args...), c.words)
		}
	})
}
