package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"quire/internal/sandbox/jail"
)

// Jail reports which restrictions of programs work on this machine.
func Jail() jail.Report { return jail.Here() }

// here reports the restrictions; tests replace it by a report with gaps.
var here = jail.Here

// background is the lower priority of a program that runs while other work is done.
const background = 10

// lockIn prepares the program to start in a jail. The caller checks the returned door after the
// start.
func (r *run) lockIn(cmd *exec.Cmd) (*jailPipe, error) {
	if err := r.demand.Allows(here()); err != nil {
		return nil, err
	}
	if !jail.Exists {
		return &jailPipe{}, nil
	}
	cell := jail.Cell{
		Dir: r.dir, Program: cmd.Path, Read: append(partFolders(cmd.Path, r.dir), r.reads...),
		Seconds: uint64(r.limits.Time.Seconds()) + 1, Memory: uint64(r.limits.Memory),
		FileSize: uint64(r.limits.Scratch), Listens: r.listens,
	}
	if r.seconds > 0 {
		cell.Seconds = r.seconds
	}
	if r.background {
		cell.Nice = background
	}
	in, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	d := &jailPipe{in: in, out: out}
	if cmd.Path, cmd.Args, cmd.ExtraFiles, err = cell.Command(cmd.Args, out); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// jailPipe is the pipe that reports whether a program was restricted.
type jailPipe struct{ in, out *os.File }

// entered waits until the restricted program runs. It is called once, after the process was
// started.
func (d *jailPipe) entered() error {
	if d.in == nil {
		return nil
	}
	_ = d.out.Close() // the process has it now
	d.out = nil
	err := jail.Entered(d.in)
	if err != nil && strings.Contains(err.Error(), "permission denied") {
		err = fmt.Errorf("%w: the program may read only the system's folders and its own, unless the "+
			"configuration adds others",
			err)
	}
	return err
}

func (d *jailPipe) close() error {
	var err error
	for _, f := range []*os.File{d.in, d.out} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	d.in, d.out = nil, nil
	return err
}

// partFolders returns the folders in which a program may have its parts: the folder of its name, and of
// the link's target. It excludes folders that also contain other work: the user's home, the folder
// of temporary files, and their parents.
func partFolders(path, dir string) (all []string) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	home, _ := os.UserHomeDir() // "" if unknown
	for _, p := range []string{path, target} {
		all = append(all, p)
		folder := filepath.Dir(p)
		if !holds(folder, home) && !holds(folder, filepath.Dir(dir)) && !holds(folder, os.TempDir()) {
			all = append(all, folder)
		}
	}
	return all
}

// holds reports whether a folder is the other one or contains it.
func holds(folder, other string) bool {
	if other == "" {
		return folder == "/"
	}
	rel, err := filepath.Rel(folder, other)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}
