package record

import (
	"io"
	"time"
)

// NoticeState says what became of an SMS that a shop sent to somebody.
type NoticeState string

const (
	NoticeSending NoticeState = "sending" // it waits, or the provider is being called
	NoticeSent    NoticeState = "sent"    // the provider took it
	NoticeFailed  NoticeState = "failed"  // it was certainly not sent
	NoticeUnknown NoticeState = "unknown" // it may have been sent
)

// Values lists every NoticeState.
func (NoticeState) Values() []string { return []string{"sending", "sent", "failed", "unknown"} }

// NoticeTime is how long sending takes at most. The server of a notice that is sending for longer has died.
const NoticeTime = 10 * time.Minute

// At returns the state at a moment of a notice that was written at another.
func (s NoticeState) At(now, written time.Time) NoticeState {
	if s == NoticeSending && now.Sub(written) > NoticeTime {
		return NoticeUnknown
	}
	return s
}

func (s NoticeState) MarshalGQL(w io.Writer)    { marshal(w, s) }
func (s *NoticeState) UnmarshalGQL(v any) error { return unmarshal(s, v) }
