package ocfl_test

import (
	"context"
	"fmt"
	"strings"
	"testing/fstest"

	"quire/repository/ocfl"
)

func ExampleValidateObject() {
	store := fstest.MapFS{
		"abc/0=ocfl_object_1.1": &fstest.MapFile{Data: []byte("ocfl_object_1.1\n")},
		"abc/notes.txt":         &fstest.MapFile{Data: []byte("a file that somebody left here")},
	}
	result := ocfl.ValidateObject(context.Background(), store, "abc", ocfl.Options{})
	for _, issue := range result.Errors {
		fmt.Println(issue)
		fmt.Println("   ", ocfl.Explain(issue.Code))
	}
	// Output:
	// E063 inventory.json: the inventory is not there
	//     There is an inventory in the object's folder.
	// E001 notes.txt: this file has no place in an object's folder
	//     The object's folder holds only the declaration, the inventory and its sidecar, version directories, logs and extensions.
}

// The files of the newest version, and where their bytes lie in the object.
func ExampleParseInventory() {
	text := `{"id": "urn:a", "type": "https://ocfl.io/1.1/spec/#inventory",
		"digestAlgorithm": "sha512", "head": "v2",
		"manifest": {"ab12": ["v1/content/a.txt"], "cd34": ["v2/content/b.txt"]},
		"versions": {
			"v1": {"created": "2026-01-01T00:00:00Z", "state": {"ab12": ["a.txt"]}},
			"v2": {"created": "2026-02-01T00:00:00Z", "state": {"ab12": ["old.txt"], "cd34": ["b.txt"]}}}}`
	for _, digest := range []string{"ab12", "cd34"} {
		text = strings.ReplaceAll(text, digest, strings.Repeat(digest, 32)) // SHA-512 has 128 digits
	}
	inventory, err := ocfl.ParseInventory([]byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	files, err := inventory.Files(inventory.Head)
	for _, f := range files {
		fmt.Println(f.Path, "is", f.Content)
	}
	fmt.Println(err)
	// Output:
	// b.txt is v2/content/b.txt
	// old.txt is v1/content/a.txt
	// <nil>
}

func ExampleObjectPath() {
	fmt.Println(ocfl.ObjectPath("object-01"))
	fmt.Println(ocfl.ObjectPath("..hor/rib:le-$id"))
	// Output:
	// 3c0/ff4/240/object-01
	// 487/326/d8c/%2e%2ehor%2frib%3ale-%24id
}
