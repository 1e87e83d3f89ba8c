package export

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// validity is a cache of a Handler: until when a stored export is valid, and which exports failed.
// Entries may be dropped.
type validity struct {
	mu    sync.Mutex
	right map[string]rightAsOf
	never map[string]refusal
}

// rightAsOf records that a stored export with this state is valid while the holdings have that
// stamp.
type rightAsOf struct {
	stamp any
	state string
}

// refusal records that an export exceeds the server's limits, in its current state.
type refusal struct {
	state string
	err   error
	until time.Time
}

const (
	mostKnown  = 10_000
	refusedFor = time.Hour // a slow export may be faster when the load falls
)

func (m *validity) note(what string, stamp any, state string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.right == nil || len(m.right) >= mostKnown {
		m.right = map[string]rightAsOf{}
	}
	m.right[what] = rightAsOf{stamp, state}
}

// state returns the state of an export if it is still valid; "" if unknown.
func (m *validity) state(what string, stamp any) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.right[what]; ok && r.stamp == stamp {
		return r.state
	}
	return ""
}

// refuse records that an export is too large, or takes too long.
func (m *validity) refuse(what, state string, err, cause error) {
	var large *LimitError
	var late *TimeError
	switch {
	case errors.As(err, &large):
		err = large
	case errors.As(cause, &late):
		err = late
	default:
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.never == nil || len(m.never) >= mostKnown {
		m.never = map[string]refusal{}
	}
	m.never[what] = refusal{state, err, time.Now().Add(refusedFor)}
}

// refused returns the error of an export that failed within the last hour and would fail again.
func (m *validity) refused(what, state string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.never[what]; ok && r.state == state && time.Now().Before(r.until) {
		return fmt.Errorf("an earlier attempt failed: %w", r.err)
	}
	return nil
}
