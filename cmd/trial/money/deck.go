package money

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// A cell is a fault of a gateway: one of the table that the lives fill.
type cell struct {
	Operation string `json:"operation"`
	Kind      string `json:"kind"`
	Moment    string `json:"moment"`
	Code      string `json:"code,omitempty"`
}

// String is how the gateway's ledger notes that the fault was applied.
func (c cell) String() string {
	return strings.TrimSpace(strings.Join([]string{c.Operation, c.Kind, c.Moment, c.Code}, " "))
}

// The parts of a life that meet a cell.
const (
	beginning = "beginning" // the gateway is asked to begin
	asking    = "asking"    // it is asked how the payment stands, and the customer pays and comes back
	ending    = "ending"    // it is asked to end the payment of a cancelled order
	refunding = "refunding" // it is asked for a refund
	reading   = "reading"   // it is asked which refunds it made
	checking  = "checking"  // staff test their account
)

// partOf returns the part of a life that meets a cell; empty: the service makes no such call.
func partOf(gateway string, c cell) string {
	switch gateway + " " + c.Operation {
	case "zibal request", "zarinpal request", "stripe create":
		return beginning
	case "stripe expire":
		return ending
	case "zarinpal unVerified":
		return checking
	case "stripe refund":
		return refunding
	case "stripe refunds", "stripe disputes":
		return reading
	case "zarinpal reverse", "stripe retrieveRefund":
		return ""
	}
	return asking
}

// filled is how often each cell must be met.
const filled = 3

// deck deals the cells of the gateways, each as often as it must be met.
type deck struct {
	cells map[string][]cell // by gateway
	cards map[string][]cell // by gateway and part: still to be dealt
}

func newDeck(cells map[string][]cell, seed uint64) *deck {
	d := &deck{cells: cells, cards: map[string][]cell{}}
	for _, gateway := range names {
		random := rand.New(rand.NewPCG(seed, 1))
		for _, i := range random.Perm(filled * len(cells[gateway])) {
			d.lay(gateway, cells[gateway][i/filled])
		}
	}
	return d
}

func (d *deck) lay(gateway string, c cell) {
	if part := partOf(gateway, c); part != "" {
		d.cards[gateway+" "+part] = append(d.cards[gateway+" "+part], c)
	}
}

// deal returns up to most cells.
func (d *deck) deal(gateway, part string, most int) []cell {
	all := d.cards[gateway+" "+part]
	most = min(most, len(all))
	d.cards[gateway+" "+part] = all[most:]
	return all[:most]
}

// left returns how many cells are to be dealt for a gateway.
func (d *deck) left(gateway string) (n int) {
	for _, part := range []string{beginning, asking, ending, refunding, reading, checking} {
		n += len(d.cards[gateway+" "+part])
	}
	return n
}

// refill lays what was not met often enough, by the ledgers of the gateways, and returns it and how many cells there
// are.
func (d *deck) refill(ledgers map[string]string) (missing []string, cells int, err error) {
	for _, gateway := range names {
		met, err := metIn(ledgers[gateway])
		if err != nil {
			return nil, 0, err
		}
		for _, c := range d.cells[gateway] {
			if partOf(gateway, c) == "" {
				continue
			}
			cells++
			if n := met[c.String()]; n < filled {
				missing = append(missing, fmt.Sprintf("%s %s: %d", gateway, c, n))
			}
			for range filled - met[c.String()] {
				d.lay(gateway, c)
			}
		}
	}
	return missing, cells, nil
}

// metIn returns how often each fault was applied, by a gateway's ledger.
func metIn(ledger string) (map[string]int, error) {
	text, err := os.ReadFile(ledger)
	met := map[string]int{}
	for line := range bytes.Lines(text) {
		var l struct{ Operation, Note string }
		if json.Unmarshal(line, &l) == nil && l.Operation == "fault" { // a line may just be being written
			met[l.Note]++
		}
	}
	return met, err
}

// A plan is what is drawn for a life before it begins.
type plan struct {
	number  int
	gateway string
	shop    int
	story   string
	cells   map[string][]cell // by part
}

// plans deals lives from a number on: the gateways take turns, as long as they have cells.
func (d *deck) plans(seed uint64, first, lives int) (all []plan) {
	for n := first; n < first+lives; n++ {
		random := rand.New(rand.NewPCG(seed, uint64(n)))
		p := plan{number: n, gateway: names[n%len(names)], cells: map[string][]cell{}}
		if first > 0 { // a refill: who has the most to do
			p.gateway = slices.MaxFunc(names, func(a, b string) int { return cmp.Compare(d.left(a), d.left(b)) })
		}
		p.shop = random.IntN(4) // a shop of rials or tomans, with or without delivery
		if p.gateway == "stripe" {
			p.shop = 4 + random.IntN(2)
		}
		p.story = story(random)
		p.cells[beginning] = d.deal(p.gateway, beginning, 1)
		p.cells[checking] = d.deal(p.gateway, checking, 1)
		if endings := d.deal(p.gateway, ending, 1); len(endings) > 0 && (random.IntN(2) == 0 || first > 0) {
			p.cells[ending], p.story = endings, "cancel"
		} else {
			d.cards[p.gateway+" "+ending] = append(endings, d.cards[p.gateway+" "+ending]...)
			p.cells[asking] = d.deal(p.gateway, asking, 2-min(first, 1)) // the second is not always met
		}
		if p.story != "cancel" {
			p.cells[refunding] = d.deal(p.gateway, refunding, 1)
			p.cells[reading] = d.deal(p.gateway, reading, 2-min(first, 1))
		}
		isFull := len(p.cells[asking])+len(p.cells[refunding])+len(p.cells[reading]) > 0
		if isFull && p.story != "cancel" && !slices.Contains([]string{"tabs", "twice", "nok", "cancelPaid"}, p.story) {
			p.story = "pay" // so that the gateway is asked
		}
		all = append(all, p)
	}
	return all
}

// stories are what may become of an order, with their weights.
var stories = []struct {
	name   string
	weight int
}{{"pay", 40}, {"nok", 10}, {"late", 6}, {"never", 6}, {"tabs", 10}, {"twice", 5}, {"cancelPaid", 9}, {"cancel", 3},
	{"foreign", 5}, {"declared", 5}, {"robot", 3}}

func story(random *rand.Rand) string {
	n := random.IntN(102)
	for _, s := range stories {
		if n -= s.weight; n < 0 {
			return s.name
		}
	}
	return "pay"
}
