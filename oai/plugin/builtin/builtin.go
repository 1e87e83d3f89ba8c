package builtin

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"quire/oai/plugin"
)

// kind is one of the tools, before it has a label.
type kind struct {
	revision string   // its version, without parameters; "" where making it tells
	mime     []string // the media types that it knows how to read, as patterns
	make     func(p *parameters) (*tool, error)
}

// all are the tools, by name.
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

// New makes the tool of that name. Its label is how it is called in the configuration. The error
// says which parameter is wrong, or what names there are.
func New(label, name string, with map[string]string) (plugin.Tool, error) {
	k, ok := all[name]
	if !ok {
		return nil, fmt.Errorf("no tool %q is built in; there are %s", name, strings.Join(Names(), ", "))
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

// tool is a tool with its label. It keeps nothing between two runs.
type tool struct {
	label   string
	version string
	mime    []string
	say     func(in *input) (plugin.Output, error) // an error that in has not met itself is about the bytes
}

var _ plugin.Choosy = (*tool)(nil)

// Label is what it is called in the configuration.
func (t *tool) Label() string { return t.label }

// Version is name and revision, with the parameters that were given.
func (t *tool) Version(context.Context) (string, error) { return t.version, nil }

// MIMEPatterns are the media types that it knows how to read.
func (t *tool) MIMEPatterns() []string { return slices.Clone(t.mime) }

// Run looks at one bytestream.
func (t *tool) Run(ctx context.Context, c *plugin.Content) (out plugin.Output, err error) {
	if err := ctx.Err(); err != nil {
		return plugin.Output{}, err
	}
	in := newInput(ctx, c)
	defer func() {
		if p := recover(); p != nil { // a reader that was not ready for this
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

// failure is what is said of bytes that could not be read.
func failure(err error) *plugin.Failure {
	return &plugin.Failure{Outcome: plugin.Failed, Output: text(err.Error() + "\n")}
}

func text(s string) plugin.Output { return plugin.Output{MIMEType: "text/plain", Bytes: []byte(s)} }
