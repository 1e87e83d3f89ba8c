package schemas

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/jacoelho/xsd"
)

// compiled caches compiled schemas for the next package, because compiling takes longer than most
// validations.
var compiled struct {
	sync.Mutex
	engines map[key]*xsd.Engine
}

type key struct {
	driver string
	names  bool
}

// Compile compiles a driver of the schemas in a folder, once in the life of the program. The error
// names the expected folder.
func Compile(ctx context.Context, dir, driver string) (*xsd.Engine, error) {
	return compileOnce(ctx, dir, driver, false)
}

// CompileNames is Compile for documents of any size. It treats IDs and references to them (xs:ID,
// xs:IDREF, xs:IDREFS) as plain names, which the validator need not store. The caller must check
// that they are unique, and that references have a target.
func CompileNames(ctx context.Context, dir, driver string) (*xsd.Engine, error) {
	return compileOnce(ctx, dir, driver, true)
}

func compileOnce(ctx context.Context, dir, driver string, names bool) (*xsd.Engine, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("schemas folder %s: %w", dir, err)
	}
	compiled.Lock()
	defer compiled.Unlock()
	file := filepath.Join(abs, filepath.FromSlash(driver))
	wanted := key{file, names}
	if e := compiled.engines[wanted]; e != nil {
		return e, nil
	}
	engine, err := compile(ctx, abs, file, names)
	if err != nil {
		return nil, fmt.Errorf("schemas folder %s is unusable: %w", dir, err)
	}
	if compiled.engines == nil {
		compiled.engines = map[key]*xsd.Engine{}
	}
	compiled.engines[wanted] = engine
	return engine, nil
}

// compile compiles a driver with the catalog of its folder.
func compile(ctx context.Context, dir, driver string, names bool) (*xsd.Engine, error) {
	name, err := filepath.Rel(dir, driver)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(driver); err != nil {
		return nil, fmt.Errorf("the folder of schemas has no %s; quire schemas fetch makes a complete "+
			"folder (%w)",
			filepath.ToSlash(name), err)
	}
	places, err := readCatalog(filepath.Join(dir, catalogFile))
	if err != nil {
		return nil, err
	}
	source := xsd.File(driver).WithResolver(places)
	if names {
		if source, err = namesOnly(driver); err != nil {
			return nil, err
		}
		source = source.WithResolver(named{places})
	}
	engine, err := xsd.Compile(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("%s does not compile: %w", filepath.ToSlash(name), err)
	}
	return engine, nil
}
