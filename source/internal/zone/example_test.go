package zone_test

import (
	"fmt"
	"time"

	"quire/source/internal/zone"
)

func Example() {
	var votes zone.Votes
	asLogged := time.Date(2008, 4, 30, 14, 0, 0, 0, time.UTC)
	for i := range 100 { // the time of a line and its Date header
		at := asLogged.Add(time.Duration(i) * time.Minute)
		votes.Add(at, at.Add(-2*time.Hour))
	}
	z := votes.Zone("the Date headers in the log, against the times of its lines")
	fmt.Println(z.Ahead, z.Why)
	// Output: 2h0m0s the Date headers in the log, against the times of its lines
}
