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

// Jail says what of the fence around programs holds on this machine.
func Jail() jail.Report { return jail.Here() }

// here is what of a jail holds on this machine; tests have it lack something.
var here = jail.Here

// background is how far a program stands back that is run beside others' work.
const background = 10

// lockIn has the program start in a jail. What it gives is asked once the program was started.
func (r *run) lockIn(cmd *exec.Cmd) (*door, error) {
	if err := r.demand.Allows(here()); err != nil {
		return nil, err
	}
	if !jail.Exists {
		return &door{}, nil
	}
	cell := jail.Cell{
		Dir: r.dir, Program: cmd.Path, Read: append(besides(cmd.Path, r.dir), r.reads...),
		Seconds: uint64(r.limits.Time.Seconds()) + 1, Memory: uint64(r.limits.Memory),
		FileSize: uint64(r.limits.Scratch),
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
	d := &door{in: in, out: out}
	if cmd.Path, cmd.Args, cmd.ExtraFiles, err = cell.Command(cmd.Args, out); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// door is how one hears whether a program was locked in.
type door struct{ in, out *os.File }

// entered waits until the program runs, locked in. It is called once, when the process was started.
func (d *door) entered() error {
	if d.in == nil {
		return nil
	}
	_ = d.out.Close() // the process has it now; here nothing was written
	d.out = nil
	err := jail.Entered(d.in)
	if err != nil && strings.Contains(err.Error(), "permission denied") {
		err = fmt.Errorf("%w: it may read the system's folders and that of the program alone, unless others are named",
			err)
	}
	return err
}

func (d *door) close() error {
	var err error
	for _, f := range []*os.File{d.in, d.out} {
		if f != nil {
			err = errors.Join(err, f.Close())
		}
	}
	d.in, d.out = nil, nil
	return err
}

// besides are the folders in which a program may have its parts: that of its name, and that of the
// file where the name is a link. A folder in which others' work lies, too, is none: the home of the
// user, where temporary files go, and what is above them.
func besides(path, dir string) (all []string) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = path
	}
	home, _ := os.UserHomeDir() // "" where there is none
	for _, p := range []string{path, target} {
		all = append(all, p)
		folder := filepath.Dir(p)
		if !holds(folder, home) && !holds(folder, filepath.Dir(dir)) && !holds(folder, os.TempDir()) {
			all = append(all, folder)
		}
	}
	return all
}

// holds says whether a folder is another one, or above it.
func holds(folder, other string) bool {
	if other == "" {
		return folder == "/"
	}
	rel, err := filepath.Rel(folder, other)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}
