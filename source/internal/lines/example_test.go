package lines_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"quire/source/internal/lines"
)

func Example() {
	l := lines.NewReader(strings.NewReader("one\r\ntwo\n"))
	for {
		err := l.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s at %d\n", l.Text, l.Offset)
	}
	// Output:
	// one at 0
	// two at 5
}
