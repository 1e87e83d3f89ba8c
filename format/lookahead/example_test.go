package lookahead_test

import (
	"fmt"
	"strings"

	"quire/format/lookahead"
)

func Example() {
	var w lookahead.Window
	w.Reset(strings.NewReader("<!-- a comment -->"), 0)
	if w.At(0) == '<' && w.At(1) == '!' { // -1 at the end
		w.Skip(2)
	}
	fmt.Println(w.Offset(), string(rune(w.At(0))))
	// Output: 2 -
}
