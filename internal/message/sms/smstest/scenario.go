package smstest

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// reason is why a provider refuses a message.
type reason string

const (
	badKey       reason = "key"
	badForm      reason = "form" // of the request
	badLine      reason = "line"
	badRecipient reason = "recipient"
	blacklisted  reason = "blacklisted"
	noCredit     reason = "credit"
	tooMany      reason = "too many"
	hidden       reason = "hidden" // an error under HTTP 200
	noID         reason = "no id"
)

// reply is an answer as it stands on the wire.
type reply struct {
	status int
	body   string
}

func (r reply) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(r.status)
	_, _ = io.WriteString(w, r.body) // an error means that the client is gone
}

// language is the protocol of one provider. accept has one %s for the id. A reason that refuse lacks is
// accepted: IPPanel accepts every message and drops some later.
type language struct {
	name   string
	read   func(*http.Request) (Message, reason) // checks credentials before all else
	accept string
	refuse map[reason]reply
}

func (l language) success(id string) reply { return reply{http.StatusOK, fmt.Sprintf(l.accept, id)} }

// refusals are the scenarios that are answered as the provider would.
var refusals = map[string]reason{
	"0001": badRecipient, "0002": blacklisted, "0003": noCredit, "0006": tooMany, "0007": hidden, "0016": noID,
}

func scenario(to string) string { return to[max(0, len(to)-4):] }

// accepted reports whether a message counts as sent, even if its sender gets no such answer.
func accepted(provider, to string) bool {
	ends := scenario(to)
	if why, refused := refusals[ends]; refused {
		spoken := languages[slices.IndexFunc(languages, func(l language) bool { return l.name == provider })]
		_, has := spoken.refuse[why]
		return !has
	}
	return !slices.Contains([]string{"0004", "0005", "0008", "0012", "0013", "0014"}, ends)
}

func (f *Fake) act(w http.ResponseWriter, r *http.Request, spoken language, m Message, id string) {
	ends := scenario(m.To)
	if why, refused := refusals[ends]; refused {
		if answer, has := spoken.refuse[why]; has {
			answer.write(w)
			return
		}
	}
	// a careless provider quotes the request
	repeated := fmt.Sprintf("<html>%s %s %s %s</html>", m.To, m.Text, r.URL, r.Header)
	good := spoken.success(id)
	switch ends {
	case "0004":
		reply{http.StatusInternalServerError, repeated}.write(w)
	case "0005":
		<-r.Context().Done()
	case "0008":
		reply{http.StatusOK, repeated}.write(w)
	case "0009":
		reply{http.StatusOK, good.body[:len(good.body)/2]}.write(w)
	case "0011":
		panic(http.ErrAbortHandler)
	case "0012":
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	case "0013":
		reply{http.StatusOK, good.body[:1]}.write(w)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	case "0014":
		reply{http.StatusOK, ""}.write(w)
	case "0015":
		reply{http.StatusOK, strings.Repeat(" ", 64<<10) + good.body}.write(w)
	default:
		good.write(w)
	}
}
