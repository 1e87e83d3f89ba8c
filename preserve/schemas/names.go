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

// named is a catalog that changes the types of IDs and references in its schemas to plain names.
type named struct{ catalog }

// ResolveSchema resolves an import. The imported file may also be beside the importing schema.
func (n named) ResolveSchema(ctx context.Context, base, location string) (xsd.SchemaSource, error) {
	file, known := n.catalog[location]
	switch {
	case known:
		return namesOnly(file)
	case strings.Contains(location, "://"), location == "":
		return n.catalog.ResolveSchema(ctx, base, location)
	}
	source, err := n.catalog.ResolveSchema(ctx, base, location) // outside the catalog
	if !errors.Is(err, xsderrors.ErrSchemaNotFound) {
		return source, err
	}
	return namesOnly(filepath.Join(filepath.Dir(base), filepath.FromSlash(location)))
}

// idTypes matches the built-in types of XML Schema (part 2, 3.3.8 to 3.3.10) that require a
// validator to store values.
var idTypes = regexp.MustCompile(`\b(type|base|itemType)="(xs|xsd):(ID|IDREF|IDREFS)"`)

// namesOnly reads a schema and replaces each of those types with its base type.
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
