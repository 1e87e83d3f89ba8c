package gzipmember_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"

	"quire/format/gzipmember"
)

// Members are written and read one by one.
func Example() {
	var file bytes.Buffer
	w, err := gzipmember.NewWriter(&file, gzipmember.DefaultLevel)
	if err != nil {
		log.Fatal(err)
	}
	for _, content := range []string{"first", "second"} {
		if err := w.Begin(); err != nil {
			log.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			log.Fatal(err)
		}
		if _, _, err := w.End(); err != nil {
			log.Fatal(err)
		}
	}

	r := gzipmember.NewReader(bytes.NewReader(file.Bytes()), gzipmember.Options{})
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			log.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q at %d, %d bytes stored\n", content, m.Offset, m.Length)
	}
	// Output:
	// "first" at 0, 26 bytes stored
	// "second" at 26, 27 bytes stored
}
