package solr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quire/access/search/solr"
)

func Example() {
	c := solr.New("http://solr.example:8983/solr", "quire", "", "")
	defer c.Close()
	fmt.Println(solr.OneOf("host", `a.example" OR *:*`, `b\`))
	// Output: host:("a.example\" OR *:*" OR "b\\")
}

// server answers with the statuses of a list, one a request, and then with success.
func server(t *testing.T, statuses ...int) (*solr.Client, *[]string) {
	t.Helper()
	var bodies []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		user, password, _ := r.BasicAuth()
		bodies = append(bodies, r.URL.Path+" "+user+" "+password+" "+string(text))
		if len(statuses) > 0 {
			w.WriteHeader(statuses[0])
			statuses = statuses[1:]
			_, _ = io.WriteString(w, `{"error":{"msg":"out of order"}}`)
			return
		}
		_, _ = io.WriteString(w, `{"response":{"numFound":7}}`)
	}))
	t.Cleanup(s.Close)
	c := solr.New(s.URL+"/solr/", "quire", "u", "p")
	c.Patience = 5 * time.Second
	return c, &bodies
}

// TestPatience: writing is tried again while the server is away, and not if it refuses.
func TestPatience(t *testing.T) {
	t.Parallel()
	c, bodies := server(t, 503, 429)
	if err := c.Add(t.Context(), []map[string]any{{"id": "1"}}); err != nil || len(*bodies) != 3 {
		t.Errorf("%v after %q", err, *bodies)
	}
	if (*bodies)[2] != `/solr/quire/update u p [{"id":"1"}]` {
		t.Errorf("sent %q", (*bodies)[2])
	}
	c, bodies = server(t, 400)
	var stated *solr.Error
	if err := c.Delete(t.Context(), "a:b"); !errors.As(err, &stated) || stated.Status != 400 ||
		!strings.Contains(err.Error(), "out of order") || len(*bodies) != 1 {
		t.Errorf("%v after %q", err, *bodies)
	}
	c, _ = server(t, 503)
	c.Patience = 0
	if err := c.Commit(t.Context()); !errors.As(err, &stated) {
		t.Errorf("%v", err)
	}
}

// TestSelect: an answer is decoded; an error of the server, and an ended context, are errors.
func TestSelect(t *testing.T) {
	t.Parallel()
	c, _ := server(t)
	var answer struct{ Response struct{ NumFound int } }
	err := c.Select(t.Context(), map[string]any{"query": "*:*"}, &answer)
	if err != nil || answer.Response.NumFound != 7 {
		t.Errorf("%+v, %v", answer, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Select(ctx, nil, &answer); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c, _ = server(t, 302)
	if err := c.Select(t.Context(), nil, &answer); err == nil {
		t.Error("a redirect was followed")
	}
}

// TestQuoting: no value becomes syntax.
func TestQuoting(t *testing.T) {
	t.Parallel()
	for _, hostile := range []string{`"`, `\`, `\"`, `" OR *:*`, `{!terms f=id}x`, `_query_:"x"`, "a\nb"} {
		var back string
		quoted := solr.Quote(hostile)
		if err := json.Unmarshal([]byte(strings.ReplaceAll(quoted, "\n", `\n`)), &back); err != nil || back != hostile {
			t.Errorf("%q became %s", hostile, quoted)
		}
	}
	if got := solr.List([]string{"a", "b␟c", "d"}); got != "a␟d" {
		t.Errorf("%q", got)
	}
	if got := solr.OneOf("f"); got != solr.Nothing {
		t.Error(got)
	}
}
