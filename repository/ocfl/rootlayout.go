package ocfl

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// layoutFile defines how identifiers become paths (clause 4.1).
const layoutFile = "ocfl_layout.json"

// maxLayout is the maximum size in bytes of the two small files that describe a layout.
const maxLayout = 1 << 20

// readLayout reads ocfl_layout.json. It also reads the parameters of the layout, if Quire can check
// its paths.
func (c *rootCheck) readLayout() {
	b, err := readSmall(c.fsys, layoutFile, maxLayout)
	if err != nil {
		c.log.add(Issue{Code: "E070", Kind: KindUnreadable, Path: layoutFile, Detail: err.Error()})
		return
	}
	var l struct{ Extension, Description *string }
	switch err := json.Unmarshal(b, &l); {
	case !utf8.Valid(b):
		c.log.addf("E070", layoutFile, "not UTF-8")
		return
	case err != nil:
		c.log.addf("E070", layoutFile, "not a valid JSON object: %v", err)
		return
	case l.Extension == nil || l.Description == nil:
		c.log.addf("E070", layoutFile, "must have the keys extension and description")
	}
	if l.Extension == nil {
		return
	}
	c.result.Layout = *l.Extension
	if !registered[c.result.Layout] {
		c.log.addf("E071", layoutFile, "%q is not the name of a registered extension", c.result.Layout)
	}
	if c.result.Layout == LayoutName {
		c.readParameters()
	}
}

// layout is the extension 0003 with its parameters.
type layout struct {
	ExtensionName   string `json:"extensionName"`
	DigestAlgorithm string `json:"digestAlgorithm"`
	TupleSize       int    `json:"tupleSize"`
	NumberOfTuples  int    `json:"numberOfTuples"`
}

// readParameters reads the config.json of the layout; without one the defaults apply.
func (c *rootCheck) readParameters() {
	l := layout{DigestAlgorithm: SHA256, TupleSize: 3, NumberOfTuples: 3}
	file := path.Join(ExtensionsDir, LayoutName, "config.json")
	b, err := readSmall(c.fsys, file, maxLayout)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.layout = &l
		return
	case err != nil:
		c.log.add(Issue{Code: "E083", Kind: KindUnreadable, Path: file, Detail: err.Error()})
		return
	}
	if err := json.Unmarshal(b, &l); err != nil {
		c.log.addf("E083", file, "not a valid JSON object: %v", err)
		return
	}
	if err := l.check(); err != nil {
		c.log.addf("E083", file, "%v", err)
		return
	}
	c.layout = &l
}

func (l *layout) check() error {
	a := algorithms[l.DigestAlgorithm]
	switch {
	case l.ExtensionName != "" && l.ExtensionName != LayoutName:
		return fmt.Errorf("these are the parameters of %q", l.ExtensionName)
	case a.open == nil:
		return fmt.Errorf("digestAlgorithm %q is unknown", l.DigestAlgorithm)
	case l.TupleSize < 0 || l.TupleSize > 32 || l.NumberOfTuples < 0 || l.NumberOfTuples > 32:
		return errors.New("tupleSize and numberOfTuples must be from 0 to 32")
	case (l.TupleSize == 0) != (l.NumberOfTuples == 0):
		return errors.New("tupleSize and numberOfTuples must both be 0, or neither")
	case l.TupleSize*l.NumberOfTuples > a.hexSize:
		return fmt.Errorf("a %s digest has only %d digits", l.DigestAlgorithm, a.hexSize)
	}
	return nil
}

// path returns the place of an object in the layout.
func (l *layout) path(id string) string {
	h := algorithms[l.DigestAlgorithm].open()
	h.Write([]byte(id))
	digest := hex.EncodeToString(h.Sum(nil))
	var p strings.Builder
	for i := range l.NumberOfTuples {
		p.WriteString(digest[i*l.TupleSize:(i+1)*l.TupleSize] + "/")
	}
	return p.String() + encapsulation(id, digest)
}
