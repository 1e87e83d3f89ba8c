package saved_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"quire/internal/archivefs"
	"quire/source/saved"
)

func Example() {
	dir, err := os.MkdirTemp("", "pages")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	page := "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://a.test/ \n--><title>A</title>"
	if err := os.WriteFile(filepath.Join(dir, "a.html"), []byte(page), 0o600); err != nil {
		log.Panic(err)
	}
	tree, err := archivefs.Open(dir)
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = tree.Close() }()
	claims, err := saved.Reader{}.Find(context.Background(), tree)
	if err != nil {
		log.Panic(err)
	}
	fmt.Println(claims[0].Why[0])
	// Output: a.html states that SingleFile saved it
}
