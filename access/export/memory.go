package export

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// memory is what a Handler knows without looking: as of when what is on the shelf is right, and
// what could not be made. It may forget.
type memory struct {
	mu    sync.Mutex
	right map[string]rightAsOf
	never map[string]refusal
}

// rightAsOf says that what lies on the shelf in a state is right while the holdings have that
// stamp.
type rightAsOf struct {
	stamp any
	state string
}

// refusal says that something is too much for this server, as it is.
type refusal struct {
	state string
	err   error
	until time.Time
}

const (
	mostKnown  = 10_000
	refusedFor = time.Hour // what took too long may be quicker when less is asked for
)

func (m *memory) note(what string, stamp any, state string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.right == nil || len(m.right) >= mostKnown {
		m.right = map[string]rightAsOf{}
	}
	m.right[what] = rightAsOf{stamp, state}
}

// state gives the state of what is right now; "" when that is not known.
func (m *memory) state(what string, stamp any) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.right[what]; ok && r.stamp == stamp {
		return r.state
	}
	return ""
}

// refuse remembers that something is too long, or takes too long.
func (m *memory) refuse(what, state string, err, cause error) {
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

// refused gives the error of what could not be made an hour ago or less, and would be the same.
func (m *memory) refused(what, state string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.never[what]; ok && r.state == state && time.Now().Before(r.until) {
		return fmt.Errorf("as it was found before: %w", r.err)
	}
	return nil
}
