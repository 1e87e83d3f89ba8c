package portable_test

import (
	"fmt"

	"quire/internal/portable"
)

func Example() {
	fmt.Println(portable.Name("CON/a:b?c"))
	apart := portable.Cases{}
	// Some disks do not distinguish case.
	fmt.Println(apart.Distinct("page.html"), apart.Distinct("Page.html"))
	// Output:
	// %43ON/a%3Ab%3Fc
	// page.html %50age.html
}
