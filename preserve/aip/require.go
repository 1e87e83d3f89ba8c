package aip

import (
	"context"
	"fmt"
	"strings"

	"quire/internal/humanize"
	"quire/model"
)

// InvalidError reports that a package, or another thing that was validated, is invalid.
type InvalidError struct{ Report *Report }

// maxSaid is how many findings the text of an InvalidError has.
const maxSaid = 10

// Error returns the path and the first findings of severity error, one per line.
func (e *InvalidError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is invalid (quire validate %[1]s has all findings)", e.Report.Path)
	wrong := int64(0)
	for _, f := range e.Report.Findings {
		if f.Severity != model.Error {
			continue
		}
		if wrong++; wrong <= maxSaid {
			fmt.Fprintf(&b, "\n  %s", f)
		}
	}
	if wrong > maxSaid {
		fmt.Fprintf(&b, "\n  and %s", humanize.Number(wrong-maxSaid, "more", "more"))
	}
	return b.String()
}

// Require validates a package as [Validate] does. The error is an [InvalidError] if it is invalid;
// warnings are no error.
func Require(ctx context.Context, dir string, o Options) error {
	r, err := Validate(ctx, dir, o)
	if err == nil && r.Outcome != string(model.Valid) {
		err = &InvalidError{r}
	}
	return err
}
