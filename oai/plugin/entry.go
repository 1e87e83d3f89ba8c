package plugin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"quire/internal/sandbox"
)

// entry is a configured tool, with its version once known.
type entry struct {
	tool     Tool
	config   Config
	patterns []string // media types for the tool
	digest   string   // of the configuration except the media types
	usesURL  bool
	usesName bool // and the modification time

	mu      sync.Mutex
	version string    // "" before the first query
	until   time.Time // time of the next query of an unknown version
}

// Unknown is the version of a tool that states none.
const Unknown = "unknown"

// askAgain is the delay before a second query of an unknown version. Meanwhile the tool may be
// installed, or the machine less busy.
const askAgain = time.Minute

func newEntry(c Config, o *Options) (*entry, error) {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Output == 0 {
		c.Output = DefaultOutput
	}
	c.jail = o.Jail
	t, err := newTool(c, o)
	if err != nil {
		return nil, err
	}
	e := &entry{tool: t, config: c, patterns: c.MIME}
	if choosy, ok := t.(Choosy); ok && len(e.patterns) == 0 {
		e.patterns = choosy.MIMEPatterns()
	}
	if len(e.patterns) == 0 {
		e.patterns = []string{"*/*"}
	}
	if addressed, ok := t.(Addressed); ok {
		e.usesURL = addressed.UsesURL()
	}
	if named, ok := t.(Named); ok {
		e.usesName = named.UsesName()
	}
	c.MIME = nil
	told, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(told)
	e.digest = hex.EncodeToString(sum[:])
	return e, nil
}

// key identifies all inputs that determine the output of a tool.
func (e *entry) key(version string, c *Content) string {
	url := ""
	if e.usesURL {
		url = c.URL
	}
	name := ""
	if e.usesName {
		name = fmt.Sprintf("%q %d", sandbox.Extension(c.Name), c.Modified.Unix())
	}
	h := sha256.New()
	for _, part := range []string{e.config.Label, version, e.digest, c.SHA256, c.MIMEType, c.Charset, url, name} {
		h.Write(fmt.Appendf(nil, "%d:%s\n", len(part), part)) // a hash never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// toolName returns the name of the tool itself, for its results.
func (e *entry) toolName() string {
	if e.config.Builtin != "" {
		return "quire:" + e.config.Builtin
	}
	return filepath.Base(e.config.Command[0])
}

// known returns the version if it was queried already.
func (e *entry) known() (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.version, e.version != "" && (e.until.IsZero() || time.Now().Before(e.until))
}

// ask queries the version of the tool once. A tool without one gets the version Unknown, and
// problem receives the reason.
func (e *entry) ask(ctx context.Context, problem func(string, error)) (string, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.version != "" && (e.until.IsZero() || time.Now().Before(e.until)) {
		return e.version, nil
	}
	v, err := e.tool.Version(ctx)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil && v == "":
		err = errors.New("it says nothing")
	}
	if err != nil {
		if problem != nil && e.version == "" {
			problem(e.config.Label, fmt.Errorf("querying the version: %w", err))
		}
		e.version, e.until = Unknown, time.Now().Add(askAgain)
		return e.version, nil
	}
	e.version, e.until = v, time.Time{}
	return v, nil
}

// run runs the tool on a bytestream within its time limit. If the tool crashes, the crash becomes
// the result for the bytestream.
func (e *entry) run(ctx context.Context, c *Content) (out Output, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = Output{}, &Failure{Outcome: Failed, Output: plainText(fmt.Sprintf("the tool broke down: %v", p))}
		}
	}()
	limited, cancel := context.WithTimeout(ctx, time.Duration(e.config.Timeout)+grace)
	defer cancel()
	out, err = e.tool.Run(limited, c)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		why := fmt.Sprintf("it was not done after %s", time.Duration(e.config.Timeout))
		return Output{}, &Failure{Outcome: TimedOut, Reason: why, Passing: true, Output: plainText(why)}
	}
	return out, err
}

// grace is added to the time limit of a run. A program is stopped at its own limit first, because
// that result has more information.
const grace = time.Second

// cut limits the output to its maximum size.
func (e *entry) cut(r Result) Result {
	if most := int64(e.config.Output); int64(len(r.Bytes)) > most {
		r.Bytes = r.Bytes[:most:most]
		if r.Outcome == Good {
			r.Outcome, r.Reason = Truncated, fmt.Sprintf("it said more than %d bytes", most)
		}
	}
	return r
}
