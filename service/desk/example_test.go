package desk_test

import (
	"context"
	"fmt"
	"log"

	"quire/service/desk"
	"quire/service/role"
)

func Example() {
	var d *desk.Desk // of an open repository
	who := &role.Person{Name: "Ada", Roles: []role.Role{role.Operator}}
	made, err := d.SubmitJob(context.Background(), who, desk.Submission{Kind: "audit", Flags: map[string]string{
		"repair": "true", "owed": "true"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("job", made[0].Job)
}
