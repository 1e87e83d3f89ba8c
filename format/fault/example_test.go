package fault_test

import (
	"fmt"
	"log"
	"strings"

	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/warc"
)

func Example() {
	r := warc.NewReader(inflate.NewReader(strings.NewReader("WARC/1.0\nWARC-Type: warcinfo\nContent-Length: 0\n\n\n\n"),
		inflate.Options{}))
	r.Report = func(f fault.Fault) { fmt.Println(f.Code, f.Offset) }
	_, err := r.Next()
	if err != nil {
		log.Fatal(err)
	}
	// Output: WARC-HEADER-LF 0
}
