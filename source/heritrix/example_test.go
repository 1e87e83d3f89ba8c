package heritrix_test

import (
	"fmt"
	"strings"

	"quire/source/heritrix"
)

// ExampleCodes reads both column orders of this report: Heritrix 1 and 3 differ, and the header
// shows the order.
func ExampleCodes() {
	for _, report := range []string{"[rescode] [#urls]\n404 23\n", "[#urls] [rescode]\n23 404\n"} {
		for row, err := range heritrix.Codes(strings.NewReader(report), nil) {
			fmt.Println(row.Code, row.URLs, err)
		}
	}
	// Output:
	// 404 23 <nil>
	// 404 23 <nil>
}
