package folder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/jacoelho/xsd"
	"github.com/jacoelho/xsd/xsderrors"
)

// schemaDriver is the schema that imports METS and everything a package wraps in it. METS wraps payloads lax: only what is
// in one set with it is checked.
const schemaDriver = "drivers/mets-all.xsd"

// compiled keeps schemas that were compiled, for the next package: compiling takes longer than most validations.
var compiled struct {
	sync.Mutex
	engines map[string]*xsd.Engine // folder → engine
}

// compileSchemas compiles the schemas in a folder, once in the life of the program.
func compileSchemas(ctx context.Context, dir string) (*xsd.Engine, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("schemas folder %s: %w", dir, err)
	}
	compiled.Lock()
	defer compiled.Unlock()
	if e := compiled.engines[abs]; e != nil {
		return e, nil
	}
	driver := filepath.Join(abs, filepath.FromSlash(schemaDriver))
	if _, err := os.Stat(driver); err != nil {
		return nil, fmt.Errorf("schemas folder %s cannot be used: give a folder that has %s (%w)", dir, schemaDriver, err)
	}
	places, err := readCatalog(filepath.Join(abs, "catalog.xml"))
	if err != nil {
		return nil, fmt.Errorf("schemas folder %s cannot be used: %w", dir, err)
	}
	engine, err := xsd.Compile(ctx, xsd.File(driver).WithResolver(places))
	if err != nil {
		return nil, fmt.Errorf("schemas folder %s cannot be used: %s does not compile: %w", dir, schemaDriver, err)
	}
	if compiled.engines == nil {
		compiled.engines = map[string]*xsd.Engine{}
	}
	compiled.engines[abs] = engine
	return engine, nil
}

// Limits of the schema validator. Its own are made for small documents: a METS of 100,000 files has 150 MB and 400,000 IDs
// and references. An entry takes some 200 bytes of memory.
const (
	maxSchemaEntries = 10_000_000
	maxSchemaToken   = 32 << 20 // above the limit of our own reader, which the METS has passed
)

// checkSchemas validates mets.xml against the schemas.
func (v *validation) checkSchemas(engine *xsd.Engine, broken bool) error {
	if engine == nil {
		v.skip("no schemas were given", CheckSchemas)
		return nil
	}
	if broken {
		return nil
	}
	f, err := openRegular(v.root, METSName)
	if err != nil {
		return fmt.Errorf("reading %s in %s again: %w", METSName, v.dir, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("reading %s in %s again: %w", METSName, v.dir, err)
	}
	quiet := &validation{ctx: v.ctx} // its bytes were told already
	in := &watched{v: quiet, src: f}
	err = engine.ValidateWithOptions(v.ctx, in, xsd.ValidateOptions{
		MaxErrors: MaxFindings, MaxInstanceBytes: info.Size() + 1, MaxIdentityEntries: maxSchemaEntries,
		MaxInstanceTokenBytes: maxSchemaToken, MaxInstanceTextBytes: maxSchemaToken,
	})
	if in.err != nil {
		return fmt.Errorf("reading %s in %s again: %w", METSName, v.dir, in.err)
	}
	v.judgeSchemas(err)
	v.done[CheckSchemas] = "valid against " + filepath.Join(v.o.Schemas, filepath.FromSlash(schemaDriver))
	return v.ctx.Err()
}

// judgeSchemas makes findings of what the schema validator says.
func (v *validation) judgeSchemas(err error) {
	if err == nil {
		return
	}
	var all xsderrors.Errors
	if !errors.As(err, &all) {
		all = xsderrors.Errors{err}
	}
	for _, err := range all {
		var e *xsderrors.Error
		if !errors.As(err, &e) || e.Category != xsderrors.CategoryValidation || e.Code == xsderrors.CodeValidationLimit {
			// A document it cannot judge is not thereby wrong.
			v.skip(fmt.Sprintf("the schema validator gave up: %v", clip(err.Error())), CheckSchemas)
			continue
		}
		v.findings.add(breaks(CodeMETSSchema, METSName, "line %d, column %d: %s (in %s)", e.Line, e.Column, e.Message, e.Path))
	}
}
