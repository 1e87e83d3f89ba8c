package store

import (
	"context"
	"testing"

	"quire/internal/prove"
	remote "quire/repository/place"
)

// TestHalfPush makes each change in a new far copy fail in turn, while a package comes to it. An audit then reports
// that the copy lacks the package, and no damage. The next filling completes it.
func TestHalfPush(t *testing.T) {
	prove.Serial(t)
	lacking := 0
	for at := 1; ; at += prove.Stride(2, 1) {
		s := newRepository(t)
		mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
		mustAdd(t, s, mount(t))
		d := &door{at: at, dies: true}
		far := s.copies[3].far.(*remote.Folder)
		far.Fault = d.fault
		sum, err := s.Refill(context.Background(), "", RepairOptions{}, func(RepairReport, error) error { return nil })
		if err == nil && sum.Failed == 0 {
			if lacking < 10 || at-lacking < 2 {
				t.Errorf("the filling has %d steps, and the copy lacked the package after %d", at, lacking)
			}
			return
		}
		far.Fault = nil
		report := mustAudit(t, s)
		for _, f := range report.Findings {
			if f.Code != MissingObject || f.Copy != "copy-4" {
				t.Errorf("step %d: %+v", at, f)
			}
		}
		if len(report.Findings) > 0 {
			lacking++
		}
		refilled(t, s, "")
		mustAudit(t, s) // brings the events
		mustMatch(t, s, s.copies[3])
		if t.Failed() {
			t.FailNow()
		}
	}
}
