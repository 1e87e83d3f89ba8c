package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRebuildFromSeveralFar: the newest version of all far copies comes back, also if the first copy is behind.
// If far copies contradict each other at the same version, nothing is written, and a person chooses.
func TestRebuildFromSeveralFar(t *testing.T) {
	for _, forged := range []bool{false, true} {
		ctx := context.Background()
		s := newRepository(t)
		first, second := mount(t), mount(t)
		mustAdd(t, s, first)
		mustAdd(t, s, second)
		r := mustIngest(t, s, makePackage(t, damagedID, crawl), IngestOptions{})
		object := func(address string) string {
			return filepath.Join(strings.TrimPrefix(address, "file://"), rootFolder, filepath.FromSlash(r.Object))
		}
		before := filepath.Join(t.TempDir(), "before")
		copyTree(t, object(first), before)
		mustIngest(t, s, makePackage(t, damagedID, content{"a.warc": "second"}), IngestOptions{NewVersion: true})
		_ = s.Close()
		if forged {
			path := filepath.Join(object(first), "inventory.json")
			text := string(read(t, path)) + "\n"
			put(t, path, text)
			put(t, path+".sha512", sumBytes([]byte(text))+" inventory.json\n")
		} else {
			remove(t, object(first))
			copyTree(t, before, object(first))
		}
		remove(t, s.root)
		into := filepath.Join(fastDir(t), "one")
		o := InitOptions{Rebuild: true, Describe: testDescribe, Copies: []string{into, first, second}}
		again, err := Init(ctx, s.root, o)
		if forged {
			var choice *ChoiceError
			if !errors.As(err, &choice) || choice.Total != 1 || len(choice.Objects[0].Copies) != 2 {
				t.Errorf("two inventories of one version: %v", err)
			}
			if _, err := os.Stat(filepath.Join(into, rootFolder, filepath.FromSlash(r.Object))); err == nil {
				t.Error("the refused rebuild wrote the object")
			}
			o.Trust = "copy-5"
			again, err = Init(ctx, s.root, o)
		}
		if err != nil {
			t.Fatal(err)
		}
		if v := storedIn(t, again); v != 2 {
			t.Errorf("forged=%v: version %d came back", forged, v)
		}
		_ = again.Close()
	}
}
