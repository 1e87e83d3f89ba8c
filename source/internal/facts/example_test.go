package facts_test

import (
	"fmt"

	"quire/model"
	"quire/source/internal/facts"
)

func Example() {
	about := &model.Harvest{}
	f := facts.New(about)
	f.Set(&about.Operator, "operator", "Example Library", "order.xml") // the first source prevails; all are listed
	f.Restrict("order.xml", 120, "holds a password")
	fmt.Println(about.Operator)
	// Output: Example Library
}
