package customer

import (
	"context"
	"os"
	"time"

	"storefront/cmd/internal/must"
)

// Occupy fills all free space of a file's disk, and space that becomes free, until ctx ends.
func Occupy(ctx context.Context, file string) {
	ballast := must.Get(os.Create(file))
	defer ballast.Close()
	for size := 1 << 20; ctx.Err() == nil; {
		if _, err := ballast.Write(make([]byte, size)); err == nil {
			continue
		}
		if size > 512 { // less than a page of a database
			size /= 2
			continue
		}
		Pause(ctx, 5*time.Millisecond)
	}
}
