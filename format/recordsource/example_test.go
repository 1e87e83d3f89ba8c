package recordsource_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"quire/format/fault"
	"quire/format/recordsource"
)

// A reader of files whose records are lines uses the source for all before the first record.
func Example() {
	s := recordsource.New(strings.NewReader("one\ntwo\n"),
		func(head []byte) bool { return bytes.HasPrefix(head, []byte("one")) },
		func(f fault.Fault) { fmt.Println(f) })
	line := func() (string, error) {
		if err := s.Begin(); err != nil {
			return "", err
		}
		head, err := s.In.Peek(4)
		if len(head) == 0 {
			return "", err
		}
		line := string(head)
		_, err = io.ReadFull(s.In, head)
		return line, err
	}
	for record, err := range recordsource.Records(line) {
		fmt.Printf("%q %v\n", record, err)
	}
	fmt.Println(s.Close())
	_, err := line()
	fmt.Println(errors.Is(err, os.ErrClosed))
	// Output:
	// "one\n" <nil>
	// "two\n" <nil>
	// <nil>
	// true
}
