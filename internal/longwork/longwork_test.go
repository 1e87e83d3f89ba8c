package longwork

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

func Example() {
	ctx := With(context.Background(), Patience, func(text string) { fmt.Println(text) })
	end := Begin(ctx, "adding an index to the catalogue, for this version of quire")
	end() // in less than two seconds: nothing is printed
	// Output:
}

func TestBegin(t *testing.T) {
	var said []string
	say := func(text string) { said = append(said, text) }
	end := Begin(With(t.Context(), 0, say), "adding an index")
	if len(said) != 1 || !strings.HasPrefix(said[0], "adding an index; ") {
		t.Errorf("at the beginning: %q", said)
	}
	end()
	end()
	if len(said) != 2 || !strings.HasPrefix(said[1], "adding an index: ended after ") {
		t.Errorf("at the end: %q", said)
	}
	said = nil
	Begin(With(t.Context(), time.Hour, say), "short work")()
	Begin(t.Context(), "work without a listener")()
	if len(said) != 0 {
		t.Errorf("short work: %q", said)
	}
}

// TestReportedLater: a work is reported while it is under way.
func TestReportedLater(t *testing.T) {
	said := make(chan string, 2)
	end := Begin(With(t.Context(), time.Nanosecond, func(text string) { said <- text }), "long work")
	if got := <-said; !strings.HasPrefix(got, "long work; ") {
		t.Errorf("got %q", got)
	}
	end()
	if got := <-said; !strings.Contains(got, "ended") {
		t.Errorf("got %q", got)
	}
}
