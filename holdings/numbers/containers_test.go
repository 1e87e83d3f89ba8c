package numbers

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/report"
	"quire/repository/store"
)

// TestContainers: the numbers of one container in a repository are those of quire stats over the file.
func TestContainers(t *testing.T) {
	ctx := context.Background()
	r := repotest.New(t)
	folder := r.Pack(repotest.Package{ID: "a", Containers: made()})
	if _, err := r.Store.Ingest(ctx, folder, store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	names := []string{"containers/a.warc", "containers/b.warc"}
	counts := map[string]string{}
	for _, name := range names {
		file := filepath.Join(folder, filepath.FromSlash(name))
		for _, by := range every {
			if by == report.ByFormat { // the package was made without
				continue
			}
			one := func(yield func(*model.Container, error) bool) {
				yield(inspect.File(ctx, file, inspect.Options{Languages: true}))
			}
			want, err := report.Stats(one, by)
			if err != nil {
				t.Fatal(err)
			}
			want.Rows = slices.DeleteFunc(want.Rows, func(r report.Row) bool {
				return r.Name == string(inspect.FaultFilename) // quire pack does not compare the name of a file
			})
			got := table(t, r.Store, Query{By: by, Package: "a", Container: name})
			if !reflect.DeepEqual(got.Rows, want.Rows) || got.Containers != 1 || got.Scope.Container != name {
				t.Errorf("%s by %s:\n got %+v, %+v\nwant %+v", name, by, got.Rows, got.Scope, want.Rows)
			}
			if by == report.ByOutcome {
				counts[name] = fmt.Sprint(want.Rows[0].Bytes)
			}
		}
	}
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{}, names[0] + " 6 " + counts[names[0]] + ", " + names[1] + " 3 " + counts[names[1]]},
		{Query{To: 2008}, names[0] + " 6 " + counts[names[0]]},
		{Query{From: 2009}, names[1] + " 3 " + counts[names[1]]},
		{Query{Top: 1}, names[0] + " 6 " + counts[names[0]]},
		{Query{Container: names[1]}, names[1] + " 3 " + counts[names[1]]},
		{Query{Harvest: 1}, names[0] + " 6 " + counts[names[0]]},
		{Query{Harvest: 7}, ""},
	} {
		c.q.By, c.q.Package = report.ByContainer, "a"
		var rows []string
		got := table(t, r.Store, c.q)
		for _, row := range got.Rows {
			rows = append(rows, fmt.Sprint(row.Name, " ", row.Count, " ", row.Bytes))
		}
		if strings.Join(rows, ", ") != c.want || c.q.Top > 0 && (got.Other == nil || got.Other.Count != 3) {
			t.Errorf("%+v: %q, others %+v, want %s", c.q, rows, got.Other, c.want)
		}
	}
	for text, q := range map[string]Query{"name the package": {By: report.ByContainer},
		"no container containers/c.warc": {By: report.ByHost, Package: "a", Container: "containers/c.warc"},
		"none":                           {By: report.ByContainer, Package: "none"}} {
		if _, err := Table(ctx, r.Store, q); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}
