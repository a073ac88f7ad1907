// Package crash makes the service crash under load, again and again, and looks after each time whether
// everything that it had acknowledged is there and adds up. `make crash` runs it; it needs
// TEST_POSTGRES_URL and the built server.
//
// Sixteen customers' clients fill carts, check out and cancel over HTTP. At a random moment the server is
// killed by SIGKILL; on PostgreSQL, where TEST_POSTGRES_CRASH names a program that does it, every third time
// the database crashes instead, and the server must come back by itself. A webhook of the shop must have got
// every event of an order at the end, in the order of what happened.
//
// Before that eight clients hang up at every moment of writes with an Idempotency-Key (-hangups so many
// times), often while the same request waits beside, and send it again: each is done once, or where it is
// refused not at all.
package crash

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"

	"storefront/cmd/internal/stage"
)

// Run is the trial.
func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("crash", flag.ContinueOnError)
	kills := flags.Int("kills", 30, "crashes on each kind of database")
	hangups := flags.Int("hangups", 1000, "how often clients hang up in a write with a key, on each kind of database")
	only := flags.String("only", "", "one kind of database alone: sqlite or postgres")
	server := flags.String("server", "bin/storefront", "the program to kill")
	seed := flags.Uint64("seed", rand.Uint64(), "of what clients do and when they are interrupted; the same seed is not the same run")
	if err := flags.Parse(args); err != nil {
		return err
	}
	fmt.Fprintf(out, "seed %d\n", *seed)
	return stage.Each(ctx, *only, *server, func(s *stage.Stage) {
		s.Env = []string{"REGISTRATIONS_PER_HOUR=0", "WEBHOOK_PRIVATE_ADDRESSES=allow"}
		t := &trial{Stage: s, random: rand.New(rand.NewPCG(*seed, 0)), out: out, receiver: newReceiver()}
		defer t.receiver.Close()
		t.run(ctx, *hangups, *kills)
	})
}
