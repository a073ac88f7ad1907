package hostile

import (
	"context"
	"time"

	"storefront/cmd/internal/child"
)

// importAgain imports the large shop, every product of which has changed since the last time.
func importAgain(ctx context.Context, w *attacker) {
	w.rounds++
	spent, err := child.Run(ctx, w.trial.environment(), w.trial.settings.server, "import",
		w.trial.large(w.rounds))
	if ctx.Err() != nil {
		return // it was interrupted
	}
	a := answer{request: "import", status: 200, took: spent.Time}
	if err != nil {
		a.status, a.body = 500, []byte(err.Error())
	}
	w.tally.add(a)
	wait(ctx, time.Second)
}
