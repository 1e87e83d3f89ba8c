package role_test

import (
	"fmt"

	"quire/service/role"
)

func Example() {
	p := &role.Person{Name: "Ada", Roles: []role.Role{role.Curator}}
	fmt.Println(p.May("purge-request"), p.May("purge-approve"))
	// Output: true false
}
