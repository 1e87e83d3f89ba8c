package crawllog_test

import (
	"fmt"
	"log"
	"strings"

	"quire/format/fault"
	"quire/source/crawllog"
)

func Example() {
	const line = "2008-04-30T13:00:52.123Z   200       1024 http://a.example/ - - text/html #012 " +
		"20080430130051100+900 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - -\n"
	r := crawllog.NewReader(strings.NewReader(line))
	r.Report = func(f fault.Fault) { fmt.Println(f.Code, f.Detail) } // an unreadable line
	for fetch, err := range r.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(fetch.URI, fetch.Status)
	}
	// Output: http://a.example/ 200
}
