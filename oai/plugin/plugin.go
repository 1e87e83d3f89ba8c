// Package plugin has tools say what they know of bytestreams: programs, and what is built in. What
// they say is best effort: not verified, not merged, conflicts side by side; and that a tool failed
// is what it has to say.
//
// docs/reference/595_tools.md tells how tools are configured, chosen, fenced in, and what of them is kept.
package plugin

import (
	"context"
	"io"
	"time"
)

// Tool says something of bytestreams. It is used from several goroutines.
type Tool interface {
	Label() string // "md5", "file", as it is called in the configuration: the same label twice is the same tool

	// Version is asked once, before the first Run.
	Version(ctx context.Context) (string, error)

	// Run looks at one bytestream. What it says depends on the bytes, their MIMEType and Charset; a
	// tool that looks at the URL, too, is an Addressed. An error that is a *Failure is about the
	// bytestream, or how the tool is configured, and becomes the tool's output; other errors are
	// those of the machine or of ctx.
	Run(ctx context.Context, c *Content) (Output, error)
}

// Addressed is a tool that says of the same bytes something else at another URL.
type Addressed interface {
	Tool
	UsesURL() bool
}

// Choosy is a tool that knows which media types it can read, as patterns (see Config.MIME): it is
// asked about no others, unless the configuration says so.
type Choosy interface {
	Tool
	MIMEPatterns() []string
}

// Examiner has tools look at a bytestream, all that match, and gives what they say in the order of
// the configuration. The error is that of ctx: whatever else goes wrong with a tool is its result.
// *Runner is one.
type Examiner interface {
	Run(ctx context.Context, c *Content) ([]Result, error)
}

// Content is one bytestream that tools look at. It can be read again and again, by several at once.
type Content struct {
	URL      string // of the resource
	MIMEType string // as declared, lower case, without parameters
	Charset  string // as declared with it; "" when it was not
	Size     int64
	SHA256   string // hexadecimal, lower case

	Bytes io.ReaderAt

	// File is the path of a file with the bytes, for tools that want one; it may be made at the
	// first call, and must not be changed.
	File func() (path string, err error)
}

// Reader reads the bytes from the beginning.
func (c *Content) Reader() *io.SectionReader { return io.NewSectionReader(c.Bytes, 0, c.Size) }

// Output is what a tool says.
type Output struct {
	MIMEType string // of Bytes: "text/plain", "application/json", "text/xml"
	Bytes    []byte
}

// Outcome says how a tool did.
type Outcome string

// The outcomes.
const (
	Good      Outcome = ""          // it did its work
	Failed    Outcome = "failed"    // it is not there, or ended otherwise than well
	TimedOut  Outcome = "timed out" // it was stopped
	Truncated Outcome = "truncated" // it said more than is kept
)

// Failure is what a tool says when it cannot do its work: Bytes is what it printed, or else why it
// did not run.
type Failure struct {
	Outcome Outcome
	Reason  string // "ended with status 3"; "" when Bytes say it
	Passing bool   // it may be about the machine: another time it may go well
	Output
}

func (f *Failure) Error() string {
	if f.Reason != "" {
		return string(f.Outcome) + ": " + f.Reason
	}
	return string(f.Outcome) + ": " + string(f.Bytes)
}

// Result is what a CRATE tells of one tool.
type Result struct {
	Label, Version string
	Outcome        Outcome
	Reason         string // why it is not Good, in a few words, when Bytes do not say it: "ended with status 3"
	Output
	// what the tool was kept from, and what this machine could not keep it from; "" of what is
	// built in
	Jail  string
	Taken time.Duration // how long it worked; 0 when the result was known already

	passing bool // see Failure
	machine bool // it failed for a reason that has nothing to do with the bytes
}
