package chromium

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"time"

	"quire/internal/sandbox"
)

// The size of a page in the browser, in pixels.
const (
	Width  = 1280
	Height = 1024
)

// The limits of a page.
const (
	DefaultTime = 20 * time.Second
	startTime   = 20 * time.Second // of the browser itself, on a busy machine
	memory      = 3 << 30          // shared memory is counted for each process
	scratch     = 512 << 20
	maxAnswers  = 500       // requests of a page
	maxAnswered = 128 << 20 // bytes of all answers
	maxMessage  = 64 << 20  // bytes of one message of the browser
	quietTime   = 500 * time.Millisecond
)

// Browser is an installed Chromium.
type Browser struct {
	Program string         // its path, or a name to find in PATH
	Temp    string         // parent of temporary folders; "" is the system's
	Time    time.Duration  // for the loading of a page; 0 is DefaultTime
	Jail    sandbox.Demand // the required kernel support

	starting time.Duration // 0 is startTime
	memory   int64         // of all processes; 0 is memory
}

// Request is a request of a page.
type Request struct {
	URL, Method string
	ContentType string // of the body
	Body        []byte
}

// Response answers a request. Its body has no content coding.
type Response struct {
	Status      int
	ContentType string
	Location    string // of a redirect, absolute
	Body        []byte
}

// Answers returns the answer to a request; nil stands for a resource that is not there. Its error ends the shot.
type Answers func(context.Context, Request) (*Response, error)

// flags are those of every run. Chromium's processes have no access to /proc/self in the jail, which the one for
// graphics needs; so that is a part of the first process.
var flags = []string{
	"--headless", "--remote-debugging-pipe", "--no-sandbox", "--no-zygote", "--in-process-gpu", "--disable-gpu",
	"--disable-dev-shm-usage", "--disable-breakpad", "--disable-crash-reporter", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-extensions",
	"--disable-sync", "--disable-translate", "--disable-site-isolation-trials", "--hide-scrollbars", "--mute-audio",
	"--no-pings", "--no-proxy-server", "--allow-running-insecure-content", "--block-new-web-contents",
	"--disable-features=IsolateOrigins,site-per-process,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable," +
		"OptimizationHints,MediaRouter,Translate",
	fmt.Sprintf("--window-size=%d,%d", Width, Height), "about:blank",
}

// command returns Chromium with its pipe. It reads the descriptor 3 and writes 4.
func (b *Browser) command() (sandbox.Command, error) {
	program, err := exec.LookPath(b.Program)
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return sandbox.Command{}, fmt.Errorf("finding Chromium: %w: install it, or give its path", err)
	}
	args := append([]string{"sh", "-c", `exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null`, program}, flags...)
	limits := sandbox.Limits{Time: b.time() + cmp.Or(b.starting, startTime), Memory: cmp.Or(b.memory, memory),
		Scratch: scratch, Output: scratch}
	return sandbox.Command{Args: args, Limits: limits, Background: true, Jail: b.Jail, Starts: []string{program},
		Reads: []string{"/etc/chromium", "/etc/chromium.d"}, Listens: true}, nil
}

func (b *Browser) time() time.Duration {
	if b.Time <= 0 {
		return DefaultTime
	}
	return b.Time
}

// Check returns an error if Chromium is not installed, or this machine cannot restrict it.
func (b *Browser) Check() error {
	c, err := b.command()
	if err != nil {
		return err
	}
	if err := c.Jail.Allows(sandbox.Jail()); err != nil {
		return err
	}
	return c.Check()
}

