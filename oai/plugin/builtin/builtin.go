package builtin

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quire/oai/plugin"
)

// kind is one of the tools, without a label.
type kind struct {
	revision string   // its version without parameters; "" if the tool states it
	mime     []string // supported media types, as patterns
	make     func(p *parameters) (*tool, error)
}

// all maps names to tools.
var all = map[string]kind{
	"md5":     digestKind("md5"),
	"sha1":    digestKind("sha1"),
	"sha256":  digestKind("sha256"),
	"sha512":  digestKind("sha512"),
	"pronom":  pronomKind(),
	"html":    htmlKind(),
	"exif":    exifKind(),
	"pdf":     pdfKind(),
	"phrases": phrasesKind(),
	"summary": summaryKind(),
}

// Names lists the tools.
func Names() []string { return slices.Sorted(maps.Keys(all)) }

// New returns the tool with a name. Its label is its name in the configuration. The error names the
// invalid parameter or lists the valid names.
func New(label, name string, with map[string]string) (plugin.Tool, error) {
	k, ok := all[name]
	if !ok {
		return nil, fmt.Errorf("no built-in tool %q; there are %s", name, strings.Join(Names(), ", "))
	}
	p := &parameters{given: with}
	t, err := k.make(p)
	if err == nil {
		err = p.problem()
	}
	if err != nil {
		return nil, fmt.Errorf("the built-in tool %s: %w", name, err)
	}
	t.label, t.mime = label, k.mime
	if t.version == "" {
		t.version = k.revision
	}
	t.version += p.String()
	return t, nil
}

// tool is a tool with its label. It has no state between runs.
type tool struct {
	label   string
	version string
	mime    []string
	say     func(in *input) (plugin.Output, error) // errors other than read errors of in concern the bytes
}

var _ plugin.Choosy = (*tool)(nil)

// Label returns the tool's name in the configuration.
func (t *tool) Label() string { return t.label }

// Version returns the name and revision, with the given parameters.
func (t *tool) Version(context.Context) (string, error) { return t.version, nil }

// MIMEPatterns returns the supported media types.
func (t *tool) MIMEPatterns() []string { return slices.Clone(t.mime) }

// Run examines one bytestream.
func (t *tool) Run(ctx context.Context, c *plugin.Content) (out plugin.Output, err error) {
	if err := ctx.Err(); err != nil {
		return plugin.Output{}, err
	}
	in := newInput(ctx, c)
	defer func() {
		if p := recover(); p != nil { // a reader failed unexpectedly
			out, err = plugin.Output{}, failure(fmt.Errorf("%s broke down: %v", t.version, p))
		}
	}()
	out, err = t.say(in)
	switch {
	case in.err != nil:
		return plugin.Output{}, in.err
	case err != nil:
		return plugin.Output{}, failure(err)
	}
	return out, nil
}

// failure returns the output for unreadable bytes.
func failure(err error) *plugin.Failure {
	return &plugin.Failure{Outcome: plugin.Failed, Output: text(err.Error() + "\n")}
}

func text(s string) plugin.Output { return plugin.Output{MIMEType: "text/plain", Bytes: []byte(s)} }
