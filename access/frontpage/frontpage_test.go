package frontpage_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"testing"
	"testing/synctest"
	"time"

	"quire/access/frontpage"
	"quire/holdings"
	"quire/holdings/captures"
)

// listed is an archive that counts its queries.
type listed struct {
	all     []holdings.Judged
	stamp   int
	queries int
	counted int
	slow    chan struct{} // if not nil, each count waits for it
}

func (l *listed) Stamp(context.Context) (any, error) { return l.stamp, nil }

func (l *listed) Captures(_ context.Context, _ holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error] {
	l.queries++
	return func(yield func(holdings.Judged, error) bool) {
		for _, c := range l.all {
			if (q.URL == "" || q.URL == c.URL) && !yield(c, nil) {
				return
			}
		}
	}
}

func (l *listed) Counts(_ context.Context, who holdings.Reader, _ captures.Query, _ captures.Period) ([]holdings.Count,
	error) {
	l.counted++
	if l.slow != nil {
		<-l.slow
	}
	n := len(l.all)
	if who.Class == holdings.Public {
		n--
	}
	year := func(n int) holdings.Count { return holdings.Count{Count: captures.Count{Captures: n}, Denied: 9} }
	return []holdings.Count{year(1), year(n - 1)}, nil
}

func capture(url, mime string, status int) holdings.Judged {
	c := &captures.Capture{URL: url, Timestamp: "20150102030405", MIME: mime, Status: status}
	return holdings.Judged{Capture: c, Decision: holdings.Decision{Allowed: true}}
}

func museum() *listed {
	moved := capture("http://a.example/old", "text/html", 301)
	moved.Location = "http://a.example/new"
	return &listed{all: []holdings.Judged{moved, capture("http://a.example/new", "text/html", 200),
		capture("http://a.example/logo.png", "image/png", 200)}}
}

func ExampleChooser() {
	c := frontpage.New(museum(), time.Now)
	fronts, err := c.Choose(context.Background(), holdings.Reader{Class: holdings.Public}, "museum",
		[]string{"http://a.example/old"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fronts)
	// Output: [http://a.example/new]
}

// TestKept: a choice is made once, until decisions may have changed or a minute has passed; each class of
// readers has its own, and readers with packages of their own have none.
func TestKept(t *testing.T) {
	t.Parallel()
	l, now := museum(), time.Unix(0, 0)
	c := frontpage.New(l, func() time.Time { return now })
	public := holdings.Reader{Class: holdings.Public}
	for _, step := range []struct {
		name   string
		who    holdings.Reader
		change func()
		asks   bool
	}{
		{"at first", public, func() {}, true},
		{"again", public, func() {}, false},
		{"another class", holdings.Reader{Class: holdings.Staff}, func() {}, true},
		{"other packages", holdings.Reader{Class: holdings.Staff, Packages: []string{"museum"}}, func() {}, true},
		{"other packages again", holdings.Reader{Class: holdings.Staff, Packages: []string{"museum"}}, func() {}, true},
		{"a changed decision", public, func() { l.stamp++ }, true},
		{"after it", public, func() {}, false},
		{"a minute later", public, func() { now = now.Add(61 * time.Second) }, true},
	} {
		step.change()
		before := l.queries
		fronts, err := c.Choose(t.Context(), step.who, "museum", []string{"http://a.example/old"})
		if err != nil || len(fronts) != 1 || fronts[0] != "http://a.example/new" {
			t.Errorf("%s: %v, %v", step.name, fronts, err)
		}
		if asked := l.queries > before; asked != step.asks {
			t.Errorf("%s: asked %v", step.name, asked)
		}
	}
}

// TestAbout: a website in a list has its host and its open captures, counted once for each class of
// readers while no decision changes.
func TestAbout(t *testing.T) {
	t.Parallel()
	l, now := museum(), time.Unix(0, 0)
	c := frontpage.New(l, func() time.Time { return now })
	for i, step := range []struct {
		who     holdings.Reader
		open    int64
		counted int
	}{
		{holdings.Reader{Class: holdings.Public}, 2, 1}, {holdings.Reader{Class: holdings.Public}, 2, 1},
		{holdings.Reader{Class: holdings.Staff}, 3, 2}, {holdings.Reader{Class: holdings.Public}, 2, 2},
		{holdings.Reader{Class: holdings.Public, Packages: []string{}}, 2, 3},
	} {
		got, err := c.About(t.Context(), step.who, "museum", []string{"http://a.example/old"})
		want := frontpage.Summary{Host: "a.example", Captures: step.open}
		if err != nil || got != want || l.counted != step.counted {
			t.Errorf("%d: %+v, counted %d times, %v", i, got, l.counted, err)
		}
	}
	l.stamp++
	if _, err := c.About(t.Context(), holdings.Reader{Class: holdings.Public}, "museum", nil); err != nil ||
		l.counted != 4 {
		t.Errorf("a change of decisions: counted %d times, %v", l.counted, err)
	}
}

// TestAboutInBackground: a website whose count takes longer than a request is counted once, and later requests have the
// number. A number that is a minute old is shown while it is counted again. One from before a change of decisions is
// not shown.
func TestAboutInBackground(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := museum()
		l.slow = make(chan struct{})
		c := frontpage.New(l, time.Now)
		about := func(who holdings.Class) (frontpage.Summary, error) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			s, err := c.About(ctx, holdings.Reader{Class: who}, "museum", []string{"http://a.example/old"})
			synctest.Wait()
			return s, err
		}
		for range 3 {
			if _, err := about(holdings.Public); !errors.Is(err, context.DeadlineExceeded) || l.counted != 1 {
				t.Errorf("counted %d times, %v", l.counted, err)
			}
		}
		if _, err := about(holdings.Staff); !errors.Is(err, context.DeadlineExceeded) || l.counted != 1 {
			t.Errorf("two are counted at once: %d, %v", l.counted, err)
		}
		l.slow <- struct{}{}
		l.slow <- struct{}{}
		synctest.Wait()
		want := frontpage.Summary{Host: "a.example", Captures: 2}
		if got, err := about(holdings.Public); got != want || err != nil || l.counted != 2 {
			t.Errorf("%+v, counted %d times, %v", got, l.counted, err)
		}
		time.Sleep(2 * time.Minute)
		if got, err := about(holdings.Public); got != want || err != nil || l.counted != 3 {
			t.Errorf("old: %+v, counted %d times, %v", got, l.counted, err)
		}
		l.slow <- struct{}{}
		synctest.Wait()
		l.stamp++
		if got, err := about(holdings.Public); err == nil || got.Captures != 0 || l.counted != 4 {
			t.Errorf("from before a change: %+v, counted %d times, %v", got, l.counted, err)
		}
		close(l.slow)
	})
}
