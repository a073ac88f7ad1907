package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// attack is one way to harm the service. Strike sends a few requests, or holds something for a while; each
// worker calls it again and again.
type attack struct {
	name    string
	workers int
	strike  func(ctx context.Context, w *attacker)
}

// attacks run all at once. Together they keep about 40 requests under way, beside connections that only
// stand there.
var attacks = []attack{
	{"codes to many numbers", 4, pumpCodes},
	{"codes from many addresses", 3, pumpCodesFromAnywhere},
	{"codes from a network", 2, pumpCodesFromNetworks},
	{"who knows the number", 3, knowTheNumber},
	{"wrong passwords", 4, guessPasswords},
	{"wrong passwords of a customer", 2, lockOut},
	{"guesses at codes", 3, guessCodes},
	{"29 aliases of facets", 2, askForFacets},
	{"counts with huge filters", 2, askForCounts},
	{"lists of long texts", 2, askForLongTexts},
	{"comments", 2, writeComments},
	{"huge and deep bodies", 2, sendHugeBodies},
	{"bodies that drip", 4, dripBodies},
	{"bodies that never come", 4, announceBodies},
	{"idle connections", 1, standIdle},
	{"imports of the large shop", 1, importAgain},
	{"any request to any route", 6, fuzzRoutes},
	{"any document", 3, fuzzDocuments},
}

// attacker is one worker of an attack.
type attacker struct {
	*client
	trial  *trial
	rounds int
	wanted json.RawMessage // values of a huge filter
	huge   [][]byte        // bodies
	fuzz   *fuzzer
}

// chosen are the attacks that the flags name.
func (t *trial) chosen() []attack {
	if t.settings.attacks == "" {
		return attacks
	}
	names := strings.Split(t.settings.attacks, ",")
	return slices.DeleteFunc(slices.Clone(attacks), func(a attack) bool {
		return !slices.Contains(names, a.name)
	})
}

func (t *trial) newAttacker(a attack, n int) *attacker {
	return &attacker{client: t.newClient(fmt.Sprintf("127.6.%d.%d", 6+n, 1+len(a.name)), t.tallies.Of(a.name)),
		trial: t, fuzz: t.shops.fuzzer}
}

// elsewhere is the attacker at another address, for one request.
func (w *attacker) elsewhere() *client { return w.client.at(w.trial, anywhere(w.random)) }

// anywhere is a random address of an attacker who has some hundreds.
func anywhere(r *rand.Rand) string { return fmt.Sprintf("127.66.%d.%d", r.IntN(2), 1+r.IntN(200)) }
