package oidc_test

import (
	"context"
	"fmt"
	"log"

	"quire/service/oidc"
	"quire/service/role"
)

func Example() {
	p, err := oidc.New(oidc.Settings{Issuer: "https://login.example", ClientID: "quire",
		Roles: map[string]role.Role{"archive-operators": role.Operator}}, "")
	if err != nil {
		log.Fatal(err)
	}
	_, err = p.Person(context.Background(), "no token")
	fmt.Println(err)
	// Output: the token is not valid
}
