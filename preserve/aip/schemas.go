package aip

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/jacoelho/xsd"
	"github.com/jacoelho/xsd/xsderrors"

	"quire/preserve/schemas"
)

// Limits of the schema validator. Its own are made for small documents. An ID or reference takes
// some 200 bytes of its memory, so that those of a large METS are for it just names: those of METS
// itself are checked in code (see references), by sorting.
const (
	largeMETS        = 64 << 20 // bytes
	maxSchemaEntries = 10_000_000
	maxSchemaToken   = 32 << 20 // above the limit of our own reader, which the METS has passed
)

// checkSchemas validates mets.xml against the schemas of the versions it states.
func (v *validation) checkSchemas(driver string, broken bool) error {
	if v.o.Schemas == "" {
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
	compile, how := schemas.Compile, "valid against "
	if info.Size() > largeMETS {
		compile, how = schemas.CompileNames, "valid, IDs as names, against "
	}
	engine, err := compile(v.ctx, v.o.Schemas, driver)
	if err != nil {
		return err
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
	v.done[CheckSchemas] = how + filepath.Join(v.o.Schemas, filepath.FromSlash(driver))
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
		if !errors.As(err, &e) || e.Category != xsderrors.CategoryValidation ||
			e.Code == xsderrors.CodeValidationLimit {
			// A document it cannot judge is not thereby wrong.
			v.skip(fmt.Sprintf("the schema validator gave up: %v", clip(err.Error())), CheckSchemas)
			continue
		}
		v.findings.add(breaks(CodeMETSSchema, METSName, "line %d, column %d: %s (in %s)", e.Line, e.Column, e.Message,
			e.Path))
	}
}
