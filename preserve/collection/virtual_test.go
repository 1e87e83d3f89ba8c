package collection

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/preserve/aip"
)

// arcs are packages of historical ARC files, by the year of their first capture; 0 for none.
func arcs(years ...int) func(context.Context, string) iter.Seq2[*model.Package, error] {
	return func(context.Context, string) iter.Seq2[*model.Package, error] {
		return func(yield func(*model.Package, error) bool) {
			for n, year := range years {
				p := &model.Package{ID: fmt.Sprint("arc-", n), Files: []model.PackageFile{
					{Path: fmt.Sprintf("containers/%d.arc.gz", n), Size: 7, SHA512: strings.Repeat("ab", 64),
						Use: aip.UseContainers}}}
				if year != 0 {
					p.First = time.Date(year, 12, 31, 23, 0, 0, 0, time.UTC)
				}
				if !yield(p, nil) {
					return
				}
			}
		}
	}
}

// TestVirtualHarvests groups packages without a known harvest by the year of their first capture.
func TestVirtualHarvests(t *testing.T) {
	read := func(text string) (*File, error) {
		path := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return ReadFile(path)
	}
	const head = "id: history\ntitle: History\nharvests:\n"
	for _, wrong := range []string{"  - {select: 'a', virtual: year}", "  - {id: a, packages: [p], virtual: year}",
		"  - {id: a, select: 'a', packages: [p], virtual: year}", "  - {id: a, select: 'a', virtual: month}"} {
		if _, err := read(head + wrong + "\n"); err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
	f, err := read(head + "  - {id: ia, label: Internet Archive, select: 'pkg.containers > 0', virtual: year}\n")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	r, err := Make(t.Context(), f, Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "1"},
		Select: arcs(1998, 0, 1996, 1998)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Harvests != 3 || r.Packages != 4 || r.Containers != 4 || r.Digests != 4 {
		t.Errorf("%+v", r)
	}
	text, err := os.ReadFile(r.METS)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for part := range strings.SplitSeq(string(text), "<mets:div ") {
		for _, key := range []string{`ORDERLABEL="`, `LABEL="`, `xlink:href="`} {
			if _, rest, found := strings.Cut(part, " "+key); found || strings.HasPrefix(part, key) {
				if !found {
					rest = strings.TrimPrefix(part, key)
				}
				value, _, _ := strings.Cut(rest, `"`)
				got = append(got, value)
			}
		}
	}
	all := strings.Join(got, " | ")
	for _, want := range []string{"ia-undated | Internet Archive, undated | arc-1",
		"ia-1996 | Internet Archive, 1996 | arc-2", "ia-1998 | Internet Archive, 1998 | arc-0"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in %s", want, all)
		}
	}
	if !strings.Contains(string(text), "a virtual harvest for each year of the first capture") {
		t.Error("no note has the rule")
	}
	late := errors.New("late")
	_, err = Make(t.Context(), f, Options{Out: filepath.Join(t.TempDir(), "none"), Select: func(ctx context.Context,
		e string) iter.Seq2[*model.Package, error] {
		return func(yield func(*model.Package, error) bool) {
			for p, err := range arcs(1996)(ctx, e) {
				if !yield(p, err) {
					return
				}
			}
			yield(nil, late)
		}
	}})
	if !errors.Is(err, late) {
		t.Errorf("%v", err)
	}
}
