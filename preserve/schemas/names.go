package schemas

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/jacoelho/xsd"
	"github.com/jacoelho/xsd/xsderrors"
)

// named is a catalogue whose schemas take IDs and references for names.
type named struct{ catalog }

// ResolveSchema answers an import, also of what lies beside the schema that names it.
func (n named) ResolveSchema(ctx context.Context, base, location string) (xsd.SchemaSource, error) {
	file, known := n.catalog[location]
	switch {
	case known:
		return namesOnly(file)
	case strings.Contains(location, "://"), location == "":
		return n.catalog.ResolveSchema(ctx, base, location)
	}
	source, err := n.catalog.ResolveSchema(ctx, base, location) // what it leaves out
	if !errors.Is(err, xsderrors.ErrSchemaNotFound) {
		return source, err
	}
	return namesOnly(filepath.Join(filepath.Dir(base), filepath.FromSlash(location)))
}

// idTypes are the built-in types of XML Schema (part 2, 3.3.8 to 3.3.10) whose values a validator
// has to keep.
var idTypes = regexp.MustCompile(`\b(type|base|itemType)="(xs|xsd):(ID|IDREF|IDREFS)"`)

// namesOnly reads a schema, with the types that each of those is made of in their place.
func namesOnly(file string) (xsd.SchemaSource, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return xsd.SchemaSource{}, xsderrors.ErrSchemaNotFound
	}
	if err != nil {
		return xsd.SchemaSource{}, fmt.Errorf("schema: %w", err)
	}
	text = idTypes.ReplaceAllFunc(text, func(found []byte) []byte {
		if strings.HasSuffix(string(found), `IDREFS"`) {
			return idTypes.ReplaceAll(found, []byte(`$1="$2:NMTOKENS"`))
		}
		return idTypes.ReplaceAll(found, []byte(`$1="$2:NCName"`))
	})
	return xsd.Bytes(file, text), nil
}
