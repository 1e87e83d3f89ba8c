package purge_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/pictures"
	"quire/access/purge"
	"quire/access/search"
	"quire/access/thumbnail"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/repository/disposal"
	"quire/repository/store"
)

const date = "2015-01-02T03:04:05Z"

// shared is the text of a page that revisits elsewhere repeat. It shows a picture of another package.
const shared = `<p>shared Secretbody <img src=http://needy.example/own.png alt="Secretalt">`

// secretPackage has two pages; the second is repeated by revisits elsewhere.
func secretPackage() holdingstest.Package {
	return holdingstest.Package{ID: "secret", Rights: "access: open\n", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://secret-host.example/page", date, "text/html",
			"<title>Secretitle</title><p>Zyxwvutsrq of the page") +
			holdingstest.Response("2", "http://secret-host.example/shared", date, "text/html", shared) +
			holdingstest.Response("4", "http://secret-host.example/page/shot.png", date, "image/png", shot())}}
}

// shot is a picture that the index of pictures takes.
func shot() string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 64, 64))); err != nil {
		panic(err)
	}
	return b.String()
}

// keeper has a page of its own, and a revisit of the second page.
func keeper(id string, more string) holdingstest.Package {
	return holdingstest.Package{ID: id, Rights: "access: open\n", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://"+id+".example/", date, "text/html", "<p>kept words") + more}}
}

func revisit(url string) string {
	return holdingstest.Revisit("3", url, "2016-01-02T03:04:05Z", "text/html", shared,
		"http://secret-host.example/shared", date)
}

// found lists the files below a folder with a text of the package.
func found(t *testing.T, dir string, texts ...string) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, s := range texts {
			if bytes.Contains(bytes.ToLower(text), []byte(strings.ToLower(s))) {
				paths = append(paths, strings.TrimPrefix(path, dir)+": "+s)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// text opens the indexes of texts and pictures, and brings them up to date.
func text(t *testing.T, h *holdings.Holdings) {
	t.Helper()
	x, err := search.Open(context.Background(), filepath.Join(h.Dir(), "text"), h, search.Options{})
	if err == nil {
		err = errors.Join(x.Update(context.Background()), x.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := pictures.Open(context.Background(), filepath.Join(h.Dir(), pictures.DirName), h, nil)
	if err == nil {
		err = errors.Join(p.Update(context.Background()), p.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestPurge: a purge is refused while other packages need payloads, unless the request names them. It then
// leaves no word, URL or title of the package in the repository, not even in the indexes; a revisit that
// lost its payload stays without it.
func TestPurge(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(secretPackage())
	r.Ingest(keeper("keeper", ""))
	r.Ingest(keeper("needy", revisit("http://needy.example/again")+
		holdingstest.Response("5", "http://needy.example/own.png", date, "image/png", shot())))
	root := r.Store.Folder("")
	o := holdings.Options{Unstated: holdings.Open, Dir: r.Store.Folder("access")}
	h := r.Open(o)
	text(t, h)
	r.Write(filepath.Join(h.Dir(), thumbnail.DirName, "a-thumbnail"), "Zyxwvutsrq, made smaller")
	dropped := errors.New("in use")
	readers := purge.Readers{Open: func() (*holdings.Holdings, error) { return h, nil },
		Harvesters: func() error { return dropped }}
	request := store.PurgeRequest{Package: "secret", Because: "file 17", Authority: "the board", By: "Ada"}
	if _, err := purge.Request(ctx, r.Store, readers, request); !errors.Is(err, purge.ErrNeeded) ||
		!strings.Contains(err.Error(), "needy (1 revisit)") || strings.Contains(err.Error(), "keeper") {
		t.Fatal(err)
	}
	request.Although = []string{"needy"}
	p, err := purge.Request(ctx, r.Store, readers, request)
	if err != nil {
		t.Fatal(err)
	}
	r.Ingest(keeper("late", revisit("http://late.example/again")))
	if _, err := purge.Approve(ctx, r.Store, readers, p.Token, "Bob"); !errors.Is(err, purge.ErrNeeded) ||
		!strings.Contains(err.Error(), "late") {
		t.Errorf("a package that came after the request: %v", err)
	}
	if _, err := r.Store.CancelPurge(ctx, p.ID, "Ada", ""); err != nil {
		t.Fatal(err)
	}
	request.Although = []string{"needy", "late"}
	if p, err = purge.Request(ctx, r.Store, readers, request); err != nil {
		t.Fatal(err)
	}
	words := []string{"Zyxwvutsrq", "Secretitle", "Secretalt", "secret-host.example/page", "example,secret-host)/page"}
	if where := fmt.Sprint(found(t, root, words...)); !strings.Contains(where, "pictures.db: Secretalt") ||
		!strings.Contains(where, "text.db") {
		t.Fatalf("the words are only in %s", where)
	}
	if _, err := purge.Approve(ctx, r.Store, readers, p.Token, "Bob"); !errors.Is(err, dropped) {
		t.Errorf("while the index for harvesters is in use: %v", err)
	}
	all, err := r.Store.Purges(ctx)
	if err != nil || all[1].State != disposal.Purged || len(all[1].Pending) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	dropped = nil
	if all, err = purge.Finish(ctx, r.Store, readers); err != nil || len(all[1].Pending) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if where := found(t, root, words...); len(where) > 0 {
		t.Errorf("found in %q", where)
	}
	for url, want := range map[string]int{"http://keeper.example/": 1, "http://needy.example/again": 1,
		"http://secret-host.example/shared": 0} {
		if got := len(r.Find(h, holdings.Reader{Class: holdings.Staff}, url)); got != want {
			t.Errorf("%s: %d captures, want %d", url, got, want)
		}
	}
	if c := r.Find(h, holdings.Reader{Class: holdings.Staff}, "http://needy.example/again")[0]; c.Payload != nil {
		t.Errorf("the revisit leads to %+v", c.Payload)
	}
	if err := r.Store.Close(); err != nil {
		t.Fatal(err)
	}
	if where := found(t, root, words...); len(where) > 0 {
		t.Errorf("after the repository is closed, found in %q", where)
	}
}

// TestPurgeAllSteps: an index that cannot be cleared does not keep the others from being cleared; the purge stays
// pending.
func TestPurgeAllSteps(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(secretPackage())
	r.Ingest(keeper("keeper", ""))
	h := r.Open(holdings.Options{Unstated: holdings.Open, Dir: r.Store.Folder("access")})
	text(t, h)
	lock := filepath.Join(h.Dir(), pictures.DirName, "lock")
	if err := errors.Join(os.Remove(lock), os.Mkdir(lock, 0o750)); err != nil {
		t.Fatal(err)
	}
	dropped := 0
	readers := purge.Readers{Open: func() (*holdings.Holdings, error) { return h, nil },
		Harvesters: func() error { dropped++; return nil }}
	p, err := purge.Request(ctx, r.Store, readers, store.PurgeRequest{Package: "secret", Because: "file 17",
		Authority: "the board", By: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	status, err := purge.Approve(ctx, r.Store, readers, p.Token, "Bob")
	if err == nil || !strings.Contains(err.Error(), lock) || dropped != 1 || len(status.Pending) != 1 {
		t.Errorf("%+v, %v; harvesters dropped %d times", status, err, dropped)
	}
	if where := found(t, filepath.Join(h.Dir(), "text"), "Zyxwvutsrq", "Secretitle"); len(where) > 0 {
		t.Errorf("the index of texts still has %q", where)
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	if all, err := purge.Finish(ctx, r.Store, readers); err != nil || len(all[0].Pending) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if where := found(t, h.Dir(), "secret-host.example/page/shot"); len(where) > 0 {
		t.Errorf("found in %q", where)
	}
}

// TestPurgeMeanwhile: a package that is purged while the indexes are written anew may be in them, so this stays
// pending until the next time.
func TestPurgeMeanwhile(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	var tokens []string
	for _, id := range []string{"first", "second"} {
		r.Ingest(keeper(id, ""))
		p, err := r.Store.RequestPurge(ctx, store.PurgeRequest{Package: id, Because: "file 17", Authority: "the board",
			By: "Ada"})
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, p.Token)
	}
	h := r.Open(holdings.Options{Unstated: holdings.Open, Dir: r.Store.Folder("access")})
	meanwhile := func() error {
		_, err := r.Store.ApprovePurge(ctx, tokens[1], "Bob", nil)
		return err
	}
	readers := purge.Readers{Open: func() (*holdings.Holdings, error) { return h, nil },
		Harvesters: func() error { return meanwhile() }}
	if _, err := purge.Approve(ctx, r.Store, readers, tokens[0], "Bob"); err != nil {
		t.Fatal(err)
	}
	all, err := r.Store.Purges(ctx)
	if err != nil || len(all[0].Pending) != 0 || len(all[1].Pending) != 1 ||
		all[1].Pending[0].Place != store.PurgeIndexes {
		t.Errorf("%+v, %v", all, err)
	}
	meanwhile = func() error { return nil }
	if all, err = purge.Finish(ctx, r.Store, readers); err != nil || len(all[1].Pending) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestFree: a payload that a third package has, too, is not needed.
func TestFree(t *testing.T) {
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(secretPackage())
	r.Ingest(keeper("needy", revisit("http://needy.example/again")))
	r.Ingest(keeper("third", holdingstest.Response("2", "http://third.example/x", date, "text/html",
		shared)))
	h := r.Open(holdings.Options{Unstated: holdings.Open})
	readers := purge.Readers{Open: func() (*holdings.Holdings, error) { return h, nil }}
	p, err := purge.Request(ctx, r.Store, readers, store.PurgeRequest{Package: "secret", Because: "file 17",
		Authority: "the board", By: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	status, err := purge.Approve(ctx, r.Store, readers, p.Token, "Bob")
	if err != nil || len(status.Pending) > 0 || len(status.Done) != 4 {
		t.Errorf("%+v, %v", status, err)
	}
	c := r.Find(h, holdings.Reader{Class: holdings.Public}, "http://needy.example/again")
	if len(c) != 1 || c[0].Payload == nil || c[0].Payload.Package != "third" {
		t.Errorf("%+v", c)
	}
}
