package uistrings_test

import (
	"fmt"

	"quire/access/pages/uistrings"
)

func Example() {
	german, err := uistrings.Load("de")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, w := uistrings.NewChoice(uistrings.English(), german).Accept("de-AT,en;q=0.5")
	fmt.Println(w.N("search.summary.page", 12345))
	// Output: 12.345 Seiten gefunden
}
