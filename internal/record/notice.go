package record

import (
	"time"
)

// NoticeState is the state of an SMS that a shop sends.
type NoticeState string

const (
	NoticeSending NoticeState = "sending" // it is queued, or the provider is being called
	NoticeSent    NoticeState = "sent"    // the provider accepted it
	NoticeFailed  NoticeState = "failed"  // it was certainly not sent
	NoticeUnknown NoticeState = "unknown" // it may have been sent
)

// NoticeTime is the longest time that sending takes. If a notice has been sending for longer, its server has
// died.
const NoticeTime = 10 * time.Minute

// At returns the state at now of a notice that was written in state s at written.
func (s NoticeState) At(now, written time.Time) NoticeState {
	if s == NoticeSending && now.Sub(written) > NoticeTime {
		return NoticeUnknown
	}
	return s
}
