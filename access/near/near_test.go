package near_test

import (
	"fmt"
	"testing"

	"quire/access/missed"
	"quire/access/near"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/model"
)

const logged = "2015-01-02T03:04:05.000Z %5d          - %s L http://a.example/ text/html #001 - - - -\n"

func Example() {
	for _, g := range []near.Group{near.Elsewhere, near.Alike, near.Host} { // in the order of Captures
		fmt.Println(g)
	}
	// Output:
	// near.elsewhere
	// near.alike
	// near.host
}

// TestNear: what is near a URL is found under the rights of the reader, and so is the reason why it
// was not captured.
func TestNear(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const at = "http://a.example/"
	page := func(id, url, date string) string {
		return holdingstest.Response(id, url, date, "text/html", "<title>"+id+"</title>"+id)
	}
	r.Ingest(holdingstest.Package{ID: "one", Rights: "access: open", Containers: map[string]string{
		"a.warc": page("1", at, "2015-01-02T03:04:05Z") + page("9", at+"news", "2018-01-02T03:04:05Z") +
			page("2", at+"list?page=1", "2015-01-02T03:04:06Z") + page("3", at+"list?page=2",
			"2015-01-02T03:04:07Z") + page("4", at+"news", "2015-01-02T03:04:08Z") +
			page("5", at+"secret", "2015-01-02T03:04:09Z") +
			holdingstest.Response("6", at+"i.png", "2015-01-02T03:04:10Z", "image/png", "i")},
		Logs: map[string]string{"logs/crawl.log": fmt.Sprintf(logged, -9998, at+"robots") +
			fmt.Sprintf(logged, -2, at+"secret") + fmt.Sprintf(logged, 200, at+"news")}})
	r.Ingest(holdingstest.Package{ID: "two", Rights: "access: open", Containers: map[string]string{"b.warc": page("7",
		"http://b.example/", "2016-01-02T03:04:05Z")}})
	r.Ingest(holdingstest.Package{ID: "closed", Rights: "access: restricted", Containers: map[string]string{
		"c.warc": page("8", "http://c.example/", "2016-01-02T03:04:05Z")},
		Logs: map[string]string{"logs/crawl.log": fmt.Sprintf(logged, -9998, "http://c.example/robots")}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [" + at + "secret]\n    access: blocked\n" +
		"    hidden: true\n")})
	lists := missed.Open(t.TempDir(), h)
	t.Cleanup(func() { _ = lists.Close() })
	public, staff := holdings.Reader{Class: holdings.Public}, holdings.Reader{Class: holdings.Staff}
	for _, c := range []struct {
		name string
		q    near.Question
		want string
	}{
		{"another query", near.Question{URL: at + "list?page=9"},
			"[{near.alike http://a.example/list?page=1 20150102030406} " +
				"{near.alike http://a.example/list?page=2 20150102030407} " +
				"{near.host http://a.example/ 20150102030405} {near.host http://a.example/news 20180102030405}]"},
		{"without the query", near.Question{URL: at + "news?x=1", Timestamp: "2016"},
			"[{near.alike http://a.example/news 20150102030408} {near.host http://a.example/ 20150102030405} " +
				"{near.host http://a.example/list?page=1 20150102030406} " +
				"{near.host http://a.example/list?page=2 20150102030407}]"},
		{"another collection", near.Question{URL: "http://b.example/", Packages: []string{"one"}},
			"[{near.elsewhere http://b.example/ 20160102030405}]"},
		{"closed", near.Question{URL: "http://c.example/x"}, "[]"},
	} {
		if got := fmt.Sprint(near.Captures(t.Context(), h, public, c.q)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		name string
		who  holdings.Reader
		url  string
		want []model.Miss
	}{
		{"robots, to the public", public, at + "robots", []model.Miss{model.MissRobots}},
		{"robots", staff, at + "robots", []model.Miss{model.MissRobots}},
		{"by its key", staff, "https://a.example/robots", []model.Miss{model.MissRobots}},
		{"hidden", public, at + "secret", nil},
		{"captured", staff, at + "news", nil},
		{"closed", public, "http://c.example/robots", nil},
		{"closed, for curators", staff, "http://c.example/robots", []model.Miss{model.MissRobots}},
		{"never named", staff, at + "never", nil},
	} {
		var got []model.Miss
		for range 50 { // the first readers do not wait for the list
			got = nil
			all, err := near.Wanted(t.Context(), h, lists, c.who, near.Question{URL: c.url})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range all {
				got = append(got, w.Reason)
			}
			if len(got) == len(c.want) {
				break
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
