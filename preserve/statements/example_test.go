package statements_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"quire/model"
	"quire/preserve/statements"
)

func Example() {
	given, err := statements.ReadFile(strings.NewReader("access: onsite\n"), "rights.yaml") // from the institution
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(given.Statements(nil))
	set, err := statements.Load(os.DirFS("package")) // from the package
	if err != nil {
		log.Fatal(err)
	}
	d := set.Decide(statements.Query{URL: "http://a.example/", At: "2026-11-22"})
	fmt.Println(d.Zone == model.Open)
}
