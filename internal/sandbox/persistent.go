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

// Persistent is a program that stays running for many bytestreams, because starting some programs costs
// much more than their work. It is restricted like any other program. But one bytestream can affect
// its state for the next. So it runs only for a limited time, and ends after any error. One
// goroutine uses it at a time.
//
// It uses the protocol of ExifTool (exiftool -stay_open True -@ -). Arguments come on standard
// input, one per line, and end with -execute and a number. "{ready" and that number ends the
// answer.
type Persistent struct {
	r     *run
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *programOutput
	said  *programOutput
	over  chan struct{} // closed when the process has ended
	uses  int
}

// The limits of a kept program: bytestreams, and seconds of processor time.
const (
	maxUses    = 500
	maxSeconds = 600
)

// errGone means that a kept program had ended before the question.
var errGone = errors.New("the program has ended")

// HasEnded reports whether err means that the program had ended, so that the caller should use a new
// process.
func HasEnded(err error) bool { return errors.Is(err, errGone) }

// Start starts the program for repeated questions. The first argument is the program; the others are
// options for every bytestream. Its limits apply to each bytestream. The caller must close it.
func (c *Command) Start(temp string) (_ *Persistent, err error) {
	dir, err := newFolder(temp)
	if err != nil {
		return nil, err
	}
	r := &run{limits: c.Limits.withDefaults(), dir: dir, reads: c.Reads, background: c.Background, demand: c.Jail,
		seconds: maxSeconds}
	r.args = append([]string{c.Args[0], "-stay_open", "True", "-@", "-", "-common_args"}, c.Args[1:]...)
	k := &Persistent{r: r, over: make(chan struct{})}
	if err := k.start(); err != nil {
		return nil, errors.Join(err, removeAll(dir))
	}
	return k, nil
}

func (k *Persistent) start() (err error) {
	if k.cmd, err = k.r.bare(); err != nil {
		return err
	}
	k.out = &programOutput{most: int(min(k.r.limits.Output, maxPrinted)), full: make(chan struct{})}
	k.said = &programOutput{most: maxSaid}
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
			_ = wait(k.cmd) // in any case it is not used again
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

// guard kills the process if it exceeds its limits, also between questions.
func (k *Persistent) guard() {
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

// kill ends the process, unless it has ended: its number may then belong to another process.
func (k *Persistent) kill() {
	select {
	case <-k.over:
	default:
		killGroup(k.cmd.Process.Pid)
	}
}

// Reusable reports whether the program can answer another question.
func (k *Persistent) Reusable() bool {
	select {
	case <-k.over:
		return false
	default:
		return k.uses < maxUses
	}
}

// Close ends the program and removes its folder.
func (k *Persistent) Close() error {
	k.kill()
	<-k.over
	return removeAll(k.r.dir)
}

// Ask runs the program on a bytestream. The answer and the error are the same as from Command.Ask.
// After a bad answer the program has ended.
func (k *Persistent) Ask(ctx context.Context, q Question) (_ *Answer, err error) {
	if !k.Reusable() {
		return nil, errGone
	}
	k.uses++
	name := q.inputName() // in its folder
	if k.r.own, err = writeFile(filepath.Join(k.r.dir, name), q.In, q.Modified); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	n, err := rand.Int(rand.Reader, big.NewInt(1e9)) // a bytestream cannot guess the number and fake the end
	if err != nil {
		return nil, err
	}
	// One line each: "-echo4" prints the status to standard error.
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

// listen waits for the end of the answer. If the answer is not valid, it ends the process.
func (k *Persistent) listen(ctx context.Context, a *Answer) error {
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

// answer collects the output, and the status after it.
func (k *Persistent) answer(a *Answer) {
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

// tidy removes the files in the folder of the program.
func (k *Persistent) tidy() error {
	all, err := os.ReadDir(k.r.dir)
	for _, e := range all {
		err = errors.Join(err, removeAll(filepath.Join(k.r.dir, e.Name())))
	}
	return err
}

// programOutput is the output of a kept program, up to a mark.
type programOutput struct {
	most int
	full chan struct{} // closed when the output exceeds the bound; nil to ignore that

	mu       sync.Mutex
	kept     []byte
	last     []byte // the end of the output, searched for the mark
	mark     []byte
	found    string        // the rest of the line after the mark
	done     chan struct{} // closed when the mark was found
	overFull bool
}

// await begins again, with another mark.
func (s *programOutput) await(mark string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.last, s.found, s.mark, s.done = nil, nil, "", []byte(mark), make(chan struct{})
}

// Write collects output. It never fails.
func (s *programOutput) Write(p []byte) (int, error) {
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

// maxStatus is the longest text after a mark.
const maxStatus = 16

// take returns the output and the text after the mark.
func (s *programOutput) take() (kept []byte, behind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept, s.found
}