// Shot returns the picture of a page, as PNG: a window of Width and Height when the page is loaded, or when its time
// is over. A *[sandbox.Failure] means that Chromium failed at this page; a Chromium that does not
// start is another error.
func (b *Browser) Shot(ctx context.Context, url string, answers Answers) (picture []byte, err error) {
	c, err := b.command()
	if err != nil {
		return nil, err
	}
	started := false
	done, err := c.Talk(ctx, b.Temp, func(in io.Writer, out io.Reader) (err error) {
		p := &page{pipe: newPipe(in, out), ctx: ctx, answers: answers, time: b.time()}
		defer p.end()
		if err = p.attach(); err == nil {
			started = true
			picture, err = p.shot(url)
		}
		return err
	})
	var failed *sandbox.Failure
	var crashed *crashError
	if errors.As(err, &crashed) {
		return nil, fmt.Errorf("showing %s: %w", url, &sandbox.Failure{Reason: crashed.Error(), Done: done})
	}
	if errors.As(err, &failed) && !started {
		return nil, fmt.Errorf("%s does not start: %s", b.Program, failed.Error()) // a fault of the machine
	}
	if err != nil {
		return nil, fmt.Errorf("showing %s: %w", url, err)
	}
	return picture, nil
}

// page is the one page of a browser.
type page struct {
	*pipe
	ctx      context.Context //nolint:containedctx // of one call
	answers  Answers
	time     time.Duration
	session  string
	asked    int
	answered int64
	loaded   bool
}

// shot opens the page, answers its requests until it is loaded, and takes the picture.
func (p *page) shot(url string) ([]byte, error) {
	type object = map[string]any
	for _, step := range []struct {
		method string
		params object
	}{
		{"Page.enable", nil},
		{"Inspector.enable", nil}, // says when the process of the page dies
		{"Fetch.enable", object{"patterns": []object{{"urlPattern": "*"}}}},
		{"Emulation.setDeviceMetricsOverride", object{"width": Width, "height": Height, "deviceScaleFactor": 1,
			"mobile": false}},
		{"Page.setDownloadBehavior", object{"behavior": "deny"}},
	} {
		if err := p.do(step.method, step.params, nil); err != nil {
			return nil, err
		}
	}
	id, err := p.say(p.session, "Page.navigate", object{"url": url})
	if err != nil {
		return nil, err
	}
	if err := p.load(id); err != nil {
		return nil, err
	}
	var shot struct{ Data string }
	if err := p.do("Page.captureScreenshot", object{"format": "png"}, &shot); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(shot.Data)
}

// attach makes the page.
func (p *page) attach() error {
	var made struct{ TargetID, SessionID string }
	if err := p.do("Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		return err
	}
	if err := p.do("Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true},
		&made); err != nil {
		return err
	}
	p.session = made.SessionID
	return nil
}

// do calls a method and waits for its result. Requests of the page are answered meanwhile.
func (p *page) do(method string, params, result any) error {
	id, err := p.say(p.session, method, params)
	if err != nil {
		return err
	}
	for m := range p.messages {
		if m.ID != id {
			if err := p.event(m); err != nil {
				return err
			}
			continue
		}
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
	return p.failure()
}

// load answers the requests of the page until it is loaded and quiet, or its time is over. An error of the
// navigation means that there is no page.
func (p *page) load(navigation int64) error {
	over := time.NewTimer(p.time)
	defer over.Stop()
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	for {
		select {
		case m, ok := <-p.messages:
			if !ok {
				return p.failure()
			}
			if m.ID == navigation {
				if err := navigated(m); err != nil {
					return err
				}
			}
			if err := p.event(m); err != nil {
				return err
			}
			if p.loaded {
				quiet.Reset(quietTime)
			}
		case <-quiet.C:
			return nil
		case <-over.C:
			return nil // the picture shows the loaded part
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
	}
}

// navigated returns an error if there is no page.
func navigated(m *message) error {
	var result struct{ ErrorText string }
	if m.Error != nil {
		return errors.New(m.Error.Message)
	}
	if err := json.Unmarshal(m.Result, &result); err != nil {
		return err
	}
	if result.ErrorText != "" {
		return &NoPageError{result.ErrorText}
	}
	return nil
}

// NoPageError reports that a URL leads to no page that a browser shows.
type NoPageError struct{ Reason string }

// Error implements error.
func (e *NoPageError) Error() string { return "Chromium shows no page: " + e.Reason }
