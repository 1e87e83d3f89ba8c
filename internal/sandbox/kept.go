package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Kept is a program that is kept running, and asked about one bytestream after the other: starting
// some programs costs much more than their work. It is locked in as any other. But what one
// bytestream makes of it, the next meets; so it does not live long, and not at all after anything
// went wrong. It is asked by one goroutine at a time.
//
// The way of asking is that of ExifTool (exiftool -stay_open True -@ -): arguments come on standard
// input, a line each, and end with -execute and a number; "{ready" and that number ends the answer.
type Kept struct {
	r     *run
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *spoken
	said  *spoken
	over  chan struct{} // closed when the process has ended
	uses  int
}

// How long a program is kept: how many bytestreams, and seconds of processor time.
const (
	maxUses    = 500
	maxSeconds = 600
)

// errGone says that a kept program had ended before it was asked.
var errGone = errors.New("the program has ended")

// Gone says whether that is the error, so that another process should be asked.
func Gone(err error) bool { return errors.Is(err, errGone) }

// Keep starts the program so that it can be asked. Its first argument is the program, the others
// are options that hold for every bytestream. Its limits are for each bytestream. Whoever calls
// closes it.
func (c *Command) Keep(temp string) (_ *Kept, err error) {
	dir, err := os.MkdirTemp(temp, ".quire-program-*")
	if err != nil {
		return nil, fmt.Errorf("making a folder for a program: %w", err)
	}
	r := &run{limits: c.Limits.withDefaults(), dir: dir, reads: c.Reads, background: c.Background, demand: c.Jail,
		seconds: maxSeconds}
	r.args = append([]string{c.Args[0], "-stay_open", "True", "-@", "-", "-common_args"}, c.Args[1:]...)
	k := &Kept{r: r, over: make(chan struct{})}
	if err := k.start(); err != nil {
		return nil, errors.Join(err, removeAll(dir))
	}
	return k, nil
}

func (k *Kept) start() (err error) {
	if k.cmd, err = k.r.bare(); err != nil {
		return err
	}
	k.out = &spoken{most: int(min(k.r.limits.Output, maxPrinted)), full: make(chan struct{})}
	k.said = &spoken{most: maxSaid}
	k.cmd.Stdout, k.cmd.Stderr = k.out, k.said
	if k.stdin, err = k.cmd.StdinPipe(); err != nil {
		return err
	}
	door, err := k.r.lockIn(k.cmd)
	if err != nil {
		return err
	}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // see run.process
		defer runtime.UnlockOSThread()
		defer close(k.over)
		err := k.cmd.Start()
		started <- err
		if err == nil {
			_ = wait(k.cmd) // however it ends, it is not asked again
		}
	}()
	if err = <-started; err == nil {
		err = door.entered()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("starting %s: %w", k.r.args[0], err), door.close())
	}
	go k.guard()
	return door.close()
}

// guard sees to it that the process takes no more than it may while nobody asks it.
func (k *Kept) guard() {
	tick := time.NewTicker(10 * watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-k.over:
			return
		case <-tick.C:
			if tooMuch(k.cmd.Process.Pid, k.r.limits.Memory, k.r.limits.Scratch) != "" {
				k.kill()
			}
		}
	}
}

// kill ends the process, unless it has ended: its number may be another's by then.
func (k *Kept) kill() {
	select {
	case <-k.over:
	default:
		killGroup(k.cmd.Process.Pid)
	}
}

// Fit says whether the program may be asked once more.
func (k *Kept) Fit() bool {
	select {
	case <-k.over:
		return false
	default:
		return k.uses < maxUses
	}
}

// Close ends the program and removes its folder.
func (k *Kept) Close() error {
	k.kill()
	<-k.over
	return removeAll(k.r.dir)
}

// Ask asks about a bytestream. The answer and the error are as of Command.Ask; after an answer that
// is not good the program is gone.
func (k *Kept) Ask(ctx context.Context, q Question) (_ *Answer, err error) {
	if !k.Fit() {
		return nil, errGone
	}
	k.uses++
	const name = "input" // in its working folder
	if k.r.own, err = writeFile(filepath.Join(k.r.dir, name), q.In); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	n, err := rand.Int(rand.Reader, big.NewInt(1e9)) // a bytestream cannot know it and say that it is done
	if err != nil {
		return nil, err
	}
	// A line each: "-echo4" prints the status to standard error.
	question := fmt.Sprintf("%s\n-echo4\n{ready%d ${status}}\n-execute%d\n", name, n, n)
	k.out.await(fmt.Sprintf("{ready%d}\n", n))
	k.said.await(fmt.Sprintf("{ready%d ", n))
	a := &Answer{}
	if _, err = io.WriteString(k.stdin, question); err != nil {
		k.kill()
		<-k.over
		a.Reason = k.r.name() + " has ended"
	} else if err := k.listen(ctx, a); err != nil {
		return nil, err
	}
	k.answer(a)
	return a, k.tidy()
}

