package plugin

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"quire/internal/sandbox"
	"quire/internal/yamlfile"
)

// Config is the configuration of one tool, in YAML, or in JSON with the same names except kept_open
// for kept-open.
type Config struct {
	Label   string   `json:"label"`             // its name in a CRATE; unique
	Builtin string   `json:"builtin,omitempty"` // a built-in tool,
	Command []string `json:"command,omitempty"` // or a program with its arguments: {input} is the file, {url} its URL
	Version []string `json:"version,omitempty"` // of a command: the command that prints its version

	// KeptOpen is the protocol of a program that keeps running instead of starting for each
	// bytestream. The only one is "exiftool". The command is then the program and its options,
	// without {input}.
	KeptOpen string `json:"kept_open,omitempty"`

	// media types for the tool: "image/*", "*/zip", "text/html"; empty means all that the tool
	// supports, or all
	MIME []string          `json:"mime,omitempty"`
	With map[string]string `json:"with,omitempty"` // parameters of a builtin

	// of a command: the media type of its output; "" means text/plain
	Prints  string         `json:"prints,omitempty"`
	Timeout Duration       `json:"timeout,omitempty"` // 0 means DefaultTimeout
	Output  Size           `json:"output,omitempty"`  // kept size of the output; 0 means DefaultOutput
	jail    sandbox.Demand // the runner's
	// for a command: files and folders that it may read, in addition to the system's folders and
	// its own folder
	Reads  []string `json:"reads,omitempty"`
	Memory Size     `json:"memory,omitempty"` // of a command and its children; 0 means 4 GiB
}

// The defaults of all tools.
const (
	DefaultTimeout = Duration(30 * time.Second)
	DefaultOutput  = Size(1 << 20)
)

// Duration is a duration, written as 10s or 1m30s.
type Duration time.Duration

// MarshalText implements encoding.TextMarshaler; it writes 1m30s.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler; it reads 1m30s.
func (d *Duration) UnmarshalText(s []byte) error {
	v, err := time.ParseDuration(string(s))
	if err != nil || v < 0 {
		return fmt.Errorf("%.80q is not a duration: write it as 10s, 5m, 1h30m", s)
	}
	*d = Duration(v)
	return nil
}

// Size is a number of bytes, written as 4096, 64 KiB or 8 MiB.
type Size int64

// MarshalText writes the number of bytes.
func (s Size) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d", int64(s)), nil }

// UnmarshalText reads 8 MiB.
func (s *Size) UnmarshalText(text []byte) error {
	v, err := yamlfile.ParseSize(string(text))
	*s = Size(v)
	return err
}

// exifTool is the protocol of ExifTool.
const exifTool = "exiftool"

// ReadConfigs reads the list of tools. It reports each error at its line: see yamlfile.Node.Err.
func ReadConfigs(n *yamlfile.Node) []Config {
	all := []Config{} // an empty list means no tools
	labels := map[string]bool{}
	n.Items(func(n *yamlfile.Node) {
		c := readConfig(n)
		if labels[c.Label] && c.Label != "" {
			n.Fail("duplicate label %q: readers could not distinguish the tools", c.Label)
		}
		labels[c.Label] = true
		all = append(all, c)
	})
	return all
}

func readConfig(n *yamlfile.Node) (c Config) {
	size := func(to *Size) func(*yamlfile.Node) { return func(n *yamlfile.Node) { *to = Size(n.Size()) } }
	n.Fields(map[string]func(*yamlfile.Node){
		"label":   func(n *yamlfile.Node) { c.Label = n.Text() },
		"builtin": func(n *yamlfile.Node) { c.Builtin = n.Text() },
		"command": func(n *yamlfile.Node) { c.Command = arguments(n) },
		"version": func(n *yamlfile.Node) { c.Version = arguments(n) },
		"mime":    func(n *yamlfile.Node) { c.MIME = n.Texts() },
		"with": func(n *yamlfile.Node) {
			c.With = map[string]string{}
			n.Each(func(key string, value *yamlfile.Node) { c.With[key] = value.Text() })
		},
		"kept-open": func(n *yamlfile.Node) { c.KeptOpen = n.Text() },
		"reads":     func(n *yamlfile.Node) { c.Reads = n.Texts() },
		"prints":    func(n *yamlfile.Node) { c.Prints = n.Text() },
		"timeout":   func(n *yamlfile.Node) { c.Timeout = Duration(n.Duration()) },
		"output":    size(&c.Output), "memory": size(&c.Memory),
	})
	if err := c.Check(); err != nil {
		n.Fail("%v", err)
	}
	return c
}

// arguments reads a program with its arguments. A single text is one program; it is not split at
// spaces.
func arguments(n *yamlfile.Node) []string {
	if n.IsText() && strings.ContainsAny(n.Text(), " \t") {
		n.Fail("write a list with separate arguments: [file, -b, \"{input}\"]; no shell splits a line")
		return nil
	}
	return n.Texts()
}

var labelForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`)

// Check checks a configuration from any source.
func (c *Config) Check() error {
	for _, p := range c.MIME {
		if err := checkPattern(p); err != nil {
			return fmt.Errorf("mime: %w", err)
		}
	}
	switch {
	case !labelForm.MatchString(c.Label):
		return fmt.Errorf("the label %.80q: use letters, digits, dots, hyphens, at most 64", c.Label)
	case (c.Builtin == "") == (len(c.Command) == 0):
		return fmt.Errorf("%s: set either builtin or command", c.Label)
	case c.Timeout < 0 || c.Output < 0 || c.Memory < 0:
		return fmt.Errorf("%s: timeout, output and memory must not be negative", c.Label)
	case c.Builtin != "":
		if c.KeptOpen != "" || len(c.Version)+len(c.Reads) > 0 || c.Memory > 0 || c.Prints != "" {
			return fmt.Errorf("%s: version, kept-open, memory, reads and prints apply only to a command", c.Label)
		}
		return nil
	}
	return c.checkCommand()
}

func (c *Config) checkCommand() error {
	if len(c.With) > 0 {
		return fmt.Errorf("%s: with applies only to a builtin; a command has arguments", c.Label)
	}
	if c.KeptOpen != "" && (c.KeptOpen != exifTool || strings.Contains(strings.Join(c.Command, " "), "{")) {
		return fmt.Errorf("%s: kept-open: the only value is exiftool; the command is then the program "+
			"with its options, without {input}", c.Label)
	}
	if len(c.Version) == 0 {
		return fmt.Errorf("%s: version is missing: set the command that prints the program's version", c.Label)
	}
	if c.Prints != "" && !mediaType.MatchString(c.Prints) {
		return fmt.Errorf("%s: prints: %.80q is not a media type", c.Label, c.Prints)
	}
	for i, args := range [][]string{c.Command, c.Version} {
		p := sandbox.Command{Args: args, Reads: c.Reads}
		err := p.CheckArgs()
		if err == nil && strings.Contains(strings.Join(args, " "), "{output") {
			err = errors.New("{output} is invalid for tools: their result is their standard output")
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.Label, []string{"command", "version"}[i], err)
		}
	}
	return nil
}
