package withdrawal_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/access/withdrawal"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/sqlite"
	"quire/preserve/aip"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// requiringOne returns a repository of two copies that acknowledges a package in one.
func requiringOne(t *testing.T) (r *holdingstest.Repository, copies []string) {
	t.Helper()
	r = holdingstest.New(t)
	copies = []string{filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")}
	s, err := store.Init(context.Background(), filepath.Join(t.TempDir(), "repo"),
		store.InitOptions{Describe: aip.Describe, Copies: copies, Rules: store.Rules{Require: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	r.Store = s
	return r, copies
}

func html(t *testing.T, c *withdrawal.Certificate) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCopyAway: a certificate names the copies that lack the decision, until they have it; and the events
// that are gone.
func TestCopyAway(t *testing.T) {
	ctx := context.Background()
	r, copies := requiringOne(t)
	r.Ingest(page("a"))
	h := r.Open(holdings.Options{Unstated: holdings.Open})
	if err := os.Rename(copies[1], copies[1]+"-away"); err != nil {
		t.Fatal(err)
	}
	q := request("http://a.example/", r.Clock.Now())
	c, err := withdrawal.Withdraw(ctx, r.Store, opened(h), q)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{c.Copies[0].Name, c.Copies[1].Name}
	want := []withdrawal.Copy{{Name: names[0], Status: catalogue.Good}, {Name: names[1], Status: catalogue.Owed}}
	if !reflect.DeepEqual(c.Copies, want) || c.Everywhere() || len(c.Keeping()) != 1 {
		t.Errorf("copies %+v, want %+v", c.Copies, want)
	}
	text := html(t, c)
	if strings.Contains(text, "every copy") || !strings.Contains(text, "in 1 of its 2 copies") ||
		!strings.Contains(text, names[1]+": does not have the decision yet") {
		t.Error(text)
	}
	if err := os.Rename(copies[1]+"-away", copies[1]); err != nil {
		t.Fatal(err)
	}
	mended := func(_ store.RepairReport, err error) error { return err }
	if _, err := r.Store.Refill(ctx, "", store.RepairOptions{}, mended); err != nil {
		t.Fatal(err)
	}
	if c, err = withdrawal.Certify(ctx, r.Store, "W1"); err != nil || !c.Everywhere() || len(c.Missing) > 0 ||
		!strings.Contains(html(t, c), "in every copy") {
		t.Errorf("%+v, %v", c, err)
	}
	d, err := r.Store.Show(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Places {
		if err := os.Remove(filepath.Join(p.Path, "logs", c.Events[0].File)); err != nil {
			t.Error(err)
		}
	}
	lost := []withdrawal.MissingEvent{{Package: "a", Type: "withdrawal"}}
	if c, err = withdrawal.Certify(ctx, r.Store, "W1"); err != nil || !reflect.DeepEqual(c.Missing, lost) ||
		!strings.Contains(html(t, c), "Event missing") {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestDecided: a withdrawal that is decided, but not in place, is not called undone. The command again
// completes it.
func TestDecided(t *testing.T) {
	ctx := context.Background()
	r, _ := requiringOne(t)
	r.Ingest(page("a"))
	h := r.Open(holdings.Options{Unstated: holdings.Open})
	db, err := sqlite.Open(r.Store.Folder("catalogue.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	execute := func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	execute(`CREATE TRIGGER refuse BEFORE INSERT ON packages BEGIN SELECT RAISE(ABORT, 'refused'); END`)
	q := request("http://a.example/", r.Clock.Now())
	var unplaced *store.UnplacedError
	_, err = withdrawal.Withdraw(ctx, r.Store, opened(h), q)
	if !errors.As(err, &unplaced) || strings.Contains(err.Error(), "nothing was withdrawn") ||
		!strings.Contains(err.Error(), "is decided") {
		t.Fatal(err)
	}
	execute(`DROP TRIGGER refuse`)
	c, err := withdrawal.Withdraw(ctx, r.Store, opened(h), q)
	if err != nil || c.Withdrawal.ID != "W1" || len(c.Events) != 1 || len(c.Missing) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if all, err := withdrawal.List(ctx, r.Store); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}
