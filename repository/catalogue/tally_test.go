package catalogue

import (
	"context"
	"testing"
	"time"
)

// TestOpenIncidents: an incident without a repair is open, unless the copy is good or listed now.
func TestOpenIncidents(t *testing.T) { everyEngine(t, testOpenIncidents) }

func testOpenIncidents(t *testing.T, again func() *Catalogue) {
	ctx := context.Background()
	c := again()
	for status, open1 := range map[Status]int64{Good: 0, AsListed: 0, Damaged: 1, Missing: 1, Owed: 1} {
		r := record("a")
		r.Copies = []Copy{{Name: "copy-1", Status: status}}
		r.Events = []Event{{File: "e.xml", ID: "1", Type: "fixity check", Time: noon, Outcome: "fail", Copy: "copy-1"}}
		if err := c.Put(ctx, r); err != nil {
			t.Fatal(err)
		}
		if _, sum, err := c.Incidents(ctx, time.Time{}, 10); err != nil || sum != (IncidentSum{Total: 1, Open: open1}) {
			t.Errorf("%s: %+v, %v", status, sum, err)
		}
	}
}
