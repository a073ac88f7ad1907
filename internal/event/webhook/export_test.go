package webhook

import (
	"context"

	"storefront/internal/platform/goroutine"
)

// SendDue sends the events that are due now, and returns when their attempts have ended.
func (s *Service) SendDue(ctx context.Context) error {
	if err := s.Prepare(ctx); err != nil {
		return err
	}
	for {
		claimed, err := s.claim(ctx, claimedAtOnce)
		if err != nil || len(claimed) == 0 {
			return err
		}
		var running goroutine.Group
		for _, e := range claimed {
			running.Start("sending events", func() { s.send(ctx, e) })
		}
		running.Wait()
	}
}
