package holdings_test

import (
	"context"
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestTitleIsDecidedLikeItsPage: a title from a page is content: it is shown only where the page is
// shown. Even staff do not see a blocked one.
func TestTitleIsDecidedLikeItsPage(t *testing.T) {
	r := holdingstest.New(t)
	for id, rights := range map[string]string{"open": "access: open", "closed": "access: restricted", "blocked": "access: open",
		"hidden": "access: open"} {
		r.Ingest(holdingstest.Package{ID: id, Rights: rights, Containers: map[string]string{
			"a.warc": holdingstest.Response("1", "http://"+id+".example/", date1, "text/html", "<title>SECRET "+id+"</title>") +
				holdingstest.Response("2", "http://"+id+".example/b", date1, "text/html", "<p>b"),
		}})
	}
	h := r.Open(holdings.Options{Rules: r.Rules("rules:\n" +
		"  - urls: [\"http://blocked.example/\"]\n    except: [\"http://blocked.example/b\"]\n    access: blocked\n" +
		"  - urls: [\"http://hidden.example/\"]\n    except: [\"http://hidden.example/b\"]\n    access: " +
		"blocked\n    hidden: true\n")})
	for _, c := range []struct {
		id            string
		public, staff string
	}{
		{"open", "SECRET open", "SECRET open"},
		{"closed", "closed", "SECRET closed"},
		{"blocked", "blocked.example", "blocked.example"},
		{"hidden", "hidden", "hidden.example"},
	} {
		for who, want := range map[*holdings.Reader]string{&public: c.public, &staff: c.staff} {
			p, err := h.Package(context.Background(), *who, c.id)
			if err != nil {
				t.Fatal(err)
			}
			if p.Title != want {
				t.Errorf("%s, %s: title %q, want %q", c.id, who.Class, p.Title, want)
			}
			for listed, err := range h.Packages(context.Background(), *who) {
				if err != nil {
					t.Fatal(err)
				}
				if listed.ID == c.id && listed.Title != want {
					t.Errorf("%s, %s: title %q in the list, want %q", c.id, who.Class, listed.Title, want)
				}
			}
		}
	}
}
