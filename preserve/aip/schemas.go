package aip

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/jacoelho/xsd"
	"github.com/jacoelho/xsd/xsderrors"

	"quire/preserve/schemas"
)

// The limits of the schema validator. Its defaults are made for small documents. An ID or reference
// takes some 200 bytes of its memory. So for a large METS the validator treats IDs as plain names;
// references checks METS's own IDs by sorting.
const (
	largeMETS        = 64 << 20 // bytes
	maxSchemaEntries = 10_000_000
	maxSchemaToken   = 32 << 20 // above the limit of the METS reader, which already read the file
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
	how, err := v.checkText(METSName, f, info.Size(), driver)
	if err != nil {
		return err
	}
	v.done[CheckSchemas] = how + filepath.Join(v.o.Schemas, filepath.FromSlash(driver))
	return v.ctx.Err()
}

// checkDocumentSchemas validates a document below [METSDir] whose text has that size.
func (d *description) checkDocumentSchemas(in *description, size int64) error {
	if d.o.Schemas == "" {
		return nil
	}
	f, err := openDocument(d.root, in.document)
	if err != nil {
		return fmt.Errorf("reading %s in %s again: %w", in.document, d.dir, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	_, err = d.checkText(in.document, f, size, in.generation.driver())
	return err
}

// checkText validates one METS document of at most that size, and returns how.
func (v *validation) checkText(document string, text io.Reader, size int64, driver string) (how string, err error) {
	compile, how := schemas.Compile, "valid against "
	if size > largeMETS {
		compile, how = schemas.CompileNames, "valid, IDs as names, against "
	}
	engine, err := compile(v.ctx, v.o.Schemas, driver)
	if err != nil {
		return "", err
	}
	quiet := &validation{ctx: v.ctx} // these bytes were already reported
	in := &watched{v: quiet, src: text}
	err = engine.ValidateWithOptions(v.ctx, in, xsd.ValidateOptions{
		MaxErrors: MaxFindings, MaxInstanceBytes: size + 1, MaxIdentityEntries: maxSchemaEntries,
		MaxInstanceTokenBytes: maxSchemaToken, MaxInstanceTextBytes: maxSchemaToken,
	})
	if in.err != nil {
		return "", fmt.Errorf("reading %s in %s again: %w", document, v.dir, in.err)
	}
	v.judgeSchemas(document, err)
	return how, v.ctx.Err()
}

// judgeSchemas turns the result of the schema validator into findings.
func (v *validation) judgeSchemas(document string, err error) {
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
			// A document that the validator cannot judge is not necessarily wrong.
			v.skip(fmt.Sprintf("the schema validator gave up: %v", clip(err.Error())), CheckSchemas)
			continue
		}
		v.findings.add(breaks(CodeMETSSchema, document, "line %d, column %d: %s (in %s)", e.Line, e.Column, e.Message,
			e.Path))
	}
}
