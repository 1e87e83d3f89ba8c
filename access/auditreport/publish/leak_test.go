package publish

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/access/auditreport"
	"quire/holdings/holdingstest"
	"quire/repository/store"
)

// TestLeaks writes the report of the matrix, with damage in every package, in each form. It names no
// URL, no title of a package, no reason, and no closed package or collection.
func TestLeaks(t *testing.T) {
	r, o, _ := holdingstest.Matrix(t)
	err := filepath.WalkDir(filepath.Join(r.Dir, "copy-2"), func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.Contains(path, "/content/containers/") || d.IsDir() {
			return err
		}
		return os.Remove(path)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Store.Audit(context.Background(), nil, store.AuditOptions{}); err != nil {
		t.Fatal(err)
	}
	o.Location, o.Now = time.UTC, r.Clock.Now
	report, err := auditreport.Gather(context.Background(), r.Store, auditreport.Options{Holdings: o})
	if err != nil {
		t.Fatal(err)
	}
	named, closed := map[string]bool{}, 0
	for _, i := range report.Incidents.List {
		named[i.Package] = true
		if i.Kind == auditreport.KindClosed {
			closed++
		}
	}
	for _, id := range []string{"open", "parts", "embargo-over", "overridden"} {
		if !named[id] {
			t.Errorf("the damage of %s, which is open, is not named", id)
		}
	}
	for _, id := range []string{"onsite", "restricted", "unstated", "embargoed", "collected", "too-open", "withdrawn"} {
		if named[id] {
			t.Errorf("the damage names %s, which is closed", id)
		}
	}
	if closed < 7 {
		t.Errorf("%d closed packages with damage", closed)
	}
	for _, form := range []Form{JSON, HTML} { // PDF shows the document that HTML shows
		out, err := content(report, form, false)
		if err != nil {
			t.Fatal(err)
		}
		text := string(out)
		if !strings.Contains(text, "A collection of what is open") {
			t.Errorf("%s does not name the open collection", form)
		}
		for _, secret := range []string{"SECRET", ".example", "A closed collection", "told-withdrawn", "a.warc",
			"too-open", "embargoed", holdingstest.Digest("SECRET of the digest"), "x-secret"} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s: %q in …%s…", form, secret, text[max(0, at-60):min(len(text), at+60)])
			}
		}
	}
}
