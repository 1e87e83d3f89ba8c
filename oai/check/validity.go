package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jacoelho/xsd"
	"github.com/jacoelho/xsd/xsderrors"

	"quire/metadata/xmlstream"
	"quire/oai/client"
	"quire/preserve/schemas"
)

// Driver is the schema, in a folder of schemas, that imports the schemas of OAI-PMH and of the
// metadata.
const Driver = "drivers/oai-all.xsd"

// validity validates answers. It validates the whole content of records strictly. If the folder
// lacks a format's schema, it cannot judge that format and reports no error.
type validity struct {
	engine *xsd.Engine
	spaces []string // namespaces in the driver
}

func newValidity(ctx context.Context, dir string) (*validity, error) {
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(Driver)))
	if err != nil {
		return nil, fmt.Errorf("the folder of schemas lacks %s, which is in docs/reference/580_oai.md: %w", Driver, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	engine, err := schemas.Compile(ctx, dir, Driver)
	if err != nil {
		return nil, err
	}
	v := &validity{engine: engine}
	x := xmlstream.NewReader(f, xmlstream.Limits{})
	if _, err = x.Root(); err == nil {
		err = x.Each(func(e xmlstream.Element) error {
			v.spaces = append(v.spaces, e.Attr("namespace"))
			return nil
		})
	}
	return v, err
}

// validate validates an answer by the schemas.
func (k *checker) validate(a *answer, got *client.Answer) {
	if k.validity == nil {
		return
	}
	err := k.validity.engine.Validate(k.ctx, got.Body())
	if err == nil || k.ctx.Err() != nil {
		return
	}
	var all xsderrors.Errors
	if !errors.As(err, &all) {
		all = xsderrors.Errors{err}
	}
	for _, err := range all {
		var e *xsderrors.Error
		known := errors.As(err, &e)
		switch {
		case known && strings.HasSuffix(e.Path, "/metadata") && k.foreign(a):
		case !known || e.Category != xsderrors.CategoryValidation || e.Code == xsderrors.CodeValidationLimit:
			k.unjudged(fmt.Sprintf("the validator gave up: %.300s", err))
		default:
			k.find(CodeSchema, a.request, "line %d, column %d: %.300s (in %.200s)", e.Line, e.Column, e.Message, e.Path)
		}
	}
}

// foreign reports whether a record's metadata are in a namespace that the driver lacks, and notes
// the namespace in the report.
func (k *checker) foreign(a *answer) bool {
	found := false
	for _, h := range a.heads {
		if h.metadata && h.space != "" && !slices.Contains(k.validity.spaces, h.space) {
			found = true
			k.unjudged(fmt.Sprintf("the folder has no schema of %.200s: records in that format are not "+
				"validated",
				h.space))
		}
	}
	return found
}

// unjudged records, once, a part that could not be validated.
func (k *checker) unjudged(why string) {
	if line := "schemas: " + why; !slices.Contains(k.report.Undone, line) && len(k.report.Undone) < 100 {
		k.report.Undone = append(k.report.Undone, line)
	}
}
