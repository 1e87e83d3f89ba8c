package protocol_test

import (
	"fmt"
	"log"

	"quire/oai/protocol"
)

func Example() {
	at, granularity, err := protocol.ParseDatestamp("2026-11-22T10:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(at, granularity)
	fmt.Println(protocol.MIMESet("image/svg+xml"))
	// Output:
	// 2026-11-22 10:00:00 +0000 UTC YYYY-MM-DDThh:mm:ssZ
	// mime:image:svg~xml
}
