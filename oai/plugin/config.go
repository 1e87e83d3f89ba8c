package plugin

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"time"

	"quire/internal/program"
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
	// of a command: exit statuses that mean success; empty means 0 alone
	Statuses []int `json:"statuses,omitempty"`
	Scratch  Size  `json:"scratch,omitempty"` // of a command: bytes of the files that it writes; 0 means 4 GiB
}

// The defaults of all tools.
const (
	DefaultTimeout = Duration(30 * time.Second)
	DefaultOutput  = Size(1 << 20)
)

// Duration is a duration, written as 10s or 1m30s.
type Duration = program.Duration

// Size is a number of bytes, written as 4096, 64 KiB or 8 MiB.
type Size = program.Size

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
	var p program.Program
	keys := p.Fields()
	maps.Copy(keys, map[string]func(*yamlfile.Node){
		"label":   func(n *yamlfile.Node) { c.Label = n.Text() },
		"builtin": func(n *yamlfile.Node) { c.Builtin = n.Text() },
		"mime":    func(n *yamlfile.Node) { c.MIME = n.Texts() },
		"with": func(n *yamlfile.Node) {
			c.With = map[string]string{}
			n.Each(func(key string, value *yamlfile.Node) { c.With[key] = value.Text() })
		},
		"kept-open": func(n *yamlfile.Node) { c.KeptOpen = n.Text() },
	})
	n.Fields(keys)
	c.declare(&p)
	if err := c.Check(); err != nil {
		n.Fail("%v", err)
	}
	return c
}

// declare takes the keys that all external programs have.
func (c *Config) declare(p *program.Program) {
	c.Command, c.Version, c.Reads, c.Prints, c.Statuses = p.Command, p.Version, p.Reads, p.Prints, p.Statuses
	c.Timeout, c.Output, c.Memory, c.Scratch = p.Timeout, p.Output, p.Memory, p.Scratch
}

// declared returns the program of a configuration with a command.
func (c *Config) declared() *program.Program {
	return &program.Program{Command: c.Command, Version: c.Version, Reads: c.Reads, Prints: c.Prints,
		Statuses: c.Statuses, Timeout: c.Timeout, Output: c.Output, Memory: c.Memory, Scratch: c.Scratch}
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
	case c.Timeout < 0 || c.Output < 0 || c.Memory < 0 || c.Scratch < 0:
		return fmt.Errorf("%s: timeout, output, memory and scratch must not be negative", c.Label)
	case c.Builtin != "":
		if c.KeptOpen != "" || len(c.Version)+len(c.Reads) > 0 || c.Memory > 0 || c.Prints != "" {
			return fmt.Errorf("%s: version, kept-open, memory, reads and prints apply only to a command", c.Label)
		}
		if len(c.Statuses) > 0 || c.Scratch > 0 {
			return fmt.Errorf("%s: statuses and scratch apply only to a command", c.Label)
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
	if err := c.declared().CheckPrints(); err != nil {
		return fmt.Errorf("%s: %w", c.Label, err)
	}
	return nil
}
