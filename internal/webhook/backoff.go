package webhook

import (
	"math/rand/v2"
	"time"
)

const (
	firstPause   = 5 * time.Second
	longestPause = 3 * time.Hour

	pauseAfter   = 5              // attempts in a row that failed, after which an endpoint is left alone for a while
	disableAfter = 72 * time.Hour // of nothing but failures
)

// backoff is how long to wait after so many attempts that failed: three times as long after each, give or
// take a quarter, so that those that failed together do not come back together.
func backoff(failed int) time.Duration {
	pause := firstPause
	for i := 1; i < failed && pause < longestPause; i++ {
		pause *= 3
	}
	pause = min(pause, longestPause)
	return (pause - pause/4 + rand.N(pause/2)).Truncate(time.Microsecond)
}
