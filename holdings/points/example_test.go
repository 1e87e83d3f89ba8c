package points_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"quire/holdings/points"
	"quire/repository/stored"
)

// A film of a container is entered in the middle.
func Example() {
	dir, err := os.MkdirTemp("", "points")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	body := bytes.Repeat([]byte("a film "), 1<<20)
	text := append([]byte("WARC/1.1\r\nWARC-Type: resource\r\n\r\n"), body...)
	path := filepath.Join(dir, "a.warc")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		log.Fatal(err)
	}
	container, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = container.Close() }()

	sum := sha256.Sum256(body)
	rec := &points.Record{Path: "containers/a.warc", SHA512: "of the container", Place: &stored.Place{
		Stored: int64(len(text)), Body: int64(len(body)), SHA256: sum[:]}}
	err = points.Write(path+".points", func() string { return "version 1" }, func(m *points.Maker) error {
		return m.Make(context.Background(), container, rec)
	})
	if err != nil {
		log.Fatal(err)
	}
	file, err := points.Open(path + ".points")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	in, err := file.Enter(context.Background(), container, rec, 7_000_000)
	if err != nil {
		log.Fatal(err)
	}
	part := make([]byte, 6)
	if _, err := io.ReadFull(in, part); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", part)
	// Output: a film
}
