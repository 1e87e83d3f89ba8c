package ocfl

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// declarationCodes are the codes for errors in the NAMASTE file that declares an object or a
// storage root (clauses 3.2 and 4.2).
type declarationCodes struct {
	prefix                                   string // start of the value: ocfl_object_ or ocfl_
	format, count, pattern, tag, value, text string
}

var (
	objectDeclarationCodes = declarationCodes{prefix: "ocfl_object_",
		format: "E002", count: "E003", pattern: "E004", tag: "E005", value: "E006", text: "E007"}
	rootDeclarationCodes = declarationCodes{prefix: "ocfl_",
		format: "E075", count: "E076", pattern: "E077", tag: "E078", value: "E079", text: "E080"}
)

// isDeclaration reports whether a name looks like a NAMASTE declaration of OCFL, valid or not.
func isDeclaration(name string) bool {
	tag, value, ok := strings.Cut(name, "=")
	return ok && (tag == "0" || strings.HasPrefix(value, "ocfl_"))
}

// isObjectDeclaration reports whether a file of this name declares its folder an object.
func isObjectDeclaration(name string) bool { return strings.HasPrefix(name, "0=ocfl_object_") }

// checkDeclaration reads the declarations found in dir and returns the declared OCFL version:
// "1.0", "1.1" or "".
func checkDeclaration(fsys fs.FS, dir string, found []fs.DirEntry, codes declarationCodes, log *issues) (spec string) {
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if len(found) > 1 {
		log.addf(codes.count, found[1].Name(), "a second declaration, beside %s", found[0].Name())
	}
	for _, e := range found {
		if version, ok := codes.checkName(e, log); ok {
			codes.checkText(fsys, dir, e.Name(), log)
			spec = version
		}
	}
	return spec
}

func (codes declarationCodes) checkName(e fs.DirEntry, log *issues) (version string, ok bool) {
	tag, value, _ := strings.Cut(e.Name(), "=")
	version, hasPrefix := strings.CutPrefix(value, codes.prefix)
	switch {
	case kindOfEntry(e) != isFile:
		log.addf(codes.format, e.Name(), "a declaration must be a file")
	case tag != "0":
		log.addf(codes.tag, e.Name(), "the name must begin with 0=")
	case !hasPrefix:
		log.addf(codes.value, e.Name(), "after 0=, the name must continue with %s", codes.prefix)
	case version != "1.0" && version != "1.1":
		log.addf(codes.pattern, e.Name(), "%q is not 1.0 or 1.1, the supported versions of OCFL", version)
	default:
		return version, true
	}
	return "", false
}

func (codes declarationCodes) checkText(fsys fs.FS, dir, name string, log *issues) {
	want := strings.TrimPrefix(name, "0=") + "\n"
	b, err := readSmall(fsys, path.Join(dir, name), 4096)
	if err != nil {
		log.add(Issue{Code: codes.text, Kind: KindUnreadable, Path: name, Detail: err.Error()})
	} else if string(b) != want {
		log.add(Issue{Code: codes.text, Path: name, Detail: fmt.Sprintf("contains %.80q, must contain %q", b, want)})
	}
}
