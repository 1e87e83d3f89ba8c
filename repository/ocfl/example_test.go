package ocfl_test

import (
	"context"
	"fmt"
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

func ExampleObjectPath() {
	fmt.Println(ocfl.ObjectPath("object-01"))
	fmt.Println(ocfl.ObjectPath("..hor/rib:le-$id"))
	// Output:
	// 3c0/ff4/240/object-01
	// 487/326/d8c/%2e%2ehor%2frib%3ale-%24id
}
