package standin

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
)

// buyer serves the pages of a session, at a path with {id}. GET shows a form and changes nothing; POST takes do=pay
// with a card, or do=cancel, and sends the buyer back to the merchant. Only Stripe keeps a buyer whose card failed.
func (g *Gateway) buyer(path string) {
	g.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.release()
		g.sweep()
		s := g.sessions[r.PathValue("id")]
		switch {
		case s == nil:
			page(w, http.StatusNotFound, "There is no such payment.")
		case g.name() == "zibal" && r.Referer() == "":
			page(w, http.StatusForbidden, "A Referer is required.")
		case s.Ended:
			page(w, http.StatusGone, "This payment has ended.")
		default:
			page(w, http.StatusOK, fmt.Sprintf(`%d %s <form method="post"><input name="card">
<button name="do" value="pay">Pay</button><button name="do" value="cancel">Cancel</button></form>`,
				s.Amount, html.EscapeString(s.Currency)))
		}
	})
	g.mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.release()
		g.sweep()
		s := g.sessions[r.PathValue("id")]
		switch {
		case s == nil:
			page(w, http.StatusNotFound, "There is no such payment.")
		case s.Ended:
			page(w, http.StatusGone, "This payment has ended.")
		case r.FormValue("do") == "cancel":
			s.State = cancelled
			g.book(Line{Operation: "cancel"}, s)
			g.home(w, r, s)
		case r.FormValue("do") != "pay":
			page(w, http.StatusBadRequest, "Pay or cancel.")
		case g.pay(s, r.FormValue("card"), g.draw("pay", s.content())) || g.name() != "stripe":
			g.home(w, r, s)
		default:
			page(w, http.StatusPaymentRequired, "Your card was declined.")
		}
	})
}

// content is what the Match of a fault is compared with where the merchant does not call.
func (s *Session) content() string { return s.ID + " " + s.Reference + " " + s.Callback }

// home sends the buyer back. A callback is repeated by the stand-in itself, as by a reload of the browser.
func (g *Gateway) home(w http.ResponseWriter, r *http.Request, s *Session) {
	f := g.draw("callback", s.content())
	target := g.back(s, s.ID)
	switch f.Kind {
	case "lost":
		page(w, http.StatusOK, "Thank you. You can close this window.")
		return
	case "late":
		g.after(f.Delay, func() { g.visit(target) })
		page(w, http.StatusOK, "Thank you. You can close this window.")
		return
	case "twice":
		g.after(0, func() { g.visit(target) })
	case "eight":
		for range 8 {
			g.after(0, func() { g.visit(target) })
		}
	case "forged":
		target = g.back(s, strings.Map(turned, s.ID)) // of the same form, and unknown
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

// turned exchanges the digits of an id, so that its form stays.
func turned(r rune) rune {
	if '0' <= r && r <= '8' {
		return r + 1
	}
	return r
}

// visit calls the merchant. An error is the merchant's loss.
func (g *Gateway) visit(target string) {
	if answered, err := g.client.Get(target); err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(answered.Body, 1<<20))
		_ = answered.Body.Close()
	}
}

func page(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<!doctype html><title>Stand-in of a gateway</title>%s\n", body)
}
