package heritrix_test

import (
	"fmt"
	"strings"

	"quire/source/heritrix"
)

// Heritrix 1 and 3 write the columns of this report in different order; the header tells.
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
