// Package plugin runs tools on bytestreams: external programs and built-in tools. Their output is
// best effort: unverified, not merged, with conflicts side by side. The failure of a tool is
// recorded as its output.
//
// docs/reference/595_tools.md describes how tools are configured, selected and sandboxed, and how
// their output is cached.
package plugin

import (
	"context"
	"io"
	"time"
)

// Tool examines bytestreams. It must be safe for use by several goroutines.
type Tool interface {
	Label() string // "md5", "file", as in the configuration: equal labels mean the same tool

	// Version is called once, before the first Run.
	Version(ctx context.Context) (string, error)

	// Run examines one bytestream. The output depends on the bytes, their MIMEType and Charset; a
	// tool that also uses the URL is an Addressed. A *Failure concerns the bytestream or the tool's
	// configuration, and becomes the output. Other errors are those of the machine or of ctx.
	Run(ctx context.Context, c *Content) (Output, error)
}

// Addressed is a tool with an output that also depends on the URL.
type Addressed interface {
	Tool
	UsesURL() bool
}

// Named is a tool with an output that also depends on the name of the resource and its modification
// time: it reads a file.
type Named interface {
	Tool
	UsesName() bool
}

// Commander is a tool with a command line.
type Commander interface {
	Tool
	CommandLine(c *Content) string // for one bytestream, in the quoting of a POSIX shell
}

// Choosy is a tool with a list of supported media types, as patterns (see Config.MIME). It runs
// only for them, unless the configuration sets others.
type Choosy interface {
	Tool
	MIMEPatterns() []string
}

// Examiner runs all matching tools on a bytestream and returns their output in the order of the
// configuration. It returns an error only if ctx has one. Any other error of a tool becomes the
// result of this tool. *Runner is an Examiner.
type Examiner interface {
	Run(ctx context.Context, c *Content) ([]Result, error)
}

// Content is one bytestream for tools. It can be read repeatedly and concurrently.
type Content struct {
	URL      string // of the resource
	MIMEType string // as declared, lower case, without parameters
	Charset  string // as declared with it; "" if undeclared
	Size     int64
	SHA256   string // hexadecimal, lower case

	// Name is the file name of the resource, as its server states it; "" if there is none. It came
	// from the web: programs see only its extension.
	Name     string
	Modified time.Time // as its server states it; zero if it does not

	Bytes io.ReaderAt

	// File returns the path of a file with the bytes. The first call may create it; it must not be
	// changed.
	File func() (path string, err error)
}

// Reader reads the bytes from the beginning.
func (c *Content) Reader() *io.SectionReader { return io.NewSectionReader(c.Bytes, 0, c.Size) }

// Output is the output of a tool.
type Output struct {
	MIMEType string // of Bytes: "text/plain", "application/json", "text/xml"
	Bytes    []byte
}

// Outcome is the outcome of a tool's run.
type Outcome string

// The outcomes.
const (
	Good      Outcome = ""          // success
	Failed    Outcome = "failed"    // missing, or ended with an error
	TimedOut  Outcome = "timed out" // it was stopped
	Truncated Outcome = "truncated" // its output exceeds the limit
)

// Failure is the output of a failed tool. Bytes is the text it printed, or the reason why it did
// not run.
type Failure struct {
	Outcome Outcome
	Reason  string // "ended with status 3"; "" if Bytes has the reason
	Passing bool   // the machine may be the cause: a retry may succeed
	Output
}

// Error states the outcome and its reason.
func (f *Failure) Error() string {
	if f.Reason != "" {
		return string(f.Outcome) + ": " + f.Reason
	}
	return string(f.Outcome) + ": " + string(f.Bytes)
}

// Result is the entry of one tool in a CRATE.
type Result struct {
	Label, Version string
	Outcome        Outcome
	Reason         string // short reason for an outcome other than Good, if not in Bytes: "ended with status 3"
	Output
	// the restrictions on the tool, and those missing on this machine; "" for built-in tools
	Jail string

	// Tool is the program ("exiftool"), or "quire:" and the name of a built-in tool; "" if unknown.
	Tool    string
	Command string        // the command line of the run, in the quoting of a POSIX shell; "" without one
	Began   time.Time     // start of the run, also of a cached result; zero if unknown
	Taken   time.Duration // time of the run; 0 if the result was cached

	passing bool // see Failure
	machine bool // the failure is unrelated to the bytes
}
