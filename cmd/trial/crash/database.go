package crash

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"storefront/cmd/internal/scratch"
)

// databaseCrash is the program that makes the database's server crash and starts it again; it is empty
// where there is none.
func (t *trial) databaseCrash() string {
	if t.Kind == scratch.SQLite {
		return "" // it is part of the service
	}
	return os.Getenv("TEST_POSTGRES_CRASH")
}

// crashDatabase makes the database's server crash, and returns when it runs again.
func (t *trial) crashDatabase(ctx context.Context) error {
	if said, err := exec.CommandContext(ctx, t.databaseCrash()).CombinedOutput(); err != nil {
		return fmt.Errorf("crash the database: %w: %s", err, said)
	}
	for { // connections from before are broken
		err := t.Admin.PingContext(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}
