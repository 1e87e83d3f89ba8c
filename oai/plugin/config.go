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

// Config is how one tool is configured: in YAML, and under the same names in JSON, where kept-open
// is kept_open.
type Config struct {
	Label   string   `json:"label"`             // as it is called in a CRATE; each once
	Builtin string   `json:"builtin,omitempty"` // a tool that Quire has itself,
	Command []string `json:"command,omitempty"` // or a program with its arguments: {input} is the file, {url} its URL
	Version []string `json:"version,omitempty"` // of a command: what makes it say its version

	// KeptOpen is how a program is asked that is kept running instead of started for each
	// bytestream. There is one way: "exiftool". The command is then the program and its options,
	// without {input}.
	KeptOpen string `json:"kept_open,omitempty"`

	// what it is asked about: "image/*", "*/zip", "text/html"; none is what the tool can read, or
	// everything
	MIME []string          `json:"mime,omitempty"`
	With map[string]string `json:"with,omitempty"` // parameters of a builtin

	// of a command: the media type of what it prints; "" is text/plain
	Prints  string         `json:"prints,omitempty"`
	Timeout Duration       `json:"timeout,omitempty"` // 0 is DefaultTimeout
	Output  Size           `json:"output,omitempty"`  // what is kept of what it prints; 0 is DefaultOutput
	jail    sandbox.Demand // that of the runner
	// of a command: files and folders that it may read besides those of the system and its own
	Reads  []string `json:"reads,omitempty"`
	Memory Size     `json:"memory,omitempty"` // of a command, with all that it starts; 0 is 4 GiB
}

// The defaults of all tools.
const (
	DefaultTimeout = Duration(30 * time.Second)
	DefaultOutput  = Size(1 << 20)
)

// Duration is a length of time, written as 10s or 1m30s.
type Duration time.Duration

// MarshalText writes 1m30s.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads 1m30s.
func (d *Duration) UnmarshalText(s []byte) error {
	v, err := time.ParseDuration(string(s))
	if err != nil || v < 0 {
		return fmt.Errorf("%.80q is no length of time: write it as 10s, 5m, 1h30m", s)
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

// exifTool is a way of keeping a program.
const exifTool = "exiftool"

// ReadConfigs reads the list of tools. What is wrong is noted at its line: see yamlfile.Node.Err.
func ReadConfigs(n *yamlfile.Node) []Config {
	all := []Config{} // a list with nothing in it says that no tool is wanted
	labels := map[string]bool{}
	n.Items(func(n *yamlfile.Node) {
		c := readConfig(n)
		if labels[c.Label] && c.Label != "" {
			n.Fail("the label %q is there twice: a reader could not tell the tools apart", c.Label)
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

// arguments reads a program with its arguments. One text is one program: it is not taken apart at
// its blanks.
func arguments(n *yamlfile.Node) []string {
	if n.IsText() && strings.ContainsAny(n.Text(), " \t") {
		n.Fail("want a list, each argument by itself: [file, -b, \"{input}\"]; there is no shell that takes a line " +
			"apart")
		return nil
	}
	return n.Texts()
}

var labelForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`)

// Check says what is wrong with a configuration, wherever it came from.
func (c *Config) Check() error {
	for _, p := range c.MIME {
		if err := checkPattern(p); err != nil {
			return fmt.Errorf("mime: %w", err)
		}
	}
	switch {
	case !labelForm.MatchString(c.Label):
		return fmt.Errorf("the label %.80q: want letters, digits, dots, hyphens, at most 64", c.Label)
	case (c.Builtin == "") == (len(c.Command) == 0):
		return fmt.Errorf("%s: want either builtin or command", c.Label)
	case c.Timeout < 0 || c.Output < 0 || c.Memory < 0:
		return fmt.Errorf("%s: timeout, output and memory are not negative", c.Label)
	case c.Builtin != "":
		if c.KeptOpen != "" || len(c.Version)+len(c.Reads) > 0 || c.Memory > 0 || c.Prints != "" {
			return fmt.Errorf("%s: version, kept-open, memory, reads and prints are of a command", c.Label)
		}
		return nil
	}
	return c.checkCommand()
}

func (c *Config) checkCommand() error {
	if len(c.With) > 0 {
		return fmt.Errorf("%s: with is of a builtin; a command has its arguments", c.Label)
	}
	if c.KeptOpen != "" && (c.KeptOpen != exifTool || strings.Contains(strings.Join(c.Command, " "), "{")) {
		return fmt.Errorf("%s: kept-open: the one way is exiftool, and the command is the program with its options, "+
			"without {input}", c.Label)
	}
	if len(c.Version) == 0 {
		return fmt.Errorf("%s: version is missing: the command that says which version of the program it is", c.Label)
	}
	if c.Prints != "" && !mediaType.MatchString(c.Prints) {
		return fmt.Errorf("%s: prints: %.80q is no media type", c.Label, c.Prints)
	}
	for i, args := range [][]string{c.Command, c.Version} {
		p := sandbox.Command{Args: args, Reads: c.Reads}
		err := p.CheckArgs()
		if err == nil && strings.Contains(strings.Join(args, " "), "{output") {
			err = errors.New("{output} is not for tools: what they print is their result")
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.Label, []string{"command", "version"}[i], err)
		}
	}
	return nil
}
