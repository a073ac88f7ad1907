package webhook

import (
	"math/rand/v2"
	"time"
)

const (
	firstPause   = 5 * time.Second
	longestPause = 3 * time.Hour

	pauseAfter   = 5              // consecutive failures after which an endpoint is paused
	disableAfter = 72 * time.Hour // of failures only
)

// backoff returns the wait after so many failed attempts: three times as long after each, plus or minus a
// quarter, so that events that failed together are not retried together.
func backoff(failed int) time.Duration {
	pause := firstPause
	for i := 1; i < failed && pause < longestPause; i++ {
		pause *= 3
	}
	pause = min(pause, longestPause)
	return (pause - pause/4 + rand.N(pause/2)).Truncate(time.Microsecond)
}
