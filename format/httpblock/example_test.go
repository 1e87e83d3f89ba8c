package httpblock_test

import (
	"fmt"
	"io"
	"strings"

	"quire/format/http1"
	"quire/format/httpblock"
)

// The example reads the head and still passes the complete block to the next reader: Begin, then
// the rest.
func Example() {
	block := strings.NewReader("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
	var r httpblock.Reader
	m, err := r.Open(block, http1.Response, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	body := io.MultiReader(strings.NewReader(string(m.Begin[m.HeadLength:])), block)
	payload, err := io.ReadAll(r.Payload(m.Head, body, nil))
	fmt.Println(m.Head.Status, string(payload), err)
	// Output: 200 OK hello <nil>
}
