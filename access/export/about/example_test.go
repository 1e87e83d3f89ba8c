package about_test

import (
	"fmt"

	"quire/access/export"
	"quire/access/export/about"
)

func Example() {
	var source *export.Source
	w := about.Of(source)
	fields := about.DC(&w.MODS.Content)
	fmt.Println(len(fields))
}
