package store

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	remote "quire/repository/place"
)

// silentPlace is a place that does not answer.
type silentPlace struct {
	remote.Place
	asked int
}

func (p *silentPlace) Open(ctx context.Context, _ string, _ int64) (io.ReadCloser, error) {
	p.asked++
	<-ctx.Done()
	return nil, ctx.Err()
}

func (p *silentPlace) Replace(ctx context.Context, _ string, _ []byte) error {
	if _, bounded := ctx.Deadline(); !bounded {
		return errors.New("it would wait for ever")
	}
	<-ctx.Done()
	return ctx.Err()
}

// TestSilentWrite: writing the identity of a far copy does not wait for ever.
func TestSilentWrite(t *testing.T) {
	s := newRepository(t)
	mustAdd(t, s, mount(t))
	far := s.copies[len(s.copies)-1]
	far.far, far.silence.patience = &silentPlace{Place: far.far}, 10*time.Millisecond
	if err := far.sign(s.id, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// TestSilentPlace checks that a far copy that does not answer is asked once for many packages, and again
// later.
func TestSilentPlace(t *testing.T) {
	s := newRepository(t)
	mustAdd(t, s, mount(t))
	far := s.copies[len(s.copies)-1]
	there := far.far
	silent := &silentPlace{Place: there}
	far.far, far.silence.patience = silent, 10*time.Millisecond
	for range 5 {
		if got := s.farPresent(); len(got) > 0 {
			t.Error("a silent copy is present")
		}
	}
	if silent.asked != 1 {
		t.Errorf("asked %d times", silent.asked)
	}
	far.silence.until = time.Now()
	far.far = there
	far.silence.patience = farPatience
	if got := s.farPresent(); len(got) != 1 {
		t.Error("a copy that answers again is away")
	}
}

// TestDocumentWithoutFolders checks that a program that reads a document, such as the access rules, does not wait for a
// far copy if no folder has it.
func TestDocumentWithoutFolders(t *testing.T) {
	s := newRepository(t)
	mustAdd(t, s, mount(t))
	r := mustSet(t, s, "rules: []", "first")
	for _, c := range s.folders() {
		remove(t, c.object(r.Object))
	}
	far := s.copies[len(s.copies)-1]
	silent := &silentPlace{Place: far.far}
	far.far, far.silence.patience = silent, 10*time.Millisecond
	if _, _, err := s.Document(context.Background(), RulesDocument, 0); err == nil || silent.asked > 0 {
		t.Errorf("the far copy was asked %d times: %v", silent.asked, err)
	}
}
