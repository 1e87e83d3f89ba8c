package statement_test

import (
	"fmt"
	"os"

	"quire/access/statement"
)

func Example() {
	dir, err := os.MkdirTemp("", "quire-statement-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	key, err := statement.OpenKey(dir)
	if err != nil {
		panic(err)
	}
	signed, err := key.Sign(&statement.Statement{Format: statement.Format, URL: "http://a.example/"})
	if err != nil {
		panic(err)
	}
	s, err := key.Public().Verify(signed)
	fmt.Println(s.URL, err)
	// Output: http://a.example/ <nil>
}
