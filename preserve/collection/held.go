package collection

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"quire/model"
	"quire/preserve/aip"
)

// Packages returns the containers of all packages in the folders: of a folder that is a package, or
// of the packages below it. It reads the METS of each package and checks its digest. It checks that
// the containers exist with their size; "quire validate PACKAGE" checks their content. Memory grows
// only with the largest package.
func Packages(ctx context.Context, folders ...string) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		for _, dir := range folders {
			if _, err := os.Stat(dir); err != nil {
				yield(Held{}, fmt.Errorf("looking for packages: %w", err))
				return
			}
			stopped := false
			err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err != nil {
					if stopped = !yield(Held{Problem: err.Error()}, nil); stopped {
						return filepath.SkipAll
					}
					return filepath.SkipDir
				}
				if !d.IsDir() || !isPackage(p) {
					return nil
				}
				if stopped = !heldBy(p, yield); stopped {
					return filepath.SkipAll
				}
				return filepath.SkipDir
			})
			if err != nil {
				yield(Held{}, err)
				return
			}
			if stopped {
				return
			}
		}
	}
}

func isPackage(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, aip.METSName))
	return err == nil
}

// heldBy yields the containers of one package. A collection holds none.
func heldBy(dir string, yield func(Held, error) bool) bool {
	p, err := aip.Describe(os.DirFS(dir))
	if err != nil {
		if Is(dir) {
			return true
		}
		return yield(Held{Package: dir, Problem: err.Error()}, nil)
	}
	if p.Profile == aip.CollectionProfile {
		return true
	}
	return Containers(&p, func(f *model.PackageFile) string {
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(f.Path)))
		switch {
		case err != nil:
			return "is listed, but cannot be found: " + err.Error()
		case !info.Mode().IsRegular():
			return "is listed, but is not a file"
		case info.Size() != f.Size:
			return fmt.Sprintf("has %d bytes, but is listed with %d", info.Size(), f.Size)
		}
		return ""
	}, yield)
}

// Containers yields the containers of a package, each with the problem of its file. It returns
// false if the caller stopped.
func Containers(p *model.Package, lacks func(*model.PackageFile) string, yield func(Held, error) bool) bool {
	some := false
	for i := range p.Files {
		f := &p.Files[i]
		if f.Use != aip.UseContainers {
			continue
		}
		some = true
		if !yield(Held{Package: p.ID, Path: f.Path, Size: f.Size, SHA512: f.SHA512, Problem: lacks(f)}, nil) {
			return false
		}
	}
	return some || yield(Held{Package: p.ID}, nil) // report a package without containers, too
}
