package purge

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"quire/access/search"
)

// TestUnlessBusy: a purge waits for another writer of the index, but not for ever, and for no other error.
func TestUnlessBusy(t *testing.T) {
	busy := fmt.Errorf("the index: %w", search.ErrBusy)
	calls := 0
	err := unlessBusy(t.Context(), time.Hour, func() error {
		if calls++; calls < 3 {
			return busy
		}
		return nil
	})
	if err != nil || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
	if err := unlessBusy(t.Context(), 0, func() error { return busy }); !errors.Is(err, search.ErrBusy) {
		t.Errorf("without patience: %v", err)
	}
	other := errors.New("the disk is full")
	if err := unlessBusy(t.Context(), time.Hour, func() error { return other }); !errors.Is(err, other) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := unlessBusy(ctx, time.Hour, func() error { return busy }); !errors.Is(err, search.ErrBusy) {
		t.Errorf("stopped: %v", err)
	}
}
