package token_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"quire/service/role"
	"quire/service/token"
)

func Example() {
	folder, err := os.MkdirTemp("", "tokens")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	all := token.In(folder)
	_, text, err := all.Add("Ada", []role.Role{role.Operator}, 24*time.Hour)
	if err != nil {
		log.Fatal(err)
	}
	p, err := all.Person(context.Background(), text)
	fmt.Println(p.Name, p.Roles, err)
	// Output: Ada [operator] <nil>
}
