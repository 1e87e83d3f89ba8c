package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"quire/repository/ocfl"
)

// copiesBelow returns the folders of copies in a folder: those with a quire-copy.json, damaged or not.
func copiesBelow(root string) []string {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil // the caller finds no copy
	}
	var paths []string
	for _, e := range entries {
		if path := filepath.Join(root, e.Name()); isCopyFolder(path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// isCopyFolder reports whether a folder was a copy: it has the identity, or the storage root.
func isCopyFolder(path string) bool {
	for _, name := range []string{copyFile, filepath.Join(rootFolder, rootDeclaration())} {
		if info, err := os.Stat(filepath.Join(path, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

func rootDeclaration() string {
	name, _ := ocfl.RootDeclaration()
	return name
}

// unsigned reports whether a folder is a copy whose identity is damaged or lost.
func unsigned(path string, err error) bool {
	return (errors.Is(err, errGarbled) || errors.Is(err, fs.ErrNotExist)) && isCopyFolder(path)
}

// recognize writes the identity of copies again, where it is damaged. The other copies state the
// repository and the names, and the objects in the folder must be theirs.
func (config *repositoryConfig) recognize(ctx context.Context, root string, unsigned, all []string,
	known []CopyPlace, used map[string]bool, d *disk) error {
	for _, path := range unsigned {
		name := config.nameOf(root, path, known, used)
		if name == "" || config.Repository == "" {
			return fmt.Errorf("%s: its %s is damaged, and the other copies do not identify it", path, copyFile)
		}
		others := slices.DeleteFunc(slices.Clone(all), func(p string) bool { return p == path })
		if err := sameObjects(ctx, path, others); err != nil {
			return fmt.Errorf("copy %s: its %s is damaged, and %w", name, copyFile, err)
		}
		used[name] = true
		c := &copyFolder{name: name, path: path, disk: d}
		if err := c.sign(config.Repository, sortedKeys(used)); err != nil {
			return fmt.Errorf("copy %s: %w", name, err)
		}
		config.Copies = append(config.Copies, CopyPlace{Name: name, Path: placePath(root, path)})
		config.mended = append(config.mended, Recovery{Outcome: Mended,
			Detail: fmt.Sprintf("copy %s: its damaged %s was written again", name, copyFile)})
	}
	return nil
}

// nameOf returns the name of a copy without identity: the one that the repository states for its
// folder, or the only name that no other copy has. Else it returns "".
func (config *repositoryConfig) nameOf(root, path string, known []CopyPlace, used map[string]bool) string {
	for _, k := range known {
		if k.absolute(root) == path {
			return k.Name
		}
	}
	var free []string
	for _, name := range sortedKeys(used) {
		if !slices.ContainsFunc(config.Copies, func(p CopyPlace) bool { return p.Name == name }) {
			free = append(free, name)
		}
	}
	if len(free) != 1 {
		return ""
	}
	return free[0]
}

// sampled is the number of objects that sameObjects compares.
const sampled = 100

var errEnough = errors.New("enough objects")

// sameObjects compares objects of a folder with the objects at the same paths in other folders, by
// their inventories. Most must be equal: some may be damaged, or of an earlier version.
func sameObjects(ctx context.Context, path string, others []string) error {
	c := &copyFolder{path: path}
	equal, different := 0, 0
	err := c.eachObject(ctx, func(object string) error {
		if equal+different == sampled {
			return errEnough
		}
		_, sum, err := readInventory(c.object(object))
		if err == nil && slices.ContainsFunc(others, func(p string) bool {
			_, other, err := readInventory((&copyFolder{path: p}).object(object))
			return err == nil && other == sum
		}) {
			equal++
		} else {
			different++
		}
		return nil
	}, func(string, error) {})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if different > 0 && equal <= different && len(others) > 0 {
		return fmt.Errorf("%s does not have the objects of the other copies: %d of %d differ", path, different,
			equal+different)
	}
	return nil
}