// listen waits for the end of the answer. If there is none as it should be, the process is ended.
func (k *Kept) listen(ctx context.Context, a *Answer) error {
	over := time.NewTimer(k.r.limits.Time)
	defer over.Stop()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	out, said := k.out.done, k.said.done
	for out != nil || said != nil {
		select {
		case <-out:
			out = nil
			continue
		case <-said:
			said = nil
			continue
		case <-ctx.Done():
			k.kill()
			<-k.over
			return ctx.Err()
		case <-k.over:
			a.Reason = "it ended before it had answered"
		case <-k.out.full:
			a.Flooded, a.Reason = true, fmt.Sprintf("it printed more than %d bytes", k.out.most)
		case <-over.C:
			a.Late, a.Reason = true, fmt.Sprintf("it was not done after %s", k.r.limits.Time)
		case <-tick.C:
			a.Reason = k.r.tooMuch(k.cmd.Process.Pid)
		}
		if a.Reason != "" {
			a.Reason = k.r.name() + ": " + a.Reason
			k.kill()
			<-k.over
			return nil
		}
	}
	return nil
}

// answer takes what was said, and the status behind it.
func (k *Kept) answer(a *Answer) {
	a.Printed, _ = k.out.take()
	if most := k.out.most; len(a.Printed) > most && !a.Flooded {
		a.Flooded, a.Reason = true, fmt.Sprintf("%s: it printed more than %d bytes", k.r.name(), most)
	}
	a.Printed = a.Printed[:min(len(a.Printed), k.out.most)]
	said, mark := k.said.take()
	a.Said = strings.ToValidUTF8(strings.TrimSpace(string(said[:min(len(said), maxSaid)])), "\uFFFD")
	a.Output = int64(len(a.Printed))
	if _, err := fmt.Sscanf(mark, "%d}", &a.Status); err == nil && a.Status != 0 && a.Reason == "" {
		a.Reason = fmt.Sprintf("%s ended with status %d", k.r.name(), a.Status)
	}
}

// tidy takes away what lies in the folder of the program.
func (k *Kept) tidy() error {
	all, err := os.ReadDir(k.r.dir)
	for _, e := range all {
		err = errors.Join(err, removeAll(filepath.Join(k.r.dir, e.Name())))
	}
	return err
}

// spoken is what a kept program says on one of its outputs, until it says a mark.
type spoken struct {
	most int
	full chan struct{} // closed when it says more than is kept; nil when that is only forgotten

	mu       sync.Mutex
	kept     []byte
	last     []byte // the end of what was said, where the mark is looked for
	mark     []byte
	found    string        // what stands behind the mark, to the end of the line
	done     chan struct{} // closed when the mark was said
	overFull bool
}

// await begins anew, with another mark.
func (s *spoken) await(mark string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.last, s.found, s.mark, s.done = nil, nil, "", []byte(mark), make(chan struct{})
}

// Write never fails.
func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := s.most + len(s.mark) + maxStatus - len(s.kept)
	s.kept = append(s.kept, p[:max(0, min(len(p), room))]...)
	s.last = append(s.last, p...)
	s.last = s.last[max(0, len(s.last)-len(s.mark)-maxStatus):]
	if len(p) > room && s.full != nil && !s.overFull {
		s.overFull = true
		close(s.full)
	}
	if at := bytes.LastIndex(s.last, s.mark); len(s.mark) > 0 && at >= 0 && s.last[len(s.last)-1] == '\n' {
		s.found = string(s.last[at+len(s.mark):])
		s.kept = bytes.TrimSuffix(s.kept, s.last[at:])
		s.mark = nil
		close(s.done)
	}
	return len(p), nil
}

// maxStatus is how long what stands behind a mark may be.
const maxStatus = 16

// take gives what was said, and what stood behind the mark.
func (s *spoken) take() (kept []byte, behind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept, s.found
}
