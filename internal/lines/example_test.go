package lines_test

import (
	"fmt"
	"log"
	"strings"

	"quire/internal/lines"
)

func Example() {
	l := lines.NewReader(strings.NewReader("one\r\ntwo\n"))
	for l.Scan() {
		fmt.Printf("%s at %d\n", l.Text, l.Offset)
	}
	if err := l.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// one at 0
	// two at 5
}
