package zone_test

import (
	"fmt"
	"time"

	"quire/source/internal/zone"
)

func Example() {
	headers := zone.Evidence{Kind: "the Date headers in the log, against its times", Weight: zone.Enough}
	written := zone.Evidence{Kind: "the mtime of the log, against its last line", Weight: zone.Disputes}
	asLogged := time.Date(2008, 4, 30, 14, 0, 0, 0, time.UTC)
	for i := range 100 { // the time of a line and its Date header
		at := asLogged.Add(time.Duration(i) * time.Minute)
		headers.Add(at, at.Add(-2*time.Hour))
	}
	z := zone.Weigh(&headers, &written)
	fmt.Println(z.Ahead, z.Known(), z.Why)
	written.Add(asLogged.Add(100*time.Minute), asLogged.Add(103*time.Minute+3*time.Hour)) // a copy, made later
	written.Add(asLogged.Add(100*time.Minute), asLogged.Add(100*time.Minute+3*time.Hour)) // and one that disagrees
	z = zone.Weigh(&headers, &written)
	fmt.Println(z.Ahead, z.Known(), z.Leeway)
	// Output:
	// 2h0m0s true the Date headers in the log, against its times
	// 2h0m0s false 5h0m0s
}
