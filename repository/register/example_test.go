package register_test

import (
	"context"
	"crypto/sha512"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"quire/repository/register"
)

// A register records a version of an object. A copy with a newer, forged version differs from it.
func Example() {
	dir, err := os.MkdirTemp("", "register-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	ctx, now := context.Background(), time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

	w, err := register.Create(ctx, register.Options{
		Folder: filepath.Join(dir, "register"), Key: filepath.Join(dir, "register.key"),
	}, register.Origin("1b7e3a52-0000-4000-8000-000000000001"), now)
	if err != nil {
		fmt.Println(err)
		return
	}
	salt := register.NewSalt() // kept beside the object
	version := register.Version{Time: now, Object: salt.Object("urn:x:1"), Number: 1,
		Inventory: salt.Inventory(sha512.Sum512([]byte("the inventory of v1")))}
	head, err := w.AppendLeaves(ctx, version)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(head.Size, "leaves")

	reader, err := register.OpenReader(filepath.Join(dir, "register"))
	if err != nil {
		fmt.Println(err)
		return
	}
	history := &register.History{}
	for e, err := range reader.Leaves(ctx, 0) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if v, ok := e.Leaf.(register.Version); ok && v.Object == salt.Object("urn:x:1") {
			history.Add(e.Index, e.Leaf)
		}
	}
	forged := register.Found{Versions: map[uint32]register.Digest{
		1: version.Inventory, 2: salt.Inventory(sha512.Sum512([]byte("forged")))}}
	for _, f := range register.CheckObject(history, forged) {
		fmt.Println(f)
	}
	// Output:
	// 2 leaves
	// VERSION-UNREGISTERED: the register does not have this version: expected nothing, found v2
}
